// SPDX-License-Identifier: Apache-2.0
// What is written comes back, for every record.
#include <cmath>
#include <concepts>
#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "module/codec/profile_codec.hpp"
#include "module/codec/reader.hpp"
#include "module/codec/records.hpp"
#include "module/codec/run_codec.hpp"
#include "module/codec/sample_codec.hpp"
#include "module/codec/writer.hpp"
#include "tests/unit/module/codec/random_records.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::test {
namespace {

using testing::HasSubstr;

constexpr Origin kOrigin{"test"};
constexpr std::uint64_t kRandomRecords = 500;

template <typename Record>
Record there_and_back(const Record& record) {
    return read_record<Record>(compact_text(Writer::record(record)), kOrigin);
}

template <typename Record>
class RoundTrip : public testing::Test {};

using Records =
    testing::Types<FormatOptions, DiskDriver, Candidate, Workload, GuestShape, Profile, NodeFacts,
                   BackingDevice, PathFacts, PoolInfo, Remark, RunRequest, PlannedSample, Plan,
                   ImageFacts, Run, DirectionResult, SyncResult, FioResult, BlockCounters, CpuTimes,
                   RatePoint, Evidence, SampleTimings, Sample>;
TYPED_TEST_SUITE(RoundTrip, Records);

TYPED_TEST(RoundTrip, KeepsEveryMemberThatIsNotAtItsDefault) {
    const auto record = RandomRecords{1, Filling::complete}.make<TypeParam>();

    ASSERT_FALSE(record == TypeParam{});
    EXPECT_TRUE(there_and_back(record) == record) << readable_text(Writer::record(record));
}

TYPED_TEST(RoundTrip, KeepsARecordOfDefaults) {
    EXPECT_TRUE(there_and_back(TypeParam{}) == TypeParam{});
}

TEST(RoundTripOfWholeRecords, KeepsRandomOnes) {
    for (std::uint64_t seed = 0; seed < kRandomRecords; ++seed) {
        RandomRecords records{seed, Filling::random};
        const auto run = records.make<poolwise::Run>();
        const auto request = records.make<RunRequest>();
        const auto plan = records.make<Plan>();
        const auto sample = records.make<Sample>();
        const auto profile = records.make<Profile>();

        ASSERT_TRUE(parse_run(write_run(run), kOrigin) == run) << seed;
        ASSERT_TRUE(parse_run_request(compact_text(to_document(request)), kOrigin) == request)
            << seed;
        ASSERT_TRUE(parse_plan(compact_text(to_document(plan)), kOrigin) == plan) << seed;
        ASSERT_TRUE(parse_sample(write_sample(sample), kOrigin) == sample) << seed;
        ASSERT_TRUE(parse_profile(write_profile(profile), "test") == profile) << seed;
    }
}

TEST(RoundTripOfWholeRecords, KeepsTheLargestIntegers) {
    constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
    Sample sample;
    sample.result.read.total_ios = kLargest;
    sample.evidence.engine_device.read_bytes = Bytes{kLargest - 1};
    sample.result.read.latency.add(kLargest, kLargest - 2);

    const std::string text = write_sample(sample);

    EXPECT_THAT(text, HasSubstr("18446744073709551615"));
    EXPECT_TRUE(parse_sample(text, kOrigin) == sample);
}

TEST(Writing, LeavesOutWhatHasNoValue) {
    poolwise::Run run;  // testing::Test has a Run() of its own
    run.plan.emplace().longest = Seconds{std::numeric_limits<double>::infinity()};
    run.plan->shortest = Seconds{std::nan("")};

    const std::string text = write_run(run);

    for (const char* field : {"finished", "accelerator\"", "image", "longest_s", "shortest_s"}) {
        EXPECT_THAT(text, testing::Not(HasSubstr(field)));
    }
    EXPECT_EQ(parse_run(text, kOrigin).plan->longest, Seconds{0});
}

TEST(Writing, SurvivesTextThatIsNoUtf8) {
    Sample sample;
    sample.result.notes = {"fio: \xff\xfe"};

    const Sample back = parse_sample(write_sample(sample), kOrigin);

    EXPECT_EQ(back.result.notes.at(0), "fio: \xef\xbf\xbd\xef\xbf\xbd");
}

TEST(Writing, HasTheFormThatIsDocumented) {
    RatePoint point{std::chrono::milliseconds{1000}, Iops{12.5}, Iops{0}};
    SyncResult sync{7, Microseconds{1.5}, LatencyHistogram{{{900, 1}, {1000, 6}}}};

    EXPECT_EQ(compact_text(Writer::record(point)),
              R"({"at_ms":1000,"read_iops":12.5,"write_iops":0.0})");
    EXPECT_EQ(compact_text(Writer::record(sync)),
              R"({"total":7,"latency_mean_us":1.5,)"
              R"("latency_histogram":{"ns":[900,1000],"count":[1,6]}})");
}

TEST(Reading, RefusesAHistogramWhoseArraysDoNotMatch) {
    for (const char* histogram :
         {R"({"ns": [1, 2], "count": [1]})", R"({"ns": [2, 1], "count": [1, 1]})",
          R"({"ns": [1, 1], "count": [1, 1]})", R"({"ns": [1]})", R"([])",
          R"({"ns": [1], "count": [1], "sum": [1]})"}) {
        const std::string text =
            R"({"total": 1, "latency_histogram": )" + std::string{histogram} + "}";
        EXPECT_THAT(message_of([&] { static_cast<void>(read_record<SyncResult>(text, kOrigin)); }),
                    HasSubstr("'/latency_histogram"))
            << histogram;
    }
}

TEST(Reading, BlamesWhatItsOriginSays) {
    const Origin origin{"store.db", ErrorCode::store_failed};
    const Error error = error_of([&] { static_cast<void>(parse_run(R"({"id": 5})", origin)); });

    EXPECT_EQ(error.code(), ErrorCode::store_failed);
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("'store.db'"), HasSubstr("'/id'")));
}

TEST(Reading, RefusesATimeInAnotherShape) {
    EXPECT_THAT(message_of([] {
                    static_cast<void>(parse_run(
                        R"({"id": "x", "state": "queued", "created": "yesterday"})", kOrigin));
                }),
                HasSubstr("'/created' must be a UTC time"));
}

/// Checks the unit in the name of each field, in nested records too.
struct UnitsInNames {
    template <typename T>
    void operator()(std::string_view name, const T& member) {
        check(name, member);
    }
    template <typename T>
    void required(std::string_view name, const T& member) {
        check(name, member);
    }

    static void check(std::string_view name, Bytes) { ends(name, "_bytes"); }
    static void check(std::string_view name, BytesPerSecond) { ends(name, "_bytes_per_s"); }
    static void check(std::string_view name, Iops) { has(name, "iops"); }
    static void check(std::string_view name, Microseconds) { ends(name, "_us"); }
    static void check(std::string_view name, Seconds) { ends(name, "_s"); }
    static void check(std::string_view name, std::chrono::seconds) { ends(name, "_s"); }
    static void check(std::string_view name, std::chrono::milliseconds) { ends(name, "_ms"); }
    template <typename T>
    static void check(std::string_view name, const std::optional<T>&) {
        check(name, T{});
    }
    template <typename T>
    static void check(std::string_view name, const std::vector<T>&) {
        check(name, T{});
    }
    template <typename T>
    static void check(std::string_view, const T& member) {
        if constexpr (requires(UnitsInNames fields) { describe(fields, member); }) {
            UnitsInNames fields;
            describe(fields, member);
        }
    }

    static void ends(std::string_view name, std::string_view unit) {
        EXPECT_TRUE(name == unit.substr(1) || name.ends_with(unit)) << name << " lacks " << unit;
        ++checked;
    }
    static void has(std::string_view name, std::string_view unit) {
        EXPECT_NE(name.find(unit), std::string_view::npos) << name << " lacks " << unit;
        ++checked;
    }

    static inline int checked = 0;
};

TEST(Fields, HaveTheirUnitInTheirName) {
    UnitsInNames::check("run", poolwise::Run{});
    UnitsInNames::check("sample", Sample{});
    EXPECT_GT(UnitsInNames::checked, 50);
}

}  // namespace
}  // namespace poolwise::test
