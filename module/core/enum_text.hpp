// SPDX-License-Identifier: Apache-2.0
// Text names of enumerations: one table per enumeration, read in both directions.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "module/core/error.hpp"

namespace poolwise {

template <typename Enum, std::size_t N>
using EnumNames = std::array<std::pair<Enum, std::string_view>, N>;

/// The name of `value`. Precondition: every enumerator is in `names`.
template <typename Enum, std::size_t N>
[[nodiscard]] constexpr std::string_view enum_name(const EnumNames<Enum, N>& names, Enum value) {
    for (const auto& [entry, text] : names) {
        if (entry == value) return text;
    }
    return {};
}

template <typename Enum, std::size_t N>
[[nodiscard]] constexpr std::optional<Enum> enum_value(const EnumNames<Enum, N>& names,
                                                       std::string_view text) {
    for (const auto& [entry, name] : names) {
        if (name == text) return entry;
    }
    return std::nullopt;
}

/// The enumerator called `text`.
/// @param what  what the text is, for the message: "cache mode".
/// @throws Error{invalid_request} naming the text and every name that would do.
template <typename Enum, std::size_t N>
[[nodiscard]] Enum parse_enum(const EnumNames<Enum, N>& names, std::string_view text,
                              std::string_view what) {
    if (const auto value = enum_value(names, text)) return *value;
    std::string known;
    for (const auto& entry : names) {
        known += (known.empty() ? "" : ", ") + std::string{entry.second};
    }
    throw Error{ErrorCode::invalid_request, "unknown " + std::string{what} + " '" +
                                                std::string{text} + "': use one of " + known};
}

}  // namespace poolwise
