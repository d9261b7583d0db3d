// SPDX-License-Identifier: Apache-2.0
#include "module/runs/block_state.hpp"

namespace poolwise {
namespace {

bool has_snapshot(const Candidate& candidate) {
    return candidate.snapshot != SnapshotKind::none;
}

}  // namespace

std::string_view snapshot_state_name(BlockState state) noexcept {
    switch (state) {
        case BlockState::empty:
        case BlockState::filled:
            return "";
        case BlockState::fresh:
            return "fresh";
        case BlockState::mixed:
            return "mixed";
        case BlockState::rewritten:
            return "rewritten";
    }
    return "";
}

std::vector<PrepareStep> steps_before(const Candidate& candidate, BlockState state,
                                      const Workload& workload, FillWhen fill_when) {
    using enum PrepareStep;
    if (!has_snapshot(candidate)) {
        const bool fill_now = state == BlockState::empty || fill_when == FillWhen::each_sample;
        return fill_now ? std::vector{fill} : std::vector<PrepareStep>{};
    }
    std::vector<PrepareStep> steps;
    const auto step = [&](PrepareStep next) {
        steps.push_back(next);
        state = after_step(candidate, state, next);
    };
    if (state == BlockState::empty) step(fill);
    if (state == BlockState::filled) step(take_snapshot);
    if (workload.phase == Phase::first_write && state != BlockState::fresh) {
        step(drop_snapshot);
        step(take_snapshot);
    }
    const bool needs_rewritten = writes(workload.access) && workload.phase != Phase::first_write;
    if (needs_rewritten && state != BlockState::rewritten) step(rewrite_all);
    return steps;
}

BlockState after_step(const Candidate& candidate, BlockState state, PrepareStep step) noexcept {
    switch (step) {
        case PrepareStep::fill:
            return BlockState::filled;
        case PrepareStep::take_snapshot:
            return BlockState::fresh;
        case PrepareStep::drop_snapshot:
            return BlockState::filled;
        case PrepareStep::rewrite_all:
            return has_snapshot(candidate) ? BlockState::rewritten : state;
    }
    return state;
}

BlockState after_sample(const Candidate& candidate, BlockState state,
                        const Workload& workload) noexcept {
    if (!has_snapshot(candidate) || !writes(workload.access)) return state;
    if (state == BlockState::rewritten) return state;
    const bool every_block =
        !workload.runtime && workload.size_percent == 100 && !reads(workload.access);
    return every_block ? BlockState::rewritten : BlockState::mixed;
}

}  // namespace poolwise
