// SPDX-License-Identifier: Apache-2.0
#include "module/app/interrupts.hpp"

#include <csignal>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

namespace poolwise {
namespace {

/// Waits for the stop request, which comes from another thread.
bool stop_arrives(const std::stop_token& token) {
    for (int i = 0; i < 500 && !token.stop_requested(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
    return token.stop_requested();
}

TEST(Interrupts, ASignalBecomesAStopRequestAndKillsNothing) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        const Interrupts interrupts;
        EXPECT_FALSE(interrupts.token().stop_requested());

        kill(getpid(), number);

        EXPECT_TRUE(stop_arrives(interrupts.token()));
    }
}

TEST(Interrupts, SignalsThatComeWhileCleaningChangeNothing) {
    const Interrupts interrupts;
    for (int i = 0; i < 3; ++i) kill(getpid(), SIGINT);
    EXPECT_TRUE(stop_arrives(interrupts.token()));
    kill(getpid(), SIGTERM);
}

}  // namespace
}  // namespace poolwise
