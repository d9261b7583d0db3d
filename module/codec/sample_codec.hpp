// SPDX-License-Identifier: Apache-2.0
// Samples as JSON, by the rules in run_codec.hpp. A latency histogram is two arrays of equal
// length, `ns` (ascending) and `count`.
#pragma once

#include <string>
#include <string_view>

#include "module/codec/document.hpp"
#include "module/core/sample.hpp"

namespace poolwise {

[[nodiscard]] Document to_document(const Sample& sample);

/// One line; parse_sample() reads it back.
[[nodiscard]] std::string write_sample(const Sample& sample);

/// @throws Error{origin.fault} naming the origin, the field as a JSON pointer and the reason.
[[nodiscard]] Sample parse_sample(std::string_view json, const Origin& origin);

}  // namespace poolwise
