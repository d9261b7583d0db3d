// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace poolwise {

/// RFC 3339 in UTC, rounded down to milliseconds: "2026-03-01T09:05:07.250Z".
[[nodiscard]] std::string format_timestamp(std::chrono::system_clock::time_point time);

/// Reads what format_timestamp() writes, and only that.
[[nodiscard]] std::optional<std::chrono::system_clock::time_point> parse_timestamp(
    std::string_view text);

}  // namespace poolwise
