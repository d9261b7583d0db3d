// SPDX-License-Identifier: Apache-2.0
// QEMU's and libvirt's words for a refused disk or guest, turned into advice.
#pragma once

#include <string>
#include <vector>

#include "module/core/error.hpp"

namespace poolwise::libvirt_glue {

/// Adds what to do to an error that libvirt gave for something with files; other errors come back
/// as they are.
///
/// - permission denied: names the path, points at directories and at the AppArmor or SELinux log;
/// - io=native with a caching mode: {invalid_request};
/// - image locked by another process: {conflict}.
/// @param paths  the files involved; those that the message names are repeated, or else all.
[[nodiscard]] Error with_advice(const Error& error, const std::vector<std::string>& paths);

}  // namespace poolwise::libvirt_glue
