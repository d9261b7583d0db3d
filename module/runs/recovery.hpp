// SPDX-License-Identifier: Apache-2.0
// Takes care of runs whose process died: removes what they created and says how they ended.
#pragma once

#include <string>
#include <vector>

#include "module/runs/run_ports.hpp"

namespace poolwise {

struct RecoveredRun {
    std::string run_id;
    std::vector<std::string> removed;    ///< what was (or would be) removed
    std::vector<std::string> leftovers;  ///< what could not be removed, and why
};

/// Works off every open journal entry and marks unfinished runs as interrupted.
/// Precondition: the caller holds the node-wide lock, so no run of this node is alive.
[[nodiscard]] std::vector<RecoveredRun> recover(RunPorts& ports);

/// What recover() would do; changes nothing.
[[nodiscard]] std::vector<RecoveredRun> recoverable(RunPorts& ports);

}  // namespace poolwise
