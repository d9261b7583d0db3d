// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "module/core/units.hpp"

namespace poolwise::guest_runner {

struct Command {
    std::vector<std::string> arguments;    ///< the program first; looked up in PATH
    std::vector<std::string> environment;  ///< "NAME=value", all of it
    std::string folder;                    ///< to run in
};

struct Child {
    pid_t pid = 0;
    int output = -1;  ///< read end of its stdout and stderr, not blocking; the caller closes it
};

/// Starts a program in a process group of its own; it dies with this process.
/// @throws Error{not_found} no such program; {unavailable} it could not be started.
[[nodiscard]] Child start_child(const Command& command);

/// Kills every process below this one.
///
/// fio's workers call setsid(), so its process group does not hold them; and when fio is killed
/// they become children of this process (PR_SET_CHILD_SUBREAPER, or being PID 1). Call it again
/// until waitpid() says that there are no children: one may have forked meanwhile.
void kill_descendants();

/// Bytes read and written by all processes below this one, as /proc/PID/io counts them.
[[nodiscard]] Bytes descendants_io();

}  // namespace poolwise::guest_runner
