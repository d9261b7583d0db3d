// SPDX-License-Identifier: Apache-2.0
#include "module/analysis/summary.hpp"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace poolwise {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Sample sample(const std::string& candidate, const std::string& workload, double iops) {
    Sample sample;
    sample.candidate = candidate;
    sample.workload = workload;
    sample.result.read.iops = Iops{iops};
    sample.result.read.bandwidth = BytesPerSecond{iops * 4096};
    return sample;
}

TEST(Spread, MedianOfAnOddCountIsTheMiddleOne) {
    EXPECT_EQ(spread_of({5, 1, 9}), (Spread{.n = 3, .median = 5, .least = 1, .most = 9}));
}

TEST(Spread, MedianOfAnEvenCountIsTheMeanOfTheMiddleTwo) {
    EXPECT_EQ(spread_of({8, 1, 2, 4}), (Spread{.n = 4, .median = 3, .least = 1, .most = 8}));
}

TEST(Spread, OfOneValueIsThatValueAndOfNoneIsEmpty) {
    EXPECT_EQ(spread_of({7}), (Spread{.n = 1, .median = 7, .least = 7, .most = 7}));
    EXPECT_EQ(spread_of({}), Spread{});
}

TEST(Spread, DoesNotDependOnTheOrderAndScalesWithTheValues) {
    std::mt19937_64 random{1};
    std::uniform_real_distribution<double> any{1, 1000};
    for (std::size_t n = 1; n <= 12; ++n) {
        std::vector<double> values(n);
        std::generate(values.begin(), values.end(), [&] { return any(random); });
        const Spread before = spread_of(values);

        std::shuffle(values.begin(), values.end(), random);
        EXPECT_EQ(spread_of(values), before);

        for (double& value : values) value *= 4;  // a power of two: exact
        EXPECT_EQ(spread_of(values), (Spread{.n = n,
                                             .median = before.median * 4,
                                             .least = before.least * 4,
                                             .most = before.most * 4}));
    }
}

TEST(Summary, HasACellPerPairInTheOrderGivenAndNoneForAPairWithoutSamples) {
    const std::vector<Sample> samples{sample("b", "w1", 1), sample("a", "w2", 2),
                                      sample("a", "w1", 3), sample("b", "w1", 5)};

    const auto cells = summarise(samples, {"a", "b"}, {"w1", "w2"});

    std::vector<std::string> pairs;
    for (const Cell& cell : cells) pairs.push_back(cell.candidate + "/" + cell.workload);
    EXPECT_THAT(pairs, ElementsAre("a/w1", "a/w2", "b/w1"));
    EXPECT_EQ(find_cell(cells, "b", "w1")->iops.median, 3);
    EXPECT_EQ(find_cell(cells, "b", "w2"), nullptr);
}

TEST(Summary, AddsReadsAndWritesTogether) {
    Sample mixed = sample("a", "w", 700);
    mixed.result.write.iops = Iops{300};
    mixed.result.write.bandwidth = BytesPerSecond{300 * 4096.0};

    const auto cells = summarise({mixed}, {"a"}, {"w"});

    EXPECT_EQ(cells.at(0).iops.median, 1000);
    EXPECT_EQ(cells.at(0).bytes_per_second.median, 4096'000);
}

TEST(Summary, CountsVoidSamplesAndLeavesThemOutOfEveryFigure) {
    Sample bad = sample("a", "w", 9999);
    bad.void_reasons = {"steal", "clock"};
    Sample worse = bad;
    worse.void_reasons = {"clock", "log"};

    const auto cells = summarise({bad, sample("a", "w", 10), worse}, {"a"}, {"w"});

    EXPECT_EQ(cells.at(0).iops, spread_of({10}));
    EXPECT_EQ(cells.at(0).void_count, 2U);
    EXPECT_THAT(cells.at(0).void_reasons, ElementsAre("steal", "clock", "log"));
}

TEST(Summary, ACellOfVoidSamplesOnlyHasNoFigures) {
    Sample bad = sample("a", "w", 9999);
    bad.void_reasons = {"steal"};

    const auto cells = summarise({bad}, {"a"}, {"w"});

    EXPECT_EQ(cells.at(0).iops.n, 0U);
    EXPECT_EQ(cells.at(0).latency_p50, std::nullopt);
}

TEST(Summary, PercentilesComeFromTheHistogramsOfAllRoundsTogether) {
    Sample first = sample("a", "w", 1);
    first.result.read.latency.add(1'000'000, 1000);
    Sample second = sample("a", "w", 1);
    second.result.read.latency.add(1'000'000, 960);
    second.result.write.latency.add(9'000'000, 40);
    second.result.sync = SyncResult{};
    second.result.sync->latency.add(5'000'000, 2000);

    const auto cells = summarise({first, second}, {"a"}, {"w"});

    EXPECT_EQ(cells.at(0).latency_p50, Microseconds{1000});  // 2 % of all took 9 ms
    EXPECT_EQ(cells.at(0).latency_p99, Microseconds{9000});
    EXPECT_EQ(cells.at(0).sync_p99, Microseconds{5000});
}

TEST(Summary, TooFewRequestsMakeNoP99) {
    Sample few = sample("a", "w", 1);
    few.result.read.latency.add(1'000'000, 100);

    const auto cells = summarise({few}, {"a"}, {"w"});

    EXPECT_TRUE(cells.at(0).latency_p50);
    EXPECT_FALSE(cells.at(0).latency_p99);
    EXPECT_FALSE(cells.at(0).sync_p99);
}

TEST(Summary, CpuCostIsTheMedianPerMillionRequestsThatQemuCounted) {
    std::vector<Sample> samples;
    for (const double seconds : {1.0, 2.0, 9.0}) {
        Sample measured = sample("a", "w", 1);
        measured.evidence.qemu_cpu = Seconds{seconds};
        measured.evidence.host_block =
            BlockCounters{.read_requests = 40'000, .write_requests = 10'000};
        samples.push_back(measured);
    }
    samples.push_back(sample("a", "w", 1));  // the host layer has no QEMU

    const auto cells = summarise(samples, {"a"}, {"w"});

    EXPECT_DOUBLE_EQ(cells.at(0).cpu_seconds_per_million.value(), 40);
    EXPECT_FALSE(summarise({sample("a", "w", 1)}, {"a"}, {"w"}).at(0).cpu_seconds_per_million);
}

TEST(Summary, IsBoundByWhatMostSamplesWereBoundBy) {
    const auto bound_of = [](const std::vector<BoundBy>& bounds) {
        std::vector<Sample> samples;
        for (const BoundBy bound : bounds) {
            samples.push_back(sample("a", "w", 1));
            samples.back().bound_by = bound;
        }
        return summarise(samples, {"a"}, {"w"}).at(0).bound_by;
    };

    EXPECT_EQ(bound_of({BoundBy::device, BoundBy::limit, BoundBy::device}), BoundBy::device);
    EXPECT_EQ(bound_of({BoundBy::device, BoundBy::limit}), BoundBy::unknown);
    EXPECT_EQ(bound_of({BoundBy::unknown, BoundBy::guest_cpu, BoundBy::guest_cpu}),
              BoundBy::guest_cpu);
}

TEST(Summary, OfNothingIsNothing) {
    EXPECT_THAT(summarise({}, {"a"}, {"w"}), IsEmpty());
}

}  // namespace
}  // namespace poolwise
