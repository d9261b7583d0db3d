// SPDX-License-Identifier: Apache-2.0
#include "module/core/workload.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "tests/unit/testing.hpp"

namespace poolwise {
namespace {

using namespace std::chrono_literals;

Workload good() {
    return {.id = "rand-write-4k", .access = Access::randwrite, .ramp = 2s, .runtime = 15s};
}

struct BadField {
    const char* field;
    std::function<void(Workload&)> spoil;
};

/// What the test's name shows.
void PrintTo(const BadField& bad, std::ostream* out) {
    *out << bad.field;
}

class BadWorkload : public testing::TestWithParam<BadField> {};

TEST_P(BadWorkload, IsRefusedWithWorkloadAndFieldInTheMessage) {
    Workload workload = good();
    GetParam().spoil(workload);

    const std::string message = test::message_of([&] { check_workload(workload); });

    EXPECT_NE(message.find("'" + workload.id + "'"), std::string::npos) << message;
    EXPECT_NE(message.find(GetParam().field), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(
    Fields, BadWorkload,
    testing::Values(BadField{"id", [](Workload& w) { w.id = "Rand Write"; }},
                    BadField{"id", [](Workload& w) { w.id = std::string(41, 'a'); }},
                    BadField{"block_size_bytes", [](Workload& w) { w.block_size = Bytes{1000}; }},
                    BadField{"block_size_bytes", [](Workload& w) { w.block_size = Bytes{256}; }},
                    BadField{"iodepth", [](Workload& w) { w.iodepth = 0; }},
                    BadField{"jobs", [](Workload& w) { w.jobs = 65; }},
                    BadField{"read_percent", [](Workload& w) { w.read_percent = 101; }},
                    BadField{"ramp_s", [](Workload& w) { w.ramp = -1s; }},
                    BadField{"ramp_s", [](Workload& w) { w.runtime.reset(); }},
                    BadField{"runtime_s", [](Workload& w) { w.runtime = 0s; }},
                    BadField{"size_percent", [](Workload& w) { w.size_percent = 0; }},
                    BadField{"rate_iops", [](Workload& w) { w.rate = Iops{0}; }},
                    BadField{"sync",
                             [](Workload& w) {
                                 w.access = Access::randread;
                                 w.sync = Sync::fdatasync;
                             }},
                    BadField{"phase",
                             [](Workload& w) {
                                 w.access = Access::read;
                                 w.phase = Phase::rewrite;
                             }},
                    BadField{"first_write", [](Workload& w) { w.phase = Phase::first_write; }}));

TEST(Workload, AGoodOnePasses) {
    EXPECT_NO_THROW(check_workload(good()));
}

}  // namespace
}  // namespace poolwise
