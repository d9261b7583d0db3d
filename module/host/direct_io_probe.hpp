// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace poolwise {

/// Whether a file in this folder can be opened with O_DIRECT and written. Tried with a file of 4
/// KiB, `.poolwise-probe-<random>`, which has lost its name before it is written. False also where
/// we may not create files.
[[nodiscard]] bool direct_io_works(const std::filesystem::path& folder);

}  // namespace poolwise
