// SPDX-License-Identifier: Apache-2.0
#include "module/host/system_clock.hpp"

#include <gtest/gtest.h>

namespace poolwise {
namespace {

TEST(SystemClock, SleepsAtLeastAsLongAsAsked) {
    SystemClock clock;
    const Seconds before = clock.now();

    EXPECT_TRUE(clock.sleep(Seconds{0.002}, {}));
    EXPECT_GE((clock.now() - before).count(), 0.002);
}

TEST(SystemClock, DoesNotSleepOnceStopIsRequested) {
    SystemClock clock;
    std::stop_source stop;
    stop.request_stop();

    EXPECT_FALSE(clock.sleep(Seconds{1e12}, stop.get_token()));
}

TEST(SystemClock, ReturnsAtOnceFromNoTimeAtAll) {
    SystemClock clock;

    EXPECT_TRUE(clock.sleep(Seconds{0}, {}));
    EXPECT_TRUE(clock.sleep(Seconds{-1}, {}));
}

}  // namespace
}  // namespace poolwise
