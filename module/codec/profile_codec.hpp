// SPDX-License-Identifier: Apache-2.0
// Profiles as JSON: the files in etc/profiles, and what a run stores of its profile.
#pragma once

#include <string>
#include <string_view>

#include "module/codec/document.hpp"
#include "module/core/profile.hpp"

namespace poolwise {

/// Reads one profile. A field left out has the default of its member in profile.hpp, except
/// /name, /workloads, and of each workload /id, /access and /block_size_bytes, which must be there.
///
/// Whether the values make sense together is not looked at: check_profile() does.
/// @param where  named in the message: the file.
/// @throws Error{invalid_request} naming `where`, the field as a JSON pointer, and what it must be;
///         for an unknown field, the known one that is nearest.
[[nodiscard]] Profile parse_profile(std::string_view json, std::string_view where);

/// The profile as a file for people; parse_profile() reads it back.
[[nodiscard]] std::string write_profile(const Profile& profile);

[[nodiscard]] Document to_document(const Profile& profile);

}  // namespace poolwise
