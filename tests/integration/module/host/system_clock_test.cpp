// SPDX-License-Identifier: Apache-2.0
#include "module/host/system_clock.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace poolwise {
namespace {

TEST(SystemClock, WakesFromASleepWhenStopIsRequested) {
    SystemClock clock;
    std::stop_source stop;
    const Seconds before = clock.now();
    std::jthread stopper{[&stop] {
        std::this_thread::sleep_for(std::chrono::milliseconds{50});
        stop.request_stop();
    }};

    EXPECT_FALSE(clock.sleep(Seconds{1000}, stop.get_token()));
    EXPECT_LT((clock.now() - before).count(), 500);
}

}  // namespace
}  // namespace poolwise
