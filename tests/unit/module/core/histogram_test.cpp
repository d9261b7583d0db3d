// SPDX-License-Identifier: Apache-2.0
#include "module/core/histogram.hpp"

#include <gtest/gtest.h>

namespace poolwise {
namespace {

TEST(LatencyHistogram, PercentileIsTheLatencyThatSoManyRequestsDidNotExceed) {
    LatencyHistogram histogram;
    for (std::uint64_t us = 1; us <= 10'000; ++us) histogram.add(us * 1000, 1);

    EXPECT_DOUBLE_EQ(histogram.percentile(50)->count(), 5000);
    EXPECT_DOUBLE_EQ(histogram.percentile(99)->count(), 9900);
    EXPECT_DOUBLE_EQ(histogram.percentile(99.9)->count(), 9990);
}

TEST(LatencyHistogram, TooFewRequestsBeyondTheRankGiveNoPercentile) {
    LatencyHistogram histogram;
    histogram.add(1000, 999);
    EXPECT_FALSE(histogram.percentile(99).has_value());  // 9.99 requests beyond it

    histogram.add(1000, 1);
    EXPECT_TRUE(histogram.percentile(99).has_value());
}

TEST(LatencyHistogram, AnEmptyOneHasNoPercentileAtAll) {
    EXPECT_FALSE(LatencyHistogram{}.percentile(50, 0).has_value());
}

TEST(LatencyHistogram, MergingAddsCountsSoThatPercentilesAreOfAllRequests) {
    LatencyHistogram fast{{{1000, 900}}};
    const LatencyHistogram slow{{{1000, 100}, {9000, 1000}}};
    fast.merge(slow);

    EXPECT_EQ(fast.count(), 2000U);
    EXPECT_DOUBLE_EQ(fast.percentile(50)->count(), 1);
    EXPECT_DOUBLE_EQ(fast.percentile(51)->count(), 9);
}

}  // namespace
}  // namespace poolwise
