// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace poolwise {

/// The first line that `<program> --version` prints; empty where the program is absent or
/// says nothing.
/// The program is killed if it does not answer in ten seconds.
/// @param program  a name to look for in $PATH, or a path.
[[nodiscard]] std::string program_version(const std::string& program);

}  // namespace poolwise
