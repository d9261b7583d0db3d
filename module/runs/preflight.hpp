// SPDX-License-Identifier: Apache-2.0
// Finds out whether a run can go ahead, before anything is created.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "module/core/run.hpp"
#include "module/runs/planner.hpp"
#include "module/runs/run_ports.hpp"

namespace poolwise {

/// Where a candidate's volumes go.
struct PoolTarget {
    std::optional<PoolInfo> pool;  ///< an existing pool, used as it is
    std::string directory;         ///< where its volumes lie; without a pool: of the transient one
};

/// Finds the pool that `spec` means: libvirt's name of a pool, or "dir:/path" for the pool that
/// covers the path (else a transient pool will be made there).
/// @throws Error{not_found} no such pool or directory; {conflict} the pool is inactive;
///         {invalid_request} nothing can be measured on that type of pool.
[[nodiscard]] PoolTarget find_target(const std::string& spec, RunPorts& ports);

struct Preflight {
    NodeFacts node;
    std::map<std::string, PoolTarget> targets;  ///< by Candidate::pool
    PlanFacts plan_facts;
    std::vector<Remark> remarks;
};

/// Collects the facts and refuses what cannot work.
/// @throws as find_target(); Error{unavailable} O_DIRECT is refused where a candidate needs it, a
///         directory that QEMU cannot search, fio or libvirt missing; {refused} other guests run
///         and the request is exclusive; as check_profile() and check_candidate().
[[nodiscard]] Preflight preflight(const RunRequest& request, RunPorts& ports);

/// Key under which a pool's measured bandwidth is remembered.
[[nodiscard]] std::string bandwidth_key(const std::string& directory);

}  // namespace poolwise
