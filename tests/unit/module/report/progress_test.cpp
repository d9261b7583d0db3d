// SPDX-License-Identifier: Apache-2.0
#include "module/report/progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "module/report/text_format.hpp"

namespace poolwise {
namespace {

using ::testing::HasSubstr;
using ::testing::Le;

ProgressView measuring() {
    return {.phase = "measuring",
            .candidate = "qcow2 + snapshot",
            .workload = "Random read, 4 KiB",
            .round = 2,
            .rounds = 5,
            .sample = 12,
            .samples = 60,
            .iops = Iops{7412},
            .eta = Seconds{830},
            .elapsed = Seconds{192}};
}

TEST(StatusLine, SaysWhereARunIs) {
    EXPECT_EQ(status_line(measuring(), 120),
              "[12/60, round 2/5]  qcow2 + snapshot: Random read, 4 KiB  7,412 IOPS  about 14 min "
              "left");
}

TEST(StatusLine, NeverExceedsTheTerminal) {
    for (std::size_t width = 0; width < 120; ++width) {
        EXPECT_THAT(display_width(status_line(measuring(), width)), Le(width));
    }
}

TEST(StatusLine, CutsNamesBeforeTheTimeLeft) {
    EXPECT_EQ(status_line(measuring(), 66),
              "[12/60, round 2/5]  qcow2 + snapsh…  7,412 IOPS  about 14 min left");
}

TEST(StatusLine, BeforeTheFirstSampleShowsThePhase) {
    EXPECT_EQ(status_line({.phase = "preparing", .elapsed = Seconds{3}}, 80),
              "preparing  3.0 s so far");
}

TEST(StatusLine, LetsNoNameMoveTheCursor) {
    ProgressView view = measuring();
    view.candidate = "a\rb\x1b[2Jc\n";

    EXPECT_THAT(status_line(view, 200), HasSubstr("a\\u{d}b\\u{1b}[2Jc\\u{a}"));
}

TEST(PlainLine, IsOneLineWithEverything) {
    EXPECT_EQ(plain_line(measuring()),
              "measuring, sample 12 of 60 (round 2 of 5), qcow2 + snapshot: Random read, 4 KiB, "
              "7,412 IOPS, 3 min 12 s elapsed, about 14 min left\n");
}

TEST(PlainLine, LeavesOutWhatIsNotKnown) {
    EXPECT_EQ(plain_line({.phase = "cleaning", .elapsed = Seconds{600}}),
              "cleaning, 10 min elapsed\n");
}

}  // namespace
}  // namespace poolwise
