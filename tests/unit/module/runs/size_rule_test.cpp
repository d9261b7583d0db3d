// SPDX-License-Identifier: Apache-2.0
#include "module/runs/size_rule.hpp"

#include <gtest/gtest.h>

#include "tests/unit/testing.hpp"

namespace poolwise {
namespace {

using namespace literals;

const Candidate kRaw{.pool = "p"};
const Candidate kQcow2{.pool = "p", .format = Format::qcow2};
const Candidate kSnapshot{.pool = "p", .format = Format::qcow2, .snapshot = SnapshotKind::internal};

TEST(FreeSpaceFloor, IsATenthWithinOneAndFiftyGibibytes) {
    EXPECT_EQ(free_space_floor(2_GiB), 1_GiB);
    EXPECT_EQ(free_space_floor(100_GiB), 10_GiB);
    EXPECT_EQ(free_space_floor(4096_GiB), 50_GiB);
}

TEST(PeakSpace, OfASnapshotIsTwiceTheVolumeWithItsMetadata) {
    EXPECT_EQ(peak_space(kRaw, 1_GiB), 1_GiB);
    EXPECT_GT(peak_space(kQcow2, 1_GiB), 1_GiB);
    EXPECT_EQ(peak_space(kSnapshot, 1_GiB), peak_space(kQcow2, 1_GiB) * 2);
}

TEST(WantedSize, IsTwentyFiveSecondsOfTheMeasuredBandwidthRoundedUpToGibibytes) {
    EXPECT_EQ(wanted_size({kRaw}, {.bandwidth = BytesPerSecond{100.0 * (1U << 20U)}}), 3_GiB);
}

TEST(WantedSize, AssumesLessOfRotatingDisks) {
    EXPECT_LT(wanted_size({kRaw}, {.rotational = true}), wanted_size({kRaw}, {}));
}

TEST(WantedSize, IsFiveTimesTheMemoryWhereACandidateUsesTheHostCache) {
    Candidate cached = kRaw;
    cached.driver = {.cache = CacheMode::writeback, .io = IoMode::threads};
    EXPECT_EQ(wanted_size({cached}, {.host_memory = 16_GiB}), 80_GiB);
}

TEST(ChooseSize, TakesTheWantedSizeWhereItFits) {
    const ChosenSize chosen = choose_size(
        {kRaw}, std::nullopt, {.usable = 100_GiB, .bandwidth = BytesPerSecond{1U << 27U}});
    EXPECT_EQ(chosen.size, 4_GiB);
    EXPECT_FALSE(chosen.cache_sized);
}

TEST(ChooseSize, ShrinksToWhatFitsAndSaysSo) {
    const ChosenSize chosen = choose_size({kRaw, kSnapshot}, std::nullopt, {.usable = 6_GiB});
    EXPECT_TRUE(chosen.cache_sized);
    EXPECT_LE(peak_space(kRaw, chosen.size) + peak_space(kSnapshot, chosen.size), 6_GiB);
    EXPECT_GT(chosen.size, 1_GiB);
}

TEST(ChooseSize, AGivenSizeIsTakenAndMarkedWhenTooSmallForTheRule) {
    const ChosenSize chosen = choose_size({kRaw}, 1_GiB, {.usable = 100_GiB});
    EXPECT_EQ(chosen.size, 1_GiB);
    EXPECT_TRUE(chosen.cache_sized);
}

TEST(ChooseSize, BelowSixtyFourMebibytesIsABadRequest) {
    const auto choose = [] { static_cast<void>(choose_size({kRaw}, 63_MiB, {.usable = 100_GiB})); };
    EXPECT_EQ(test::code_of(choose), ErrorCode::invalid_request);
    EXPECT_NE(test::message_of(choose).find("63 MiB"), std::string::npos);
}

TEST(ChooseSize, WithoutSpaceNamesWhatIsNeededAndWhatIsFree) {
    const auto given = [] {
        static_cast<void>(choose_size({kRaw, kRaw}, 3_GiB, {.usable = 5_GiB}));
    };
    EXPECT_EQ(test::code_of(given), ErrorCode::no_space);
    EXPECT_NE(test::message_of(given).find("6 GiB"), std::string::npos);
    EXPECT_NE(test::message_of(given).find("5 GiB"), std::string::npos);

    const auto smallest = [] {
        static_cast<void>(choose_size({kRaw, kRaw}, std::nullopt, {.usable = 100_MiB}));
    };
    EXPECT_EQ(test::code_of(smallest), ErrorCode::no_space);
}

}  // namespace
}  // namespace poolwise
