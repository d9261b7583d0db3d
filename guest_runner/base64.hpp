// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace poolwise::guest_runner {

/// RFC 4648, with padding, without line breaks.
[[nodiscard]] std::string base64_encode(std::string_view bytes);

/// @return nullopt for anything base64_encode() would not have written.
[[nodiscard]] std::optional<std::string> base64_decode(std::string_view text);

}  // namespace poolwise::guest_runner
