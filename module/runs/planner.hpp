// SPDX-License-Identifier: Apache-2.0
// What a run will do and cost. Pure: nothing is created, nothing is asked.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "module/core/node_facts.hpp"
#include "module/core/run.hpp"

namespace poolwise {

/// What the planner must know of one pool.
struct PoolPlanFacts {
    PathFacts place;
    std::optional<BytesPerSecond> bandwidth;  ///< measured in an earlier run
};

struct PlanFacts {
    NodeFacts node;
    std::map<std::string, PoolPlanFacts> pools;  ///< by Candidate::pool
};

/// The order of samples: rounds of every candidate x workload, each round shuffled on its own by
/// `seed`, or the source's order. The same seed gives the same order on every machine.
[[nodiscard]] std::vector<PlannedSample> order_samples(const RunRequest& request);

/// fio's seed for a round: the same for every candidate, so that all meet the same offsets.
[[nodiscard]] std::uint64_t fio_seed(std::uint64_t seed, unsigned round) noexcept;

/// @throws as choose_size(); all volumes of a run have the size of its smallest pool.
[[nodiscard]] Plan make_plan(const RunRequest& request, const PlanFacts& facts);

}  // namespace poolwise
