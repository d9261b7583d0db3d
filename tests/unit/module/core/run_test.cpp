// SPDX-License-Identifier: Apache-2.0
#include "module/core/run.hpp"

#include <gtest/gtest.h>

namespace poolwise {
namespace {

TEST(RunStates, FinalStatesHaveNoWayOut) {
    for (const RunTransition& transition : kRunTransitions) {
        EXPECT_FALSE(is_final(transition.from));
    }
}

TEST(RunStates, EveryEndButInterruptedAndUnstartedLeadsThroughCleaning) {
    for (const RunTransition& transition : kRunTransitions) {
        if (!is_final(transition.to) || transition.to == RunState::interrupted) continue;
        const bool never_started = transition.from == RunState::queued;
        EXPECT_TRUE(never_started || transition.from == RunState::cleaning);
    }
}

TEST(RunStates, EveryStateThatIsNotFinalCanBeInterrupted) {
    for (const auto& [state, name] : kRunStateNames) {
        EXPECT_EQ(may_follow(state, RunState::interrupted), !is_final(state)) << name;
    }
}

}  // namespace
}  // namespace poolwise
