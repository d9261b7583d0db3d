// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace poolwise::guest_runner {

/// Writes an archive in the format that the kernel unpacks as an initramfs ("newc", without
/// compression; kernel documentation, "initramfs buffer format").
///
/// The same entries in the same order give the same bytes: owner 0, time 0, inodes count up.
/// Parents must be added before their children. Paths have no leading slash.
class CpioWriter {
public:
    void add_directory(std::string_view path, unsigned permissions);
    void add_file(std::string_view path, std::string_view content, unsigned permissions);
    void add_character_device(std::string_view path, unsigned permissions, unsigned device_major,
                              unsigned device_minor);

    /// Ends the archive and gives it away.
    [[nodiscard]] std::string finish();

private:
    struct Entry {
        std::string_view path;
        unsigned mode = 0;
        unsigned links = 1;
        unsigned device_major = 0;
        unsigned device_minor = 0;
        std::string_view content;
    };
    void add(const Entry& entry);
    void pad();

    std::string archive_;
    std::uint32_t last_inode_ = 0;
};

}  // namespace poolwise::guest_runner
