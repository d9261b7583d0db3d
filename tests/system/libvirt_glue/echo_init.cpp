// SPDX-License-Identifier: Apache-2.0
// The whole user space of a test guest: loads virtio, then answers lines on the engine's channel.
//
//   disks             -> "disks SERIAL SERIAL ..."
//   write SERIAL N    -> "written N" after N MiB of O_DIRECT writes and a flush, or "failed ERRNO";
//                        waits for a disk that is being plugged in
//   crash             -> the kernel panics
//   poweroff          -> the machine is turned off
//   anything else     -> the same line
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/syscall.h>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace {

void load_module(const std::string& name) {
    const int file = open(("/lib/modules/" + name + ".ko").c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    syscall(SYS_finit_module, file, "", 0);
    close(file);
}

std::string first_line(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return {};
    char text[128];
    const ssize_t size = read(file, text, sizeof text);
    close(file);
    std::string line{text, text + std::max<ssize_t>(size, 0)};
    return line.substr(0, line.find('\n'));
}

std::vector<std::string> entries(const std::string& folder) {
    std::vector<std::string> names;
    DIR* directory = opendir(folder.c_str());
    if (directory == nullptr) return names;
    while (const dirent* entry = readdir(directory)) {
        if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    }
    closedir(directory);
    std::sort(names.begin(), names.end());
    return names;
}

int open_channel() {
    while (true) {
        for (const std::string& port : entries("/sys/class/virtio-ports")) {
            if (first_line("/sys/class/virtio-ports/" + port + "/name")
                    .starts_with("org.poolwise")) {
                const int channel = open(("/dev/" + port).c_str(), O_RDWR | O_CLOEXEC);
                if (channel >= 0) return channel;
            }
        }
        usleep(10'000);
    }
}

std::string disks() {
    std::string answer = "disks";
    for (const std::string& name : entries("/sys/block")) {
        if (name.starts_with("vd")) answer += ' ' + first_line("/sys/block/" + name + "/serial");
    }
    return answer;
}

/// Waits up to 30 s for a disk that is being plugged in. @return "vdb"; empty if it did not come.
std::string find_disk(const std::string& serial) {
    for (int tries = 0; tries < 3000; ++tries) {
        for (const std::string& name : entries("/sys/block")) {
            const bool there = access(("/dev/" + name).c_str(), W_OK) == 0;
            if (there && first_line("/sys/block/" + name + "/serial") == serial) return name;
        }
        usleep(10'000);
    }
    return {};
}

std::string write_disk(const std::string& serial, int mebibytes) {
    const std::string name = find_disk(serial);
    const int disk = open(("/dev/" + name).c_str(), O_WRONLY | O_DIRECT | O_CLOEXEC);
    if (name.empty() || disk < 0) return "failed " + std::to_string(errno);
    constexpr std::size_t kBlock = 1U << 20U;
    void* block = std::aligned_alloc(4096, kBlock);
    std::memset(block, 'w', kBlock);
    int done = 0;
    while (done < mebibytes && write(disk, block, kBlock) == static_cast<ssize_t>(kBlock)) ++done;
    const bool good = done == mebibytes && fsync(disk) == 0;
    const int reason = errno;
    std::free(block);
    close(disk);
    return (good ? "written " + std::to_string(done) : "failed " + std::to_string(reason));
}

void crash() {
    const int trigger = open("/proc/sysrq-trigger", O_WRONLY | O_CLOEXEC);
    if (write(trigger, "c", 1) != 1) reboot(RB_POWER_OFF);
}

std::string answer(const std::string& line) {
    std::istringstream words{line};
    std::string verb;
    std::string serial;
    int mebibytes = 0;
    words >> verb >> serial >> mebibytes;
    if (verb == "disks") return disks();
    if (verb == "write") return write_disk(serial, mebibytes);
    if (verb == "crash") crash();
    if (verb == "poweroff") reboot(RB_POWER_OFF);
    return line;
}

void send(int channel, const std::string& text) {
    std::size_t sent = 0;
    while (sent < text.size()) {
        const ssize_t size = write(channel, text.data() + sent, text.size() - sent);
        if (size > 0) sent += static_cast<std::size_t>(size);
    }
}

}  // namespace

int main() {
    mount("proc", "/proc", "proc", 0, nullptr);
    mount("sysfs", "/sys", "sysfs", 0, nullptr);
    mount("dev", "/dev", "devtmpfs", 0, nullptr);
    for (const char* module :
         {"virtio_ring", "virtio", "virtio_pci_modern_dev", "virtio_pci_legacy_dev", "virtio_pci",
          "virtio_blk", "virtio_console"}) {
        load_module(module);
    }

    const int channel = open_channel();
    send(channel, "hello\n");
    std::string pending;
    while (true) {
        char bytes[4096];
        const ssize_t size = read(channel, bytes, sizeof bytes);
        if (size <= 0) {  // nobody is connected on the host's side just now
            usleep(1000);
            continue;
        }
        pending.append(bytes, static_cast<std::size_t>(size));
        for (auto end = pending.find('\n'); end != std::string::npos; end = pending.find('\n')) {
            send(channel, answer(pending.substr(0, end)) + '\n');
            pending.erase(0, end + 1);
        }
    }
}
