// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/engine/system_readings.hpp"

#include <gtest/gtest.h>

namespace poolwise::guest_runner {
namespace {

TEST(CpuTimesOfProcStat, AreSummedOverWorkIdleAndSteal) {
    const CpuTimes times =
        parse_cpu_times("cpu  100 20 30 4000 500 6 7 80 9 1\ncpu0 1 2 3 4 5 6 7 8\n", 100);

    EXPECT_DOUBLE_EQ(times.busy.count(), 1.63);
    EXPECT_DOUBLE_EQ(times.idle.count(), 45);
    EXPECT_DOUBLE_EQ(times.steal.count(), 0.8);
}

TEST(CpuTimesOfProcStat, AreZeroForAnythingElse) {
    EXPECT_EQ(parse_cpu_times("", 100), CpuTimes{});
    EXPECT_EQ(parse_cpu_times("cpu0 1 2 3", 100), CpuTimes{});
}

TEST(BlockStat, CountsRequestsBytesAndFlushes) {
    const auto counters = parse_block_stat("  11 1 88 5 22 2 176 6 0 7 11 0 0 0 0 33 9\n");

    ASSERT_TRUE(counters);
    EXPECT_EQ(*counters, (BlockCounters{.read_requests = 11,
                                        .write_requests = 22,
                                        .flush_requests = 33,
                                        .read_bytes = Bytes{88 * 512},
                                        .write_bytes = Bytes{176 * 512}}));
}

TEST(BlockStat, OfAnOldKernelHasNoFlushes) {
    const auto counters = parse_block_stat("11 1 88 5 22 2 176 6 0 7 11");

    ASSERT_TRUE(counters);
    EXPECT_EQ(counters->flush_requests, 0U);
}

TEST(BlockStat, IsNothingWhenItIsShort) {
    EXPECT_FALSE(parse_block_stat(""));
    EXPECT_FALSE(parse_block_stat("1 2 3 4 5 6 7 8 9 10"));
    EXPECT_FALSE(parse_block_stat("1 2 x 4 5 6 7 8 9 10 11"));
}

TEST(Field, IsFoundByItsWholeName) {
    constexpr const char* kText = "MemTotal:  100 kB\nMemAvailable:   42 kB\nMem: 7\n";

    EXPECT_EQ(parse_field(kText, "MemAvailable"), 42U);
    EXPECT_EQ(parse_field(kText, "Mem"), 7U);
    EXPECT_FALSE(parse_field(kText, "Available"));
}

TEST(Trimmed, CutsWhiteSpaceAndNulBytes) {
    EXPECT_EQ(trimmed(std::string_view{" a b\n\0", 6}), "a b");
    EXPECT_EQ(trimmed(" \n"), "");
}

}  // namespace
}  // namespace poolwise::guest_runner
