// SPDX-License-Identifier: Apache-2.0
#include "module/core/size_text.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <limits>

#include "module/core/error.hpp"

namespace poolwise {
namespace {

struct Unit {
    std::string_view letter;
    unsigned shift;
};
constexpr std::array kUnits{Unit{"K", 10}, Unit{"M", 20}, Unit{"G", 30}, Unit{"T", 40}};

[[noreturn]] void refuse(std::string_view text) {
    throw Error{ErrorCode::invalid_request, "read size '" + std::string{text} +
                                                "': expected a number with K, M, G or T, like 512M "
                                                "or 50GiB"};
}

unsigned shift_of(std::string_view suffix, std::string_view text) {
    if (suffix.empty() || suffix == "B") return 0;
    for (const Unit& unit : kUnits) {
        const std::string letter{unit.letter};
        if (suffix == letter || suffix == letter + "iB" || suffix == letter + "i" ||
            suffix == letter + "B") {
            return unit.shift;
        }
    }
    refuse(text);
}

}  // namespace

Bytes parse_size(std::string_view text) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, number);
    if (failure != std::errc{}) refuse(text);
    const unsigned shift = shift_of({rest, static_cast<std::size_t>(end - rest)}, text);
    if (number > (std::numeric_limits<std::uint64_t>::max() >> shift)) refuse(text);
    return Bytes{number << shift};
}

std::string format_size(Bytes size) {
    constexpr std::array kNames{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double value = static_cast<double>(size.count());
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < kNames.size()) {
        value /= 1024;
        ++unit;
    }
    // One decimal, cut rather than rounded: free space must not look larger than it is.
    const auto tenths = static_cast<std::uint64_t>(value * 10);
    std::string text = std::to_string(tenths / 10);
    if (tenths % 10 != 0) text += "." + std::to_string(tenths % 10);
    return text + " " + kNames[unit];
}

}  // namespace poolwise
