// SPDX-License-Identifier: Apache-2.0
#include "module/runs/block_state.hpp"

#include <gmock/gmock.h>

namespace poolwise {
namespace {

using enum PrepareStep;
using testing::ElementsAre;
using testing::IsEmpty;

const Candidate kRaw{};
const Candidate kSnapshot{.format = Format::qcow2, .snapshot = SnapshotKind::internal};
const Workload kRead{.access = Access::randread, .runtime = std::chrono::seconds{5}};
const Workload kWrite{.access = Access::randwrite, .runtime = std::chrono::seconds{5}};
const Workload kFirstWrite{.access = Access::randwrite, .phase = Phase::first_write};

std::vector<PrepareStep> before(const Candidate& candidate, BlockState state,
                                const Workload& workload, FillWhen when = FillWhen::once) {
    return steps_before(candidate, state, workload, when);
}

TEST(BlockState, ANewVolumeIsFilledBeforeItsFirstSample) {
    EXPECT_THAT(before(kRaw, BlockState::empty, kRead), ElementsAre(fill));
    EXPECT_THAT(before(kRaw, BlockState::filled, kRead), IsEmpty());
}

TEST(BlockState, AProfileMayAskForAFillBeforeEverySampleButNotOfSnapshotCandidates) {
    EXPECT_THAT(before(kRaw, BlockState::filled, kRead, FillWhen::each_sample), ElementsAre(fill));
    EXPECT_THAT(before(kSnapshot, BlockState::fresh, kRead, FillWhen::each_sample), IsEmpty());
}

TEST(BlockState, FirstWritesStartFromExactlyOneFreshSnapshot) {
    EXPECT_THAT(before(kSnapshot, BlockState::empty, kFirstWrite),
                ElementsAre(fill, take_snapshot));
    EXPECT_THAT(before(kSnapshot, BlockState::fresh, kFirstWrite), IsEmpty());
    for (const BlockState used : {BlockState::mixed, BlockState::rewritten}) {
        EXPECT_THAT(before(kSnapshot, used, kFirstWrite),
                    ElementsAre(drop_snapshot, take_snapshot));
    }
}

TEST(BlockState, OtherWritesOfASnapshotCandidateStartFromRewrittenBlocks) {
    EXPECT_THAT(before(kSnapshot, BlockState::fresh, kWrite), ElementsAre(rewrite_all));
    EXPECT_THAT(before(kSnapshot, BlockState::mixed, kWrite), ElementsAre(rewrite_all));
    EXPECT_THAT(before(kSnapshot, BlockState::rewritten, kWrite), IsEmpty());
}

TEST(BlockState, ReadsTakeAnyFilledState) {
    for (const BlockState state : {BlockState::fresh, BlockState::mixed, BlockState::rewritten}) {
        EXPECT_THAT(before(kSnapshot, state, kRead), IsEmpty());
    }
}

TEST(BlockState, WritingEveryBlockOnceSinceTheSnapshotLeavesThemRewritten) {
    EXPECT_EQ(after_sample(kSnapshot, BlockState::fresh, kFirstWrite), BlockState::rewritten);
}

TEST(BlockState, WritingSomeBlocksSinceTheSnapshotLeavesThemMixed) {
    Workload half = kFirstWrite;
    half.size_percent = 50;
    EXPECT_EQ(after_sample(kSnapshot, BlockState::fresh, half), BlockState::mixed);
    EXPECT_EQ(after_sample(kSnapshot, BlockState::fresh, kWrite), BlockState::mixed);
    EXPECT_EQ(after_sample(kSnapshot, BlockState::rewritten, kWrite), BlockState::rewritten);
}

TEST(BlockState, ReadingAndPlainVolumesChangeNothing) {
    EXPECT_EQ(after_sample(kSnapshot, BlockState::fresh, kRead), BlockState::fresh);
    EXPECT_EQ(after_sample(kRaw, BlockState::filled, kFirstWrite), BlockState::filled);
}

TEST(BlockState, StepsAlwaysEndInAStateThatNeedsNoMoreSteps) {
    for (const Candidate& candidate : {kRaw, kSnapshot}) {
        for (const Workload& workload : {kRead, kWrite, kFirstWrite}) {
            for (BlockState state : {BlockState::empty, BlockState::filled, BlockState::fresh,
                                     BlockState::mixed, BlockState::rewritten}) {
                for (const PrepareStep step : before(candidate, state, workload)) {
                    state = after_step(candidate, state, step);
                }
                EXPECT_THAT(before(candidate, state, workload), IsEmpty());
            }
        }
    }
}

}  // namespace
}  // namespace poolwise
