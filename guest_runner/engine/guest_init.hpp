// SPDX-License-Identifier: Apache-2.0
// What PID 1 does before it is an engine. Every step says on the console what it could not do.
#pragma once

#include <string>
#include <vector>

#include "guest_runner/engine/placement.hpp"

namespace poolwise::guest_runner {

/// Mounts proc, sysfs, devtmpfs and tmpfs, opens the console, and loads the modules that
/// /lib/poolwise/modules.list names: one path below /lib/modules a line, in order, uncompressed.
void prepare_guest();

/// Opens the virtio port of this name, not blocking; waits up to 10 s for it.
/// @throws Error{not_found}
[[nodiscard]] int open_port(const std::string& name);

/// Mounts the tools disk on /tools, read-only.
/// @return how fio is started from it: by the disk's own loader and libraries.
/// @throws Error{not_found} no such disk; {unavailable} it cannot be mounted.
[[nodiscard]] std::vector<std::string> mount_tools(const std::string& serial);

[[noreturn]] void power_off();

}  // namespace poolwise::guest_runner
