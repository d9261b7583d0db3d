// SPDX-License-Identifier: Apache-2.0
#include "module/report/text_format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace poolwise {
namespace {

struct CodePoint {
    char32_t value = 0;
    std::size_t bytes = 1;
    bool valid = false;
};

std::size_t sequence_length(unsigned char lead) {
    if (lead < 0x80) return 1;
    if (lead >= 0xc2 && lead < 0xe0) return 2;
    if (lead >= 0xe0 && lead < 0xf0) return 3;
    if (lead >= 0xf0 && lead < 0xf5) return 4;
    return 0;
}

CodePoint first_code_point(std::string_view text) {
    static constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = sequence_length(lead);
    if (length == 0 || length > text.size()) return {};
    if (length == 1) return {lead, 1, true};
    char32_t value = lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if ((byte & 0xc0U) != 0x80U) return {};
        value = (value << 6U) | (byte & 0x3fU);
    }
    const bool surrogate = value >= 0xd800 && value < 0xe000;
    if (value < kSmallest.at(length) || surrogate || value > 0x10ffff) return {};
    return {value, length, true};
}

struct Range {
    char32_t first;
    char32_t last;
};

template <std::size_t N>
bool in_any(const std::array<Range, N>& ranges, char32_t value) {
    return std::ranges::any_of(
        ranges, [&](Range range) { return value >= range.first && value <= range.last; });
}

// Controls, and what Unicode calls bidirectional formatting, invisible operators and separators.
constexpr std::array kUnsafe{Range{0x00, 0x1f},     Range{0x7f, 0x9f},      Range{0x61c, 0x61c},
                             Range{0x200b, 0x200f}, Range{0x2028, 0x202e},  Range{0x2060, 0x206f},
                             Range{0xfeff, 0xfeff}, Range{0xe0000, 0xe007f}};
constexpr std::array kCombining{Range{0x300, 0x36f}, Range{0x1ab0, 0x1aff}, Range{0x20d0, 0x20ff},
                                Range{0xfe00, 0xfe0f}};
constexpr std::array kWide{Range{0x1100, 0x115f},   Range{0x2e80, 0xa4cf},  Range{0xac00, 0xd7a3},
                           Range{0xf900, 0xfaff},   Range{0xfe30, 0xfe6f},  Range{0xff00, 0xff60},
                           Range{0x1f300, 0x1faff}, Range{0x20000, 0x3fffd}};

std::size_t columns_of(char32_t value) {
    if (in_any(kCombining, value)) return 0;
    return in_any(kWide, value) ? 2 : 1;
}

std::string group_thousands(std::string digits) {
    for (std::size_t at = digits.size(); at > 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

/// The next word; a percent sign stays with its number.
std::string_view next_word(std::string_view text) {
    std::size_t end = text.find(' ');
    if (end != std::string_view::npos && text.substr(end + 1).starts_with('%')) {
        end = text.find(' ', end + 1);
    }
    return text.substr(0, end);
}

}  // namespace

std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const CodePoint point = first_code_point(text);
        if (!point.valid) {
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
        } else if (in_any(kUnsafe, point.value)) {
            out += fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(point.value));
        } else {
            out += text.substr(0, point.bytes);
        }
        text.remove_prefix(point.bytes);
    }
    return out;
}

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    while (!text.empty()) {
        const CodePoint point = first_code_point(text);
        width += columns_of(point.value);
        text.remove_prefix(point.bytes);
    }
    return width;
}

std::string cut(std::string_view text, std::size_t width) {
    if (display_width(text) <= width) return std::string{text};
    if (width == 0) return {};
    std::size_t bytes = 0;
    std::size_t used = 0;
    while (true) {
        const CodePoint point = first_code_point(text.substr(bytes));
        used += columns_of(point.value);
        if (used > width - 1) break;
        bytes += point.bytes;
    }
    return std::string{text.substr(0, bytes)} + "…";
}

std::string hang(std::string_view head, std::string_view text, std::size_t width) {
    const std::size_t indent = display_width(head);
    std::string out{head};
    std::size_t column = indent;
    bool first = true;
    while (!text.empty()) {
        const std::string_view word = next_word(text);
        text.remove_prefix(std::min(text.size(), word.size() + 1));
        const std::size_t needed = display_width(word);
        if (first) {
            first = false;
        } else if (column + 1 + needed > width) {
            out += '\n' + std::string(indent, ' ');
            column = indent;
        } else {
            out += ' ';
            ++column;
        }
        out += word;
        column += needed;
    }
    return out;
}

std::string format_number(double value) {
    if (value < 99.95) return fmt::format("{:.1f}", value);
    return group_thousands(fmt::format("{:.0f}", value));
}

std::string format_ratio(double ratio) {
    if (ratio > 0 && ratio < 0.005) return "under 0.01x";
    return fmt::format("{:.2f}x", ratio);
}

std::string format_share(double share) {
    const double percent = share * 100;
    const bool whole = percent >= 9.95 || std::abs(percent - std::round(percent)) < 0.005;
    return whole ? fmt::format("{:.0f} %", percent) : fmt::format("{:.2f} %", percent);
}

std::string format_latency(Microseconds latency) {
    const double us = latency.count();
    if (us < 99.5) return fmt::format("{:.1f} µs", us);
    if (us < 999.5) return fmt::format("{:.0f} µs", us);
    if (us < 99'950) return fmt::format("{:.2f} ms", us / 1e3);
    if (us < 999'500) return fmt::format("{:.0f} ms", us / 1e3);
    return fmt::format("{:.2f} s", us / 1e6);
}

std::string format_megabytes(double bytes_per_second) {
    return format_number(bytes_per_second / 1e6);
}

std::string format_duration(Seconds duration) {
    if (duration.count() < 9.95) return fmt::format("{:.1f} s", duration.count());
    const auto seconds = static_cast<std::uint64_t>(std::llround(duration.count()));
    if (seconds < 60) return fmt::format("{} s", seconds);
    if (seconds < 600 && seconds % 60 != 0) {
        return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
    }
    const std::uint64_t minutes = (seconds + 30) / 60;
    if (minutes < 60) return fmt::format("{} min", minutes);
    return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

std::string format_time(std::chrono::system_clock::time_point time) {
    return fmt::format("{:%Y-%m-%d %H:%M} UTC",
                       fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

std::string count_of(std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", group_thousands(std::to_string(count)), noun,
                       count == 1 ? "" : "s");
}

std::string enumerate(const std::vector<std::string>& items) {
    if (items.size() < 2) return join(items, "");
    return join({items.begin(), items.end() - 1}, ", ") + " and " + items.back();
}

std::string join(const std::vector<std::string>& items, std::string_view separator) {
    return fmt::format("{}", fmt::join(items, separator));
}

}  // namespace poolwise
