// SPDX-License-Identifier: Apache-2.0
// One run from request to result: preflight, plan, provision, fill, rounds, analyse, clean.
#pragma once

#include <stop_token>

#include "module/core/run.hpp"
#include "module/runs/preflight.hpp"
#include "module/runs/run_observer.hpp"
#include "module/runs/run_ports.hpp"

namespace poolwise {

/// A run that passed preflight; nothing has been created or stored for it.
struct PreparedRun {
    Run run;
    Preflight facts;
};

/// Preflight and plan.
/// @throws as preflight() and make_plan().
[[nodiscard]] PreparedRun prepare_run(const RunRequest& request, RunPorts& ports);

/// Measures. Takes the node-wide lock and first cleans up after runs that died.
///
/// Blocks until the run has ended, cleaned; a requested stop ends it soon, cleaned too.
/// @return the finished run, as stored: succeeded, failed or cancelled.
/// @throws Error before anything is stored: as prepare_run(), {conflict} another run measures.
[[nodiscard]] Run execute_run(const RunRequest& request, RunPorts& ports, RunObserver& observer,
                              std::stop_token stop);

}  // namespace poolwise
