// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/engine/guest_init.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <fcntl.h>
#include <unistd.h>

#include "guest_runner/engine/disk_finder.hpp"
#include "guest_runner/engine/system_readings.hpp"
#include "module/core/error.hpp"

namespace poolwise::guest_runner {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kDevicePatience{10};
constexpr std::chrono::milliseconds kLookAgain{2};

void complain(const std::string& doing) {
    std::fprintf(stderr, "poolwise_engine: %s: %s\n", doing.c_str(), std::strerror(errno));
}

void mount_on(const char* type, const char* target) {
    ::mkdir(target, 0755);
    // The kernel mounts devtmpfs by itself where it was configured to.
    if (::mount(type, target, type, MS_NOSUID, nullptr) != 0 && errno != EBUSY) {
        complain(std::string{"mount '"} + target + "'");
    }
}

void open_console() {
    const int console = ::open("/dev/console", O_RDWR | O_NOCTTY);
    if (console < 0) return;
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        ::dup2(console, standard);
    }
    if (console > STDERR_FILENO) ::close(console);
}

void load_modules() {
    std::ifstream list{"/lib/poolwise/modules.list"};
    for (std::string name; std::getline(list, name);) {
        if (name.empty()) continue;
        const std::string path = "/lib/modules/" + name;
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0 || (::syscall(SYS_finit_module, file, "", 0) != 0 && errno != EEXIST)) {
            complain("load module '" + path + "'");
        }
        if (file >= 0) ::close(file);
    }
}

std::optional<std::string> find_port(const std::string& name) {
    std::error_code ignored;
    for (const auto& entry :
         std::filesystem::directory_iterator{"/sys/class/virtio-ports", ignored}) {
        if (trimmed(read_text(entry.path() / "name", 256)) == name) {
            return "/dev/" + entry.path().filename().string();
        }
    }
    return std::nullopt;
}

/// The device whose serial is `serial`; its size is not known beforehand.
std::optional<std::string> find_tools_disk(const std::string& serial) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator{"/sys/block", ignored}) {
        if (trimmed(read_text(entry.path() / "serial", 256)) == serial) {
            return "/dev/" + entry.path().filename().string();
        }
    }
    return std::nullopt;
}

/// What `find` finds, within kDevicePatience.
template <typename Find>
std::string await_device(const Find& find, const std::string& what) {
    const auto deadline = Clock::now() + kDevicePatience;
    for (;;) {
        const auto device = find();
        if (device && ::access(device->c_str(), F_OK) == 0) return *device;
        if (Clock::now() > deadline) {
            throw Error{ErrorCode::not_found, "find " + what + ": the guest has none"};
        }
        std::this_thread::sleep_for(kLookAgain);
    }
}

}  // namespace

void prepare_guest() {
    mount_on("devtmpfs", "/dev");
    open_console();
    mount_on("proc", "/proc");
    mount_on("sysfs", "/sys");
    mount_on("tmpfs", "/run");
    mount_on("tmpfs", "/tmp");
    load_modules();
}

int open_port(const std::string& name) {
    const std::string device =
        await_device([&] { return find_port(name); }, "virtio port '" + name + "'");
    const int port = ::open(device.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (port < 0) {
        throw Error{ErrorCode::not_found, "open '" + device + "': " + std::strerror(errno)};
    }
    return port;
}

std::vector<std::string> mount_tools(const std::string& serial) {
    const std::string device =
        await_device([&] { return find_tools_disk(serial); }, "tools disk '" + serial + "'");
    ::mkdir("/tools", 0755);
    // noload: the disk is read-only, so a journal could not be replayed.
    if (::mount(device.c_str(), "/tools", "ext4", MS_RDONLY | MS_NODEV | MS_NOSUID, "noload") !=
        0) {
        throw Error{ErrorCode::unavailable,
                    "mount tools disk '" + device + "': " + std::strerror(errno)};
    }
    return {"/tools/lib64/ld-linux-x86-64.so.2", "--library-path", "/tools/lib",
            "/tools/usr/bin/fio"};
}

void power_off() {
    ::sync();
    ::reboot(RB_POWER_OFF);
    ::_exit(1);  // not permitted: then this is no guest, and the kernel panics if it is
}

}  // namespace poolwise::guest_runner
