// SPDX-License-Identifier: Apache-2.0
#include "module/analysis/first_answer.hpp"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace poolwise {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

Candidate guest(const std::string& id) {
    Candidate candidate;
    candidate.id = id;
    return candidate;
}

Candidate host(const std::string& id) {
    Candidate candidate = guest(id);
    candidate.layer = Layer::host;
    return candidate;
}

Workload workload(const std::string& id) {
    Workload workload;
    workload.id = id;
    return workload;
}

Cell cell(const std::string& candidate, const std::string& workload, double iops,
          BoundBy bound = BoundBy::device) {
    Cell cell;
    cell.candidate = candidate;
    cell.workload = workload;
    cell.iops = spread_of({iops});
    cell.bound_by = bound;
    return cell;
}

/// One workload "w", guests named as in `cells`.
WorkloadAnswer answer_to(const std::vector<Cell>& cells, double margin = 0.05) {
    std::vector<Candidate> candidates;
    for (const Cell& each : cells) candidates.push_back(guest(each.candidate));
    return first_answer(cells, candidates, {workload("w")}, {}, margin).workloads.at(0);
}

TEST(FirstAnswer, TheFastestIsTheOneBeyondTheMarginOfAllOthers) {
    const auto answer =
        answer_to({cell("qcow2", "w", 600), cell("raw", "w", 800), cell("snap", "w", 200)});

    EXPECT_EQ(answer.outcome, Outcome::fastest);
    EXPECT_THAT(answer.leaders, ElementsAre("raw"));
    ASSERT_EQ(answer.standings.size(), 3U);
    EXPECT_EQ(answer.standings[0].candidate, "raw");
    EXPECT_EQ(answer.standings[0].ratio, 1);
    EXPECT_EQ(answer.standings[1].candidate, "qcow2");
    EXPECT_EQ(answer.standings[1].ratio, 0.75);
    EXPECT_EQ(answer.standings[2].ratio, 0.25);
}

TEST(FirstAnswer, ExactlyTheMarginIsTooCloseAndALittleMoreIsNot) {
    EXPECT_EQ(answer_to({cell("a", "w", 1050), cell("b", "w", 1000)}).outcome, Outcome::too_close);
    EXPECT_EQ(answer_to({cell("a", "w", 1050.01), cell("b", "w", 1000)}).outcome, Outcome::fastest);
    for (const double base : {1.0, 3.0, 7.0, 10.0, 333.3, 98765.4}) {
        EXPECT_EQ(answer_to({cell("a", "w", base * 1.05), cell("b", "w", base)}).outcome,
                  Outcome::too_close)
            << base;
    }
}

TEST(FirstAnswer, TooCloseListsEverybodyWithinTheMarginOfTheFastest) {
    const auto answer = answer_to(
        {cell("a", "w", 960), cell("b", "w", 1000), cell("c", "w", 900), cell("d", "w", 990)});

    EXPECT_EQ(answer.outcome, Outcome::too_close);
    EXPECT_THAT(answer.leaders, ElementsAre("b", "d", "a"));
    EXPECT_EQ(answer.standings.size(), 4U);
}

TEST(FirstAnswer, EqualRivalsWithACpuBottleneckAreNotCalledEqual) {
    const auto cpu = answer_to(
        {cell("a", "w", 1000, BoundBy::unknown), cell("b", "w", 990, BoundBy::guest_cpu)});
    EXPECT_EQ(cpu.outcome, Outcome::bound_elsewhere);
    EXPECT_EQ(cpu.bound_by, BoundBy::guest_cpu);

    EXPECT_EQ(answer_to({cell("a", "w", 1000, BoundBy::limit), cell("b", "w", 990)}).outcome,
              Outcome::bound_elsewhere);
    EXPECT_EQ(answer_to({cell("a", "w", 1000, BoundBy::host_cpu), cell("b", "w", 990)}).bound_by,
              BoundBy::host_cpu);
}

TEST(FirstAnswer, ACpuBottleneckBeyondTheMarginChangesNothing) {
    const auto answer = answer_to(
        {cell("a", "w", 1000), cell("b", "w", 990), cell("slow", "w", 100, BoundBy::guest_cpu)});

    EXPECT_EQ(answer.outcome, Outcome::too_close);
    EXPECT_EQ(answer.bound_by, BoundBy::unknown);
}

TEST(FirstAnswer, NeedsTwoGuestCandidatesWithABelievedSample) {
    Cell all_void = cell("b", "w", 1);
    all_void.iops = {};
    all_void.void_count = 5;

    const auto answer = answer_to({cell("a", "w", 1000), all_void});

    EXPECT_EQ(answer.outcome, Outcome::not_measured);
    EXPECT_THAT(answer.leaders, IsEmpty());
    EXPECT_EQ(answer.standings.size(), 1U);
    EXPECT_EQ(answer_to({}).outcome, Outcome::not_measured);
}

TEST(FirstAnswer, HostCandidatesAreNotRanked) {
    const auto answer =
        first_answer({cell("a", "w", 10), cell("b", "w", 8), cell("on-host", "w", 100)},
                     {host("on-host"), guest("a"), guest("b")}, {workload("w")});

    EXPECT_THAT(answer.workloads.at(0).leaders, ElementsAre("a"));
    EXPECT_EQ(answer.workloads.at(0).standings.size(), 2U);
}

TEST(FirstAnswer, CandidatesThatAreNotDurableAreListedAndNotRanked) {
    const auto answer =
        first_answer({cell("a", "w", 10), cell("b", "w", 8), cell("cheat", "w", 100)},
                     {guest("cheat"), guest("a"), guest("b")}, {workload("w")}, {"cheat"});

    EXPECT_THAT(answer.not_durable, ElementsAre("cheat"));
    EXPECT_THAT(answer.workloads.at(0).leaders, ElementsAre("a"));
    EXPECT_THAT(answer.best_overall, ElementsAre("a"));
}

TEST(FirstAnswer, BestOverallLeadsOnEveryWorkloadMeasured) {
    const std::vector<Candidate> candidates{guest("a"), guest("b"), guest("c")};
    const std::vector<Workload> workloads{workload("r"), workload("w"), workload("unmeasured")};
    std::vector<Cell> cells{cell("a", "r", 100),       cell("b", "r", 98), cell("c", "r", 50),
                            cell("a", "w", 50),        cell("b", "w", 90), cell("c", "w", 100),
                            cell("a", "unmeasured", 1)};

    EXPECT_THAT(first_answer(cells, candidates, workloads).best_overall, IsEmpty());

    cells[4] = cell("b", "w", 99);
    EXPECT_THAT(first_answer(cells, candidates, workloads).best_overall, ElementsAre("b"));
    EXPECT_THAT(first_answer({}, candidates, workloads).best_overall, IsEmpty());
}

TEST(FirstAnswer, PublishedTableGivesItsVerdicts) {
    // Reads and writes of 128 KiB in a virtual machine, as published for a local-storage
    // comparison.
    const std::vector<Candidate> candidates{guest("lvm"), guest("raw"), guest("qcow2"),
                                            guest("snap")};
    const std::vector<Cell> cells{cell("lvm", "r", 854),   cell("raw", "r", 668),
                                  cell("qcow2", "r", 621), cell("snap", "r", 615),
                                  cell("lvm", "w", 557),   cell("raw", "w", 545),
                                  cell("qcow2", "w", 464), cell("snap", "w", 56)};
    const std::vector<Workload> workloads{workload("r"), workload("w")};

    const auto answer = first_answer(cells, candidates, workloads);
    EXPECT_EQ(answer.workloads[0].outcome, Outcome::fastest);
    EXPECT_THAT(answer.workloads[0].leaders, ElementsAre("lvm"));
    EXPECT_EQ(answer.workloads[1].outcome, Outcome::too_close);
    EXPECT_THAT(answer.workloads[1].leaders, ElementsAre("lvm", "raw"));
    EXPECT_THAT(answer.best_overall, ElementsAre("lvm"));

    const auto strict = first_answer(cells, candidates, workloads, {}, 0.01);
    EXPECT_EQ(strict.workloads[1].outcome, Outcome::fastest);
}

TEST(FirstAnswer, DoesNotDependOnTheOrderOrTheScaleOfTheFigures) {
    std::mt19937_64 random{3};
    std::uniform_real_distribution<double> any{900, 1100};
    for (int round = 0; round < 200; ++round) {
        std::vector<Cell> cells;
        for (const char* id : {"a", "b", "c", "d"}) cells.push_back(cell(id, "w", any(random)));
        const auto before = answer_to(cells);

        std::shuffle(cells.begin(), cells.end(), random);
        EXPECT_EQ(answer_to(cells).leaders, before.leaders);

        for (Cell& each : cells) each.iops.median *= 1024;
        EXPECT_EQ(answer_to(cells).leaders, before.leaders);
        EXPECT_EQ(answer_to(cells).outcome, before.outcome);
    }
}

TEST(FirstAnswer, ASlowerRivalChangesNoLeaderAndAWiderMarginLosesNone) {
    std::mt19937_64 random{4};
    std::uniform_real_distribution<double> any{900, 1100};
    for (int round = 0; round < 200; ++round) {
        std::vector<Cell> cells{cell("a", "w", any(random)), cell("b", "w", any(random))};
        const auto narrow = answer_to(cells, 0.02).leaders;
        const auto wide = answer_to(cells, 0.1).leaders;
        EXPECT_TRUE(std::includes(wide.begin(), wide.end(), narrow.begin(), narrow.end()) ||
                    narrow.size() == 1);

        cells.push_back(cell("slow", "w", 10));
        EXPECT_THAT(answer_to(cells, 0.02).leaders, UnorderedElementsAreArray(narrow));
    }
}

}  // namespace
}  // namespace poolwise
