// SPDX-License-Identifier: Apache-2.0
// What state a candidate's blocks must be in before a sample, and how to get there. Pure rules.
#pragma once

#include <string_view>
#include <vector>

#include "module/core/candidate.hpp"
#include "module/core/profile.hpp"
#include "module/core/workload.hpp"

namespace poolwise {

/// The blocks of one candidate's volume.
/// empty: never written. filled: every block written; the state of candidates without a snapshot.
/// fresh: filled, then exactly one snapshot, nothing written since. mixed: some blocks written
/// since the snapshot. rewritten: every block written since the snapshot.
enum class BlockState { empty, filled, fresh, mixed, rewritten };

/// What evidence calls it; empty for candidates without a snapshot.
[[nodiscard]] std::string_view snapshot_state_name(BlockState state) noexcept;

/// fill: write every block. take_snapshot: make the one snapshot. drop_snapshot: remove it.
/// rewrite_all: write every block once more, after the snapshot.
enum class PrepareStep { fill, take_snapshot, drop_snapshot, rewrite_all };

/// The steps before a sample, in order.
///
/// first_write starts from `fresh`. Other writing workloads of a snapshot candidate start from
/// `rewritten`: begun on fresh blocks, a time-based job would measure a mixture that depends on its
/// length. Reads take any filled state.
[[nodiscard]] std::vector<PrepareStep> steps_before(const Candidate& candidate, BlockState state,
                                                    const Workload& workload, FillWhen fill_when);

/// The state after a step.
[[nodiscard]] BlockState after_step(const Candidate& candidate, BlockState state,
                                    PrepareStep step) noexcept;

/// The state after a sample.
[[nodiscard]] BlockState after_sample(const Candidate& candidate, BlockState state,
                                      const Workload& workload) noexcept;

}  // namespace poolwise
