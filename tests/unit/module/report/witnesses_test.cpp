// SPDX-License-Identifier: Apache-2.0
#include "module/report/witnesses.hpp"

#include <gtest/gtest.h>

namespace poolwise {
namespace {

Sample guest_sample(std::uint64_t guest_requests, std::uint64_t qemu_requests) {
    Sample sample;
    sample.evidence.engine_device.read_requests = guest_requests;
    sample.evidence.host_block = BlockCounters{.read_requests = qemu_requests};
    return sample;
}

TEST(Witnesses, KeepTheWorstDisagreement) {
    const Witnesses all = gather_witnesses({guest_sample(1000, 1000), guest_sample(950, 1000)});

    EXPECT_EQ(all.requests.samples, 2U);
    EXPECT_DOUBLE_EQ(all.requests.worst, 0.05);
    EXPECT_EQ(all.bytes.samples, 0U) << "nobody counted a byte";
}

TEST(Witnesses, DoNotJudgeClocksByShortSpans) {
    Sample sample;
    sample.evidence.engine_wall = Seconds{1};
    sample.evidence.host_wall = Seconds{2};

    EXPECT_EQ(gather_witnesses({sample}).clocks.samples, 0U);
}

TEST(Witnesses, CountBottlenecksBusyDevicesAndKeptCaches) {
    Sample sample;
    sample.bound_by = BoundBy::limit;
    sample.timings.idle_reached = false;
    sample.evidence.cache_drop = "not permitted";

    const Witnesses all = gather_witnesses({sample, Sample{}});

    EXPECT_EQ(all.bound_by.at(static_cast<std::size_t>(BoundBy::limit)), 1U);
    EXPECT_EQ(all.bound_by.at(static_cast<std::size_t>(BoundBy::unknown)), 1U);
    EXPECT_EQ(all.not_idle, 1U);
    EXPECT_EQ(all.cache_kept, 1U);
    EXPECT_EQ(all.cache_kept_reason, "not permitted");
}

}  // namespace
}  // namespace poolwise
