// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "guest_runner/image/elf_closure.hpp"

namespace poolwise::guest_runner {

/// Makes the guest's read-only disk: an ext4 file system with /usr/bin/fio, its loader, its
/// libraries in /lib, and empty /proc /sys /dev /run /tmp for a process confined to it.
///
/// The same inputs give the same bytes on any day, in any folder, under any umask and on any file
/// system (mke2fs -d would copy in the order the source folder lists its files: debugfs writes
/// them in ours). Sized to its content.
/// @throws Error{unavailable} an input cannot be read, or e2fsprogs is missing or failed.
void build_tools_disk(const std::filesystem::path& fio, const ElfClosure& fio_needs,
                      const std::filesystem::path& image);

}  // namespace poolwise::guest_runner
