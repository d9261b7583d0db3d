// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace poolwise::test {

struct CpioEntry {
    std::string path;
    unsigned long inode = 0;
    unsigned long mode = 0;
    unsigned long owner = 0;
    unsigned long time = 0;
    unsigned long device_major = 0;
    unsigned long device_minor = 0;
    std::string content;
};

/// Reads a "newc" archive as the kernel's documentation describes it, without the trailer.
inline std::vector<CpioEntry> read_cpio(std::string_view archive) {
    std::vector<CpioEntry> entries;
    std::size_t at = 0;
    while (true) {
        if (archive.size() - at < 110 || archive.substr(at, 6) != "070701") {
            throw std::runtime_error{"no header at " + std::to_string(at)};
        }
        const auto field = [&](std::size_t n) {
            return std::stoul(std::string{archive.substr(at + 6 + 8 * n, 8)}, nullptr, 16);
        };
        const std::size_t name_size = field(11);
        const std::size_t size = field(6);
        CpioEntry entry{.path = std::string{archive.substr(at + 110, name_size - 1)},
                        .inode = field(0),
                        .mode = field(1),
                        .owner = field(2) + field(3),
                        .time = field(5),
                        .device_major = field(9),
                        .device_minor = field(10),
                        .content = {}};
        at = (at + 110 + name_size + 3) / 4 * 4;
        entry.content = archive.substr(at, size);
        at = (at + size + 3) / 4 * 4;
        if (entry.path == "TRAILER!!!") {
            if (at != archive.size()) throw std::runtime_error{"bytes after the trailer"};
            return entries;
        }
        entries.push_back(entry);
    }
}

}  // namespace poolwise::test
