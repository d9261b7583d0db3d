// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace poolwise::guest_runner {

/// What to look for among a kernel's modules.
struct WantedModule {
    std::string name;
    bool required = true;  ///< a kernel that lacks it cannot boot the guest
};

/// The files to load, dependencies first, so that every wanted module can be loaded; what is built
/// into the kernel is left out. Soft dependencies (modules.softdep) come along where they exist.
/// @param modules_dir  /lib/modules/<release>
/// @throws Error{unavailable} a required module is neither a file nor built in.
[[nodiscard]] std::vector<std::filesystem::path> module_closure(
    const std::filesystem::path& modules_dir, const std::vector<WantedModule>& wanted);

/// "kernel/fs/ext4/ext4.ko.xz" -> "ext4"; '-' and '_' mean the same in module names.
[[nodiscard]] std::string module_name(const std::filesystem::path& file);

/// The module itself, unpacked where the distribution packs modules (.xz, .zst, .gz).
/// @throws Error{unavailable} it cannot be read, or the program that unpacks it is missing.
[[nodiscard]] std::string read_module(const std::filesystem::path& file);

}  // namespace poolwise::guest_runner
