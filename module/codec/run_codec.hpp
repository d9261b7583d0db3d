// SPDX-License-Identifier: Apache-2.0
// Runs and their parts as JSON: one form for the store, for `-o json` and for the HTTP API.
//
// Units are in the names of fields. An optional member that is unset is left out, and so is a
// number that is not finite. Reading takes an absent field as the default of its member, and
// refuses a field that it does not know. Doubles and 64-bit integers come back exactly; times are
// kept to the millisecond.
#pragma once

#include <string>
#include <string_view>

#include "module/codec/document.hpp"
#include "module/core/run.hpp"

namespace poolwise {

[[nodiscard]] Document to_document(const Run& run);
[[nodiscard]] Document to_document(const RunRequest& request);
[[nodiscard]] Document to_document(const Plan& plan);
[[nodiscard]] Document to_document(const Candidate& candidate);
[[nodiscard]] Document to_document(const NodeFacts& facts);
[[nodiscard]] Document to_document(const PathFacts& facts);
[[nodiscard]] Document to_document(const PoolInfo& pool);

/// One line; parse_run() reads it back.
[[nodiscard]] std::string write_run(const Run& run);

/// These throw Error{origin.fault} naming the origin, the field as a JSON pointer and the reason.
/// None of them applies the rules of core: check_candidate() and check_profile() do.
[[nodiscard]] Run parse_run(std::string_view json, const Origin& origin);
[[nodiscard]] RunRequest parse_run_request(std::string_view json, const Origin& origin);
[[nodiscard]] Plan parse_plan(std::string_view json, const Origin& origin);

}  // namespace poolwise
