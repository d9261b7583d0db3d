// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "module/core/node_facts.hpp"
#include "module/core/pool.hpp"
#include "module/core/run.hpp"

namespace poolwise {

/// What a run would do, as found out before anything is created.
struct PlanView {
    RunRequest request;
    Plan plan;
    std::vector<PoolInfo> pools;       ///< the pools that would be used
    std::vector<ForeignGuest> guests;  ///< running on the node now
    std::vector<Remark> remarks;
};

/// What will be created, written and measured, how long it takes and what it costs guests that run
/// meanwhile; wrapped at `width` columns.
[[nodiscard]] std::string render_plan(const PlanView& view, std::size_t width);

}  // namespace poolwise
