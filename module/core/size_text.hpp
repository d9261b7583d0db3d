// SPDX-License-Identifier: Apache-2.0
// Sizes as people write and read them.
#pragma once

#include <string>
#include <string_view>

#include "module/core/units.hpp"

namespace poolwise {

/// Reads "1048576", "64K", "512MiB", "50G": K, M, G, T are powers of 1024, with or without "iB".
/// @throws Error{invalid_request} naming the text.
[[nodiscard]] Bytes parse_size(std::string_view text);

/// "512 MiB", "1.5 GiB": the largest unit that keeps the number at or above 1, at most one decimal.
[[nodiscard]] std::string format_size(Bytes size);

}  // namespace poolwise
