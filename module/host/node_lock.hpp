// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "module/ports/node.hpp"

namespace poolwise {

/// Takes an exclusive lock on a file, without waiting; the kernel frees it when the process dies.
/// The file stays: removing it would let two processes lock two files of one name.
/// @throws Error{conflict} taken, names the holder; {unavailable} the file cannot be used.
[[nodiscard]] std::unique_ptr<NodeLock> lock_node(const std::filesystem::path& path,
                                                  const std::string& holder);

}  // namespace poolwise
