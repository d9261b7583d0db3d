// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "guest_runner/fio_result.hpp"
#include "tests/unit/guest_runner/fio_files.hpp"

namespace poolwise::guest_runner {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

RatePoint point(std::chrono::milliseconds at, double read, double write) {
    return {.at = at, .read = Iops{read}, .write = Iops{write}};
}

TEST(FioLog, PutsBothDirectionsOfAWindowTogether) {
    EXPECT_THAT(read_fio_iops_log("990, 200, 0, 0, 0\n991, 100, 1, 0, 0\n1980, 210, 0, 0, 0\n"),
                ElementsAre(point(991ms, 200, 100), point(1980ms, 210, 0)));
}

TEST(FioLog, AddsUpTheFilesOfSeveralJobsInAnyOrder) {
    const std::string first = test::fio_file("fio-3.33-two-jobs_iops.1.log");
    const std::string second = test::fio_file("fio-3.33-two-jobs_iops.2.log");

    const auto both = read_fio_iops_log(first + second);

    EXPECT_EQ(both, read_fio_iops_log(second + first));
    ASSERT_EQ(both.size(), 3U);
    EXPECT_EQ(both[0], point(990ms, 118, 118));  // 58 + 60 each
    EXPECT_EQ(both[1], point(1986ms, 120, 120));
}

TEST(FioLog, ReadsARecordedLogToItsLastStamp) {
    const auto log = read_fio_iops_log(test::fio_file("fio-3.33-window-1000_iops.1.log"));

    ASSERT_EQ(log.size(), 14U);
    EXPECT_EQ(log.front(), point(1000ms, 11585, 11547));
    EXPECT_EQ(log.back().at, 14013ms);
}

TEST(FioLog, FillsInTheWindowsWithoutARequestThatFioLeavesOut) {
    EXPECT_THAT(read_fio_iops_log("990, 50, 0, 0, 0\n3960, 40, 0, 0, 0\n"),
                ElementsAre(point(990ms, 50, 0), point(1980ms, 0, 0), point(2970ms, 0, 0),
                            point(3960ms, 40, 0)));
    EXPECT_THAT(read_fio_iops_log("1980, 7, 1, 0, 0\n"),
                ElementsAre(point(990ms, 0, 0), point(1980ms, 0, 7)));
}

TEST(FioLog, SkipsLinesThatAreNotALog) {
    EXPECT_THAT(read_fio_iops_log("990, 200, 0, 0, 0\n\nfio: killed\n1980, 21"),
                ElementsAre(point(990ms, 200, 0)));
    EXPECT_THAT(read_fio_iops_log("990, -4, 0, 0\n990, 1, 2, 0\n990; 1; 0; 0\n"), IsEmpty());
    EXPECT_THAT(read_fio_iops_log("18446744073709551615, 1, 0, 0, 0\n"), IsEmpty());
    EXPECT_THAT(read_fio_iops_log(""), IsEmpty());
}

}  // namespace
}  // namespace poolwise::guest_runner
