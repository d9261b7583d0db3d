// SPDX-License-Identifier: Apache-2.0
#include "module/report/labels.hpp"

#include <gtest/gtest.h>

#include "tests/unit/module/report/made_report.hpp"

namespace poolwise::test {
namespace {

TEST(Labels, NameThePoolOnlyWhereTheRunUsesSeveral) {
    RunRequest request = made_run().request;
    EXPECT_EQ(Labels{request}.candidate("guest-raw"), "raw");

    request.candidates.back().pool = "slow";
    EXPECT_EQ(Labels{request}.candidate("guest-raw"), "raw in 'fast'");
}

TEST(Labels, TellTwinsApartById) {
    RunRequest request = made_run().request;
    Candidate twin = request.candidates.at(1);
    twin.id = "guest-raw-threads";
    twin.driver.io = IoMode::threads;
    request.candidates.push_back(twin);

    EXPECT_EQ(Labels{request}.candidate("guest-raw-threads"), "raw [guest-raw-threads]");
    EXPECT_EQ(Labels{request}.candidate("guest-qcow2"), "qcow2");
}

TEST(Labels, FallBackToIds) {
    RunRequest request = made_run().request;
    request.profile.workloads.front().title.clear();

    EXPECT_EQ(Labels{request}.workload("randread-4k-qd32"), "randread-4k-qd32");
    EXPECT_EQ(Labels{request}.candidate("gone"), "gone");
}

}  // namespace
}  // namespace poolwise::test
