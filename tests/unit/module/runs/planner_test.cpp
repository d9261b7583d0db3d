// SPDX-License-Identifier: Apache-2.0
#include "module/runs/planner.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>

#include "module/runs/size_rule.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise {
namespace {

using namespace literals;
using namespace std::chrono_literals;

RunRequest request_of(unsigned rounds) {
    RunRequest request;
    request.profile = {.name = "p",
                       .workloads = {{.id = "read", .ramp = 1s, .runtime = 4s},
                                     {.id = "first",
                                      .access = Access::randwrite,
                                      .block_size = 128_KiB,
                                      .phase = Phase::first_write}},
                       .rounds = rounds,
                       .volume_size = 1_GiB};
    request.candidates = {
        {.id = "raw", .pool = "p"},
        {.id = "snap", .pool = "p", .format = Format::qcow2, .snapshot = SnapshotKind::internal}};
    request.seed = 42;
    return request;
}

PlanFacts facts_with(Bytes free) {
    PlanFacts facts;
    facts.pools["p"] = {.place = {.path = "/p", .size = 100_GiB, .free = free}};
    return facts;
}

std::vector<std::string> pairs_of(const std::vector<PlannedSample>& samples) {
    std::vector<std::string> pairs;
    for (const PlannedSample& s : samples) pairs.push_back(s.candidate + "/" + s.workload);
    return pairs;
}

TEST(SampleOrder, EveryRoundHoldsEveryCandidateAndWorkloadOnce) {
    const std::vector<PlannedSample> samples = order_samples(request_of(5));

    ASSERT_EQ(samples.size(), 20U);
    for (unsigned round = 1; round <= 5; ++round) {
        std::set<std::string> seen;
        for (const PlannedSample& sample : samples) {
            if (sample.round == round) seen.insert(sample.candidate + "/" + sample.workload);
        }
        EXPECT_EQ(seen.size(), 4U) << "round " << round;
    }
}

TEST(SampleOrder, RoundsFollowEachOtherAndPositionsCount) {
    const std::vector<PlannedSample> samples = order_samples(request_of(3));
    for (std::size_t i = 0; i < samples.size(); ++i) {
        EXPECT_EQ(samples[i].position, i + 1);
        EXPECT_EQ(samples[i].round, i / 4 + 1);
    }
}

TEST(SampleOrder, TheSameSeedGivesTheSameOrderAndAnotherSeedAnother) {
    RunRequest request = request_of(10);
    const auto first = pairs_of(order_samples(request));
    EXPECT_EQ(pairs_of(order_samples(request)), first);

    request.seed = 43;
    EXPECT_NE(pairs_of(order_samples(request)), first);
}

TEST(SampleOrder, OfAStoredSeedIsTheSameOnEveryMachine) {
    EXPECT_THAT(pairs_of(order_samples(request_of(1))),
                testing::UnorderedElementsAre("raw/read", "raw/first", "snap/read", "snap/first"));
    // splitmix64 seeded with 42 begins with 0xbdd732262feb6e95.
    EXPECT_EQ(fio_seed(42, 1), 0xbdd732262feb6e95ULL >> 1U);
}

TEST(SampleOrder, NoPlaceInARoundIsAlwaysTheSameCandidates) {
    const std::vector<PlannedSample> samples = order_samples(request_of(40));
    std::set<std::string> first_of_round;
    for (const PlannedSample& sample : samples) {
        if (sample.position % 4 == 1) first_of_round.insert(sample.candidate + sample.workload);
    }
    EXPECT_EQ(first_of_round.size(), 4U);
}

TEST(SampleOrder, OfASourceIsCandidateAfterCandidateWithItsOwnRoundsForSnapshots) {
    RunRequest request = request_of(2);
    request.profile.order = Order::source;
    request.profile.snapshot_rounds = 1;

    EXPECT_THAT(pairs_of(order_samples(request)),
                testing::ElementsAre("raw/read", "raw/first", "raw/read", "raw/first", "snap/read",
                                     "snap/first"));
}

TEST(FioSeed, DiffersBetweenRoundsAndNotBetweenCandidates) {
    EXPECT_NE(fio_seed(1, 1), fio_seed(1, 2));
    EXPECT_NE(fio_seed(1, 1), fio_seed(2, 1));
    EXPECT_EQ(fio_seed(7, 3), fio_seed(7, 3));
}

TEST(Plan, CountsFillsAndFirstWritesAsBytesWritten) {
    const Plan plan = make_plan(request_of(3), facts_with(50_GiB));

    // Two fills, and per round one pass over each volume.
    EXPECT_EQ(plan.bytes_written, 2_GiB + 2_GiB * 3);
}

TEST(Plan, PeakSpaceIsTheSumOverTheCandidates) {
    const RunRequest request = request_of(1);
    const Plan plan = make_plan(request, facts_with(50_GiB));
    EXPECT_EQ(plan.peak_space,
              peak_space(request.candidates[0], 1_GiB) + peak_space(request.candidates[1], 1_GiB));
}

TEST(Plan, TimeRangeHoldsAtLeastTheTimeAskedFor) {
    const Plan plan = make_plan(request_of(3), facts_with(50_GiB));
    EXPECT_GE(plan.shortest, Seconds{2 * 3 * 5});
    EXPECT_GT(plan.longest, plan.shortest);
}

TEST(Plan, WithoutSpaceNamesThePool) {
    const auto planning = [] { static_cast<void>(make_plan(request_of(1), facts_with(11_GiB))); };
    EXPECT_EQ(test::code_of(planning), ErrorCode::no_space);
    EXPECT_NE(test::message_of(planning).find("pool 'p'"), std::string::npos);
}

TEST(Plan, ASizeFromTheUserWinsOverTheProfiles) {
    RunRequest request = request_of(1);
    request.volume_size = 128_MiB;
    EXPECT_EQ(make_plan(request, facts_with(50_GiB)).volume_size, 128_MiB);
}

}  // namespace
}  // namespace poolwise
