// SPDX-License-Identifier: Apache-2.0
#include "module/app/request_builder.hpp"

#include <set>

#include <gmock/gmock.h>

#include "tests/unit/testing.hpp"

namespace poolwise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Profile profile() {
    return {.name = "p", .workloads = {{.id = "read", .runtime = std::chrono::seconds{5}}}};
}

std::vector<std::string> ids_of(const RequestOptions& options) {
    std::vector<std::string> ids;
    for (const Candidate& candidate : build_request(options, profile(), 1).candidates) {
        ids.push_back(candidate.id);
    }
    return ids;
}

TEST(RequestBuilder, HostBaselineComesFirstThenTheCandidatesInTheOrderTyped) {
    EXPECT_THAT(ids_of({.pools = {"fast"}}),
                ElementsAre("host-raw", "guest-raw", "guest-qcow2", "guest-qcow2-snapshot"));
}

TEST(RequestBuilder, IdsStayUniqueOverPoolsAndTwins) {
    const auto ids = ids_of({.pools = {"a", "b"}, .candidates = {"raw", "raw"}});
    EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), 6U);
}

TEST(RequestBuilder, LayersLimitWhatIsMeasured) {
    EXPECT_THAT(ids_of({.pools = {"a"}, .layers = {"host"}}), ElementsAre("host-raw"));
    EXPECT_THAT(ids_of({.pools = {"a"}, .candidates = {"raw"}, .layers = {"guest"}}),
                ElementsAre("guest-raw"));
}

TEST(RequestBuilder, DriverOptionsApplyToGuestDisksOnly) {
    const RunRequest request = build_request({.pools = {"a"},
                                              .candidates = {"raw"},
                                              .cache = "writeback",
                                              .io = "threads",
                                              .limit_iops = 200},
                                             profile(), 1);
    EXPECT_EQ(request.candidates[0].driver, DiskDriver{});
    EXPECT_EQ(request.candidates[1].driver.cache, CacheMode::writeback);
    EXPECT_EQ(request.candidates[1].driver.io, IoMode::threads);
    EXPECT_EQ(request.candidates[1].driver.iops_limit, Iops{200});
}

TEST(RequestBuilder, SizeRoundsAndSeedOverrideTheProfile) {
    const RunRequest request =
        build_request({.pools = {"a"}, .size = "2G", .rounds = 7, .seed = 99}, profile(), 1);
    EXPECT_EQ(request.volume_size, Bytes{2ULL << 30U});
    EXPECT_EQ(request.profile.rounds, 7U);
    EXPECT_EQ(request.seed, 99U);
    EXPECT_EQ(build_request({.pools = {"a"}}, profile(), 5).seed, 5U);
}

TEST(RequestBuilder, WhatItDoesNotUnderstandIsABadRequestThatNamesIt) {
    const auto refusal = [](const RequestOptions& options) {
        return test::error_of([&] { static_cast<void>(build_request(options, profile(), 1)); });
    };
    EXPECT_THAT(refusal({}).what(), HasSubstr("no pool given"));
    EXPECT_THAT(refusal({.pools = {"a"}, .candidates = {"zfs"}}).what(), HasSubstr("'zfs'"));
    EXPECT_THAT(refusal({.pools = {"a"}, .layers = {"moon"}}).what(), HasSubstr("'moon'"));
    EXPECT_THAT(refusal({.pools = {"a"}, .size = "big"}).what(), HasSubstr("'big'"));
    const Error pair = refusal({.pools = {"a"}, .cache = "writeback"});
    EXPECT_EQ(pair.code(), ErrorCode::invalid_request);
    EXPECT_THAT(pair.what(), HasSubstr("io=native does not work with cache=writeback"));
}

}  // namespace
}  // namespace poolwise
