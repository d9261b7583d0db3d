// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace poolwise {

/// The content of a file of /proc or /sys without the line ends and blanks around it; nullopt
/// where the kernel has no such file or does not let us read it.
[[nodiscard]] std::optional<std::string> read_kernel_file(const std::filesystem::path& path);

}  // namespace poolwise
