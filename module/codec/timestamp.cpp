// SPDX-License-Identifier: Apache-2.0
#include "module/codec/timestamp.hpp"

#include <array>
#include <charconv>
#include <cstdio>

namespace poolwise {
namespace {

using namespace std::chrono;

constexpr std::string_view kShape = "0000-00-00T00:00:00.000Z";

bool has_shape(std::string_view text) {
    if (text.size() != kShape.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool digit = text[i] >= '0' && text[i] <= '9';
        if (kShape[i] == '0' ? !digit : text[i] != kShape[i]) return false;
    }
    return true;
}

int number_at(std::string_view text, std::size_t position, std::size_t digits) {
    int number = 0;
    std::from_chars(text.data() + position, text.data() + position + digits, number);
    return number;
}

}  // namespace

std::string format_timestamp(system_clock::time_point time) {
    const auto at = floor<milliseconds>(time);
    const auto day = floor<days>(at);
    const year_month_day date{day};
    const hh_mm_ss<milliseconds> clock{at - day};
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ",
                  static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                  static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()),
                  static_cast<int>(clock.subseconds().count()));
    return text.data();
}

std::optional<system_clock::time_point> parse_timestamp(std::string_view text) {
    if (!has_shape(text)) return std::nullopt;
    const year_month_day date{year{number_at(text, 0, 4)},
                              month{static_cast<unsigned>(number_at(text, 5, 2))},
                              day{static_cast<unsigned>(number_at(text, 8, 2))}};
    const hours hour{number_at(text, 11, 2)};
    const minutes minute{number_at(text, 14, 2)};
    const seconds second{number_at(text, 17, 2)};
    // system_clock counts nanoseconds in 64 bits: these years are the ones that it holds.
    const bool in_range = date.year() >= year{1678} && date.year() <= year{2261};
    if (!date.ok() || !in_range || hour > hours{23} || minute > minutes{59} ||
        second > seconds{59}) {
        return std::nullopt;
    }
    return sys_days{date} + hour + minute + second + milliseconds{number_at(text, 20, 3)};
}

}  // namespace poolwise
