// SPDX-License-Identifier: Apache-2.0
#include "module/host/linux_node.hpp"

#include <array>
#include <cctype>
#include <cerrno>
#include <sstream>
#include <system_error>
#include <utility>

#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

#include <fcntl.h>
#include <unistd.h>

#include "module/core/error.hpp"
#include "module/host/block_device.hpp"
#include "module/host/direct_io_probe.hpp"
#include "module/host/kernel_file.hpp"
#include "module/host/mount_table.hpp"
#include "module/host/node_lock.hpp"
#include "module/host/program_version.hpp"

namespace poolwise {
namespace {

namespace fs = std::filesystem;

std::string reason_of(int number) {
    return std::generic_category().message(number);
}

/// The value after "<key> :" or "<key>:" in a file of such lines; empty where there is none.
std::string value_of(const std::string& text, const std::string& key) {
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos) continue;
        if (line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1) != key) continue;
        const std::size_t value = line.find_first_not_of(" \t", colon + 1);
        return value == std::string::npos ? "" : line.substr(value);
    }
    return "";
}

/// Lines "cpu0", "cpu1", ... of /proc/stat: the CPUs that are online.
unsigned count_cpus(const std::string& stat) {
    unsigned count = 0;
    std::istringstream lines{stat};
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("cpu") && line.size() > 3 &&
            std::isdigit(static_cast<unsigned char>(line[3])) != 0) {
            ++count;
        }
    }
    return count;
}

Bytes memory_of(const std::string& meminfo) {
    std::istringstream value{value_of(meminfo, "MemTotal")};
    std::uint64_t kibibytes = 0;
    value >> kibibytes;
    return Bytes{kibibytes * 1024};
}

bool others_may_search(const fs::path& folder) {
    struct stat status {};
    return stat(folder.c_str(), &status) == 0 && (status.st_mode & S_IXOTH) != 0;
}

/// A folder that does not exist yet is not in the way.
std::optional<std::string> first_closed_parent(const fs::path& path) {
    fs::path parent;
    for (const fs::path& part : path.parent_path()) {
        parent /= part;
        std::error_code absent;
        if (fs::exists(parent, absent) && !others_may_search(parent)) return parent.string();
    }
    return std::nullopt;
}

}  // namespace

LinuxNode::LinuxNode(NodePlaces places) : places_{std::move(places)} {}

NodeFacts LinuxNode::facts() {
    const auto read = [this](const char* file) {
        return read_kernel_file(places_.proc / file).value_or("");
    };
    NodeFacts facts;
    facts.hostname = read("sys/kernel/hostname");
    facts.kernel = read("sys/kernel/osrelease");
    facts.cpu_model = value_of(read("cpuinfo"), "model name");
    facts.cores = count_cpus(read("stat"));
    facts.memory = memory_of(read("meminfo"));
    facts.governor =
        read_kernel_file(places_.sys / "devices/system/cpu/cpu0/cpufreq/scaling_governor")
            .value_or("");
    facts.fio = program_version(places_.fio);
    return facts;
}

PathFacts LinuxNode::path_facts(const std::string& path) {
    struct stat status {};
    struct statvfs space {};
    if (stat(path.c_str(), &status) != 0 || statvfs(path.c_str(), &space) != 0) {
        throw Error{ErrorCode::not_found, "look at '" + path + "': " + reason_of(errno)};
    }
    const fs::path real = fs::canonical(path);
    PathFacts facts;
    facts.path = path;
    facts.size = Bytes{space.f_blocks * space.f_frsize};
    facts.free = Bytes{space.f_bavail * space.f_frsize};
    facts.direct_io = direct_io_works(S_ISDIR(status.st_mode) ? real : real.parent_path());
    DeviceNumber number{major(status.st_dev), minor(status.st_dev)};
    const auto mounts =
        parse_mounts(read_kernel_file(places_.proc / "self/mountinfo").value_or(""));
    if (const auto mount = find_mount(mounts, real.string())) {
        facts.file_system = mount->file_system;
        facts.mount_point = mount->mount_point;
        facts.mount_options = mount->options;
        if (number.device_major == 0) {
            number = number_of_source(places_.sys, mount->source).value_or(number);
        }
    }
    facts.device = find_block_device(places_.sys, number);
    return facts;
}

CpuTimes LinuxNode::cpu_times() {
    // proc(5): user nice system idle iowait irq softirq steal, then guest times that user and
    // nice already hold.
    std::istringstream stat{read_kernel_file(places_.proc / "stat").value_or("")};
    std::string label;
    std::array<std::uint64_t, 8> ticks{};
    stat >> label;
    for (std::uint64_t& field : ticks) stat >> field;
    if (!stat || label != "cpu") {
        throw Error{ErrorCode::unavailable, "read the node's CPU times from '" +
                                                (places_.proc / "stat").string() +
                                                "': not the lines that Linux shows"};
    }
    const double per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
    const auto seconds = [per_second](std::uint64_t count) {
        return Seconds{static_cast<double>(count) / per_second};
    };
    return {.busy = seconds(ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]),
            .idle = seconds(ticks[3] + ticks[4]),
            .steal = seconds(ticks[7])};
}

std::optional<Node::DeviceActivity> LinuxNode::device_activity(const std::string& device_name) {
    return read_device_activity(places_.sys, device_name);
}

void LinuxNode::drop_caches() {
    const fs::path switch_file = places_.proc / "sys/vm/drop_caches";
    const int file = open(switch_file.c_str(), O_WRONLY | O_CLOEXEC);
    const int open_failure = errno;
    if (file < 0) {
        throw Error{ErrorCode::unavailable, "drop the page cache through '" + switch_file.string() +
                                                "': " + reason_of(open_failure)};
    }
    sync();  // only clean pages can be dropped
    const ssize_t written = write(file, "3", 1);
    const int write_failure = errno;
    close(file);
    if (written != 1) {
        throw Error{ErrorCode::unavailable, "drop the page cache through '" + switch_file.string() +
                                                "': " + reason_of(write_failure)};
    }
}

std::unique_ptr<NodeLock> LinuxNode::lock(const std::string& holder) {
    return lock_node(places_.lock, holder);
}

std::optional<std::string> LinuxNode::unsearchable_parent(const std::string& path) {
    const fs::path absolute = fs::absolute(path).lexically_normal();
    if (auto closed = first_closed_parent(absolute)) return closed;
    std::error_code failed;  // a loop of symlinks: the caller's own opening says so better
    return first_closed_parent(fs::weakly_canonical(absolute, failed));
}

std::uint64_t LinuxNode::random_bits() {
    std::uint64_t bits = 0;
    while (getrandom(&bits, sizeof bits, 0) != sizeof bits) {
        if (errno != EINTR) {
            throw Error{ErrorCode::unavailable, "get random bits: " + reason_of(errno)};
        }
    }
    return bits;
}

}  // namespace poolwise
