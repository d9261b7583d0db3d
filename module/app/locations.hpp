// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace poolwise {

inline constexpr const char* kDefaultStateFolder = "/var/lib/poolwise";
inline constexpr const char* kDefaultUri = "qemu:///system";

/// Our installed files, relative to the program: <prefix>/bin/poolwise. The build folder has the
/// same shape as an installation.
struct Installation {
    std::filesystem::path engine;    ///< <prefix>/libexec/poolwise/poolwise_engine
    std::filesystem::path profiles;  ///< <prefix>/share/poolwise/profiles
};

[[nodiscard]] Installation find_installation();

}  // namespace poolwise
