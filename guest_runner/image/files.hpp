// SPDX-License-Identifier: Apache-2.0
// Small file operations of the image builder.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "module/core/error.hpp"

namespace poolwise::guest_runner {

/// Error{unavailable} "<doing> '<path>': <text of the present errno>".
[[nodiscard]] Error file_error(std::string_view doing, const std::filesystem::path& path);

/// Gives the whole content of a file to `consume`, piece by piece.
/// @throws Error{unavailable} it cannot be read.
void read_pieces(const std::filesystem::path& path,
                 const std::function<void(std::string_view)>& consume);

/// @throws Error{unavailable} it cannot be read.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

/// Creates or replaces a file of exactly this mode, whatever the umask.
/// @throws Error{unavailable} it cannot be written.
void write_file(const std::filesystem::path& path, std::string_view content, mode_t mode);

/// Puts a new file where one may be: readers see the old content or the new, never a part.
/// @throws Error{unavailable} it cannot be written.
void replace_file(const std::filesystem::path& path, std::string_view content, mode_t mode);

}  // namespace poolwise::guest_runner
