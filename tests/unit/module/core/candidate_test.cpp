// SPDX-License-Identifier: Apache-2.0
#include "module/core/candidate.hpp"

#include <gtest/gtest.h>

#include "tests/unit/testing.hpp"

namespace poolwise {
namespace {

TEST(CandidateText, NamesFormatSnapshotAndOptions) {
    const Candidate plain = parse_candidate("raw");
    EXPECT_EQ(plain.format, Format::raw);
    EXPECT_EQ(plain.snapshot, SnapshotKind::none);

    const Candidate full = parse_candidate(
        "qcow2+snapshot=external:cluster_size=128K:preallocation=metadata:extended_l2=on");
    EXPECT_EQ(full.format, Format::qcow2);
    EXPECT_EQ(full.snapshot, SnapshotKind::external);
    EXPECT_EQ(full.options.cluster_size, Bytes{131072});
    EXPECT_EQ(full.options.preallocation, Preallocation::metadata);
    EXPECT_TRUE(full.options.extended_l2);
    EXPECT_EQ(parse_candidate("qcow2+snapshot").snapshot, SnapshotKind::internal);
}

class BadCandidateText : public testing::TestWithParam<const char*> {};

TEST_P(BadCandidateText, IsRefusedAsABadRequest) {
    EXPECT_EQ(test::code_of([] { static_cast<void>(parse_candidate(GetParam())); }),
              ErrorCode::invalid_request);
}

INSTANTIATE_TEST_SUITE_P(Texts, BadCandidateText,
                         testing::Values("", "vhdx", "raw+clone", "qcow2+snapshot=old",
                                         "qcow2:colour=red", "qcow2:cluster_size=big",
                                         "qcow2:extended_l2=yes", "qcow2:preallocation="));

TEST(CandidateCheck, NativeIoIsLegalOnlyWhereTheHostCacheIsBypassed) {
    for (const auto& [cache, cache_name] : kCacheModeNames) {
        for (const auto& [io, io_name] : kIoModeNames) {
            const Candidate candidate{.pool = "p", .driver = {.cache = cache, .io = io}};
            const bool legal =
                io != IoMode::native || cache == CacheMode::none || cache == CacheMode::directsync;
            if (legal) {
                EXPECT_NO_THROW(check_candidate(candidate));
                continue;
            }
            const std::string message = test::message_of([&] { check_candidate(candidate); });
            EXPECT_NE(message.find("io=native"), std::string::npos);
            EXPECT_NE(message.find("cache=" + std::string{cache_name}), std::string::npos);
        }
    }
}

/// What the test's name shows.
struct Combination {
    Candidate candidate;

    friend void PrintTo(const Combination& combination, std::ostream* out) {
        *out << label(combination.candidate);
    }
};

class BadCandidate : public testing::TestWithParam<Combination> {};

TEST_P(BadCandidate, IsRefusedBeforeAnythingIsCreated) {
    EXPECT_EQ(test::code_of([] { check_candidate(GetParam().candidate); }),
              ErrorCode::invalid_request);
}

INSTANTIATE_TEST_SUITE_P(
    Combinations, BadCandidate,
    testing::Values(
        Combination{{.format = Format::raw, .snapshot = SnapshotKind::internal}},
        Combination{{.format = Format::raw, .options = {.preallocation = Preallocation::metadata}}},
        Combination{{.format = Format::raw, .options = {.cluster_size = Bytes{65536}}}},
        Combination{{.format = Format::qcow2, .options = {.preallocation = Preallocation::full}}},
        Combination{{.format = Format::qcow2, .options = {.cluster_size = Bytes{100000}}}},
        Combination{{.format = Format::qcow2, .options = {.cluster_size = Bytes{4U << 20U}}}},
        Combination{{.format = Format::qcow2,
                     .options = {.cluster_size = Bytes{4096}, .extended_l2 = true}}},
        Combination{{.format = Format::vmdk, .options = {.preallocation = Preallocation::falloc}}},
        Combination{{.format = Format::vpc, .options = {.cluster_size = Bytes{65536}}}},
        Combination{{.format = Format::vpc, .snapshot = SnapshotKind::internal}},
        Combination{{.layer = Layer::host, .format = Format::vmdk}},
        Combination{{.layer = Layer::host, .format = Format::qcow2}},
        Combination{{.driver = {.queues = 0}}}, Combination{{.driver = {.iops_limit = Iops{0}}}}));

TEST(CandidateLabel, IsWhatAPersonCallsIt) {
    EXPECT_EQ(label(parse_candidate("raw")), "raw");
    EXPECT_EQ(label(parse_candidate("qcow2+snapshot")), "qcow2 + snapshot");
    EXPECT_EQ(label(parse_candidate("qcow2:cluster_size=128K:extended_l2=on")),
              "qcow2 (clusters of 128 KiB, extended L2)");
    EXPECT_EQ(label(Candidate{.layer = Layer::host}), "raw on the host");
}

}  // namespace
}  // namespace poolwise
