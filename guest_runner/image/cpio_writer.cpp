// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/cpio_writer.hpp"

#include <array>
#include <cstdio>
#include <limits>
#include <utility>

#include <sys/stat.h>

#include "module/core/error.hpp"

namespace poolwise::guest_runner {

void CpioWriter::add_directory(std::string_view path, unsigned permissions) {
    add({.path = path, .mode = S_IFDIR | permissions, .links = 2, .content = {}});
}

void CpioWriter::add_file(std::string_view path, std::string_view content, unsigned permissions) {
    add({.path = path, .mode = S_IFREG | permissions, .content = content});
}

void CpioWriter::add_character_device(std::string_view path, unsigned permissions,
                                      unsigned device_major, unsigned device_minor) {
    add({.path = path,
         .mode = S_IFCHR | permissions,
         .device_major = device_major,
         .device_minor = device_minor,
         .content = {}});
}

std::string CpioWriter::finish() {
    last_inode_ = std::numeric_limits<std::uint32_t>::max();  // the trailer's inode becomes 0
    add({.path = "TRAILER!!!", .content = {}});
    return std::exchange(archive_, {});
}

void CpioWriter::add(const Entry& entry) {
    if (entry.content.size() > std::numeric_limits<std::uint32_t>::max()) {
        throw Error{ErrorCode::unavailable, "build the initramfs: '" + std::string{entry.path} +
                                                "' is larger than the format allows (4 GiB)"};
    }
    const std::array<std::uint32_t, 13> fields{++last_inode_,
                                               entry.mode,
                                               0,  // owner
                                               0,  // group
                                               entry.links,
                                               0,  // time
                                               static_cast<std::uint32_t>(entry.content.size()),
                                               0,
                                               0,  // the file system's device
                                               entry.device_major,
                                               entry.device_minor,
                                               static_cast<std::uint32_t>(entry.path.size() + 1),
                                               0};  // checksum: none in this variant
    archive_ += "070701";
    for (const std::uint32_t field : fields) {
        std::array<char, 9> text{};
        std::snprintf(text.data(), text.size(), "%08X", field);
        archive_.append(text.data(), 8);
    }
    archive_ += entry.path;
    archive_.push_back('\0');
    pad();
    archive_ += entry.content;
    pad();
}

void CpioWriter::pad() {
    archive_.append((4 - archive_.size() % 4) % 4, '\0');
}

}  // namespace poolwise::guest_runner
