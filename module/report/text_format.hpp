// SPDX-License-Identifier: Apache-2.0
// Numbers, times and foreign text as people read them. Output is UTF-8.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "module/core/units.hpp"

namespace poolwise {

/// Text that came from outside (names, messages), made harmless to look at: control characters,
/// marks that change the direction of text, and bytes that are not UTF-8 appear as escapes
/// ("\u{202e}", "\xff").
[[nodiscard]] std::string printable(std::string_view text);

/// Columns that `text` takes on a terminal. Precondition: valid UTF-8, no control characters.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// At most `width` columns; what is cut off is replaced by "…".
[[nodiscard]] std::string cut(std::string_view text, std::size_t width);

/// `head`, then `text` broken at spaces so that lines take at most `width` columns; lines after the
/// first are indented by the width of `head`. A word longer than a line stays whole. No final line
/// feed.
[[nodiscard]] std::string hang(std::string_view head, std::string_view text, std::size_t width);

/// "7,412"; one decimal below 100: "9.8".
[[nodiscard]] std::string format_number(double value);
/// "0.94x"; "under 0.01x" where two decimals would say nothing.
[[nodiscard]] std::string format_ratio(double ratio);
/// "5 %", "0.31 %": no decimals from 10 %, and none where they would be zeros.
[[nodiscard]] std::string format_share(double share);
/// "310 µs", "1.24 ms", "2.10 s".
[[nodiscard]] std::string format_latency(Microseconds latency);
/// Millions of bytes per second, without the unit.
[[nodiscard]] std::string format_megabytes(double bytes_per_second);
/// "0.4 s", "42 s", "3 min 20 s", "2 h 05 min".
[[nodiscard]] std::string format_duration(Seconds duration);
/// "2026-11-30 10:26 UTC"
[[nodiscard]] std::string format_time(std::chrono::system_clock::time_point time);
/// "1 sample", "12 samples"
[[nodiscard]] std::string count_of(std::size_t count, std::string_view noun);
/// "a", "a and b", "a, b and c"
[[nodiscard]] std::string enumerate(const std::vector<std::string>& items);
[[nodiscard]] std::string join(const std::vector<std::string>& items, std::string_view separator);

}  // namespace poolwise
