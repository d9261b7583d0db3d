// SPDX-License-Identifier: Apache-2.0
// JSON documents: the type, reading text and writing text. Pure; no file is opened here.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "module/core/error.hpp"

namespace poolwise {

/// Fields keep the order in which they were written, so that people can read what we print.
/// Users of the members include <nlohmann/json.hpp> themselves.
using Document = nlohmann::ordered_json;

/// Containers may nest this deep in a text that we read.
inline constexpr int kMaximumDepth = 32;

/// Where a text came from, and what it means if it is wrong.
struct Origin {
    std::string_view where;  ///< goes into the message in quotes: a file, "request body"
    ErrorCode fault = ErrorCode::invalid_request;
};

/// @throws Error{origin.fault}: not JSON, nested too deep, a field given twice.
[[nodiscard]] Document parse_document(std::string_view text, const Origin& origin);

/// One line. Bytes that are no UTF-8 become U+FFFD: what we print is always valid JSON.
[[nodiscard]] std::string compact_text(const Document& document);
/// The same with an indent of two and a final line feed.
[[nodiscard]] std::string readable_text(const Document& document);

}  // namespace poolwise
