// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "guest_runner/image/elf_closure.hpp"

namespace poolwise::guest_runner {

/// Where the engine finds the names of the modules to load, one a line, in that order; the files
/// are in kInitramfsModules.
inline constexpr const char* kInitramfsModuleList = "lib/poolwise/modules.list";
inline constexpr const char* kInitramfsModules = "lib/modules";

/// The guest's first file system: the engine as /init, the modules, the folders it mounts on
/// (/proc /sys /dev /run /tmp /tools) and /dev/console. The same inputs give the same bytes.
/// @param modules  in load order.
/// @throws Error{unavailable} an input cannot be read.
[[nodiscard]] std::string build_initramfs(const std::filesystem::path& engine,
                                          const ElfClosure& engine_needs,
                                          const std::vector<std::filesystem::path>& modules);

}  // namespace poolwise::guest_runner
