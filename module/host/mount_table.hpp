// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace poolwise {

struct Mount {
    std::string mount_point;
    std::string options;      ///< of the mount and of the file system, "rw,noatime,discard"
    std::string file_system;  ///< "ext4"
    std::string source;       ///< "/dev/vda1"; any word for file systems without a device
};

/// Reads /proc/self/mountinfo; lines that are not understood are left out.
[[nodiscard]] std::vector<Mount> parse_mounts(std::string_view mountinfo);

/// The mount an absolute path without symlinks lies on: the longest mount point above it, and of
/// several on one point the one mounted last, which hides the others.
[[nodiscard]] std::optional<Mount> find_mount(const std::vector<Mount>& mounts,
                                              std::string_view path);

}  // namespace poolwise
