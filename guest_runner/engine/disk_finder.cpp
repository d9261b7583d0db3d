// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/engine/disk_finder.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <fcntl.h>
#include <unistd.h>

#include "guest_runner/engine/system_readings.hpp"
#include "module/core/error.hpp"

namespace poolwise::guest_runner {
namespace {

// A hot-plugged disk appears some milliseconds after the host's call has returned.
constexpr std::chrono::milliseconds kLookAgain{2};

[[nodiscard]] Error refused(const std::string& disk, const std::string& reason) {
    return {ErrorCode::refused, "use disk '" + disk + "': " + reason};
}

void require_size(const std::string& disk, Bytes found, Bytes asked) {
    if (found == asked) return;
    throw refused(disk, "it has " + std::to_string(found.count()) + " bytes, not " +
                            std::to_string(asked.count()));
}

std::vector<std::string> names_with_serial(const std::string& serial, const std::string& sys_block,
                                           const std::string& dev) {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator{sys_block, ignored}) {
        const std::string name = entry.path().filename();
        // The kernel makes the node after the folder: without a node the disk is not there yet.
        if (trimmed(read_text(entry.path() / "serial", 256)) == serial &&
            std::filesystem::exists(dev + "/" + name, ignored)) {
            names.push_back(name);
        }
    }
    return names;
}

Bytes size_of_block_device(const std::string& path) {
    const int device = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    std::uint64_t bytes = 0;
    const bool known = device >= 0 && ::ioctl(device, BLKGETSIZE64, &bytes) == 0;
    const int error = errno;
    if (device >= 0) ::close(device);
    if (!known) throw refused(path, std::strerror(error));
    return Bytes{bytes};
}

}  // namespace

std::optional<BlockCounters> Disk::counters() const {
    if (stat_path.empty()) return std::nullopt;
    return parse_block_stat(read_text(stat_path, 1024));
}

Disk find_disk_by_serial(const std::string& serial, Bytes size, std::chrono::milliseconds patience,
                         const std::string& sys_block, const std::string& dev) {
    if (serial.empty()) throw refused(serial, "a disk without a serial cannot be told from others");
    const auto deadline = std::chrono::steady_clock::now() + patience;
    auto names = names_with_serial(serial, sys_block, dev);
    while (names.empty() && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(kLookAgain);
        names = names_with_serial(serial, sys_block, dev);
    }
    if (names.empty()) throw refused(serial, "no disk has this serial");
    if (names.size() > 1) {
        throw refused(serial, std::to_string(names.size()) + " disks have this serial");
    }
    const std::string folder = sys_block + "/" + names.front();
    const auto sectors = parse_field("size: " + read_text(folder + "/size", 64), "size");
    require_size(serial, Bytes{sectors.value_or(0) * 512}, size);
    return {dev + "/" + names.front(), folder + "/stat"};
}

Disk check_disk_at(const std::string& path, Bytes size) {
    struct stat found {};
    if (!path.starts_with('/')) throw refused(path, "the path is not absolute");
    if (::stat(path.c_str(), &found) != 0) throw refused(path, std::strerror(errno));
    if (S_ISREG(found.st_mode)) {
        require_size(path, Bytes{static_cast<std::uint64_t>(found.st_size)}, size);
        return {path, {}};
    }
    if (!S_ISBLK(found.st_mode)) throw refused(path, "it is neither a file nor a block device");
    require_size(path, size_of_block_device(path), size);
    return {path, "/sys/dev/block/" + std::to_string(major(found.st_rdev)) + ":" +
                      std::to_string(minor(found.st_rdev)) + "/stat"};
}

}  // namespace poolwise::guest_runner
