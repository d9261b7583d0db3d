// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/fio_result.hpp"

#include <ostream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/guest_runner/fio_files.hpp"

namespace poolwise::guest_runner {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using namespace test;

std::string randread() {
    return fio_file("fio-3.33-randread.json");
}

std::vector<std::string> faults_of(std::string_view text, const Workload& workload,
                                   int exit_status = 0) {
    return read_fio_result(text, exit_status, workload).faults;
}

// What honest files say

TEST(FioResult, ReadsARecordedRun) {
    const FioReading reading = read_fio_result(randread(), 0, randread_workload());

    EXPECT_THAT(reading.faults, IsEmpty());
    ASSERT_TRUE(reading.result);
    const FioResult& result = *reading.result;
    EXPECT_EQ(result.fio_version, "fio-3.33");
    EXPECT_EQ(result.read.total_ios, 450U);
    EXPECT_EQ(result.read.io_bytes, Bytes{1847296});  // 451 blocks: one was under way at ramp's end
    EXPECT_DOUBLE_EQ(result.read.iops.count(), 149.950017);
    EXPECT_EQ(result.read.runtime, 3001ms);
    EXPECT_EQ(result.read.latency.count(), 451U);
    EXPECT_EQ(result.write, DirectionResult{});
    EXPECT_EQ(result.job_runtime, 3000ms);
    EXPECT_FALSE(result.sync);
    EXPECT_THAT(result.notes, IsEmpty());
}

TEST(FioResult, LatenciesAreMicroseconds) {
    std::string text = randread();
    const std::size_t at = text.find("\"mean\"", text.find("\"clat_ns\""));
    const std::size_t colon = text.find(':', at);
    const double nanoseconds = std::stod(text.substr(colon + 1));

    const FioReading reading = read_fio_result(text, 0, randread_workload());

    EXPECT_DOUBLE_EQ(reading.result->read.latency_mean.count(), nanoseconds / 1000);
    EXPECT_GE(reading.result->read.latency_max, reading.result->read.latency_mean);
}

TEST(FioResult, ReadsFdatasyncAlthoughFioLeavesItsTotalAtZero) {
    const FioReading reading =
        read_fio_result(fio_file("fio-3.33-fdatasync.json"), 0, fdatasync_workload());

    EXPECT_THAT(reading.faults, IsEmpty());
    ASSERT_TRUE(reading.result && reading.result->sync);
    EXPECT_EQ(reading.result->sync->total, 180U);
    EXPECT_EQ(reading.result->sync->latency.count(), 180U);
    EXPECT_GT(reading.result->sync->latency_mean.count(), 0);
    EXPECT_DOUBLE_EQ(reading.result->depth_share, 1);  // fio says 200 %: flushes count
}

TEST(FioResult, AddsUpJobsThatFioGrouped) {
    const FioReading reading =
        read_fio_result(fio_file("fio-3.33-two-jobs.json"), 0, two_jobs_workload("two-jobs"));

    EXPECT_THAT(reading.faults, IsEmpty());
    ASSERT_TRUE(reading.result);
    EXPECT_EQ(reading.result->total_ios(), 720U);
    EXPECT_LT(reading.result->job_runtime, 3100ms);  // fio's own is the sum of both
}

TEST(FioResult, AddsUpJobsThatFioKeptApart) {
    const FioReading reading = read_fio_result(fio_file("fio-3.33-two-jobs-apart.json"), 0,
                                               two_jobs_workload("two-jobs-apart"));

    EXPECT_THAT(reading.faults, IsEmpty());
    ASSERT_TRUE(reading.result);
    EXPECT_EQ(reading.result->total_ios(), 720U);
    EXPECT_EQ(reading.result->read.latency.count(), 360U);
    EXPECT_NEAR(reading.result->read.iops.count(), 120, 1);
}

TEST(FioResult, DepthShareIsThatOfTheBucketWithTheAskedDepth) {
    const std::string text = fio_file("fio-3.33-size-bounded.json");
    Workload workload = size_bounded_workload();

    EXPECT_THAT(read_fio_result(text, 0, workload).result->depth_share, DoubleNear(0.953125, 1e-9));
    workload.iodepth = 7;  // fio files 4 to 7 under 4
    EXPECT_THAT(read_fio_result(text, 0, workload).result->depth_share, DoubleNear(0.953125, 1e-9));
    workload.iodepth = 200;
    EXPECT_EQ(read_fio_result(text, 0, workload).result->depth_share, 0);
}

TEST(FioResult, DiskStatisticsMayBeMissing) {
    std::string text = randread();
    text = text.substr(0, text.find(",\n  \"disk_util\"")) + "\n}\n";

    EXPECT_THAT(faults_of(text, randread_workload()), IsEmpty());
}

TEST(FioResult, TakesTheLastOfSeveralDocumentsBecauseTheirFiguresAreRunningTotals) {
    Workload workload = fio_workload("status-interval");
    workload.iodepth = 4;

    const FioReading reading =
        read_fio_result(fio_file("fio-3.33-status-interval.json"), 0, workload);

    EXPECT_THAT(reading.faults, IsEmpty());
    EXPECT_EQ(reading.result->read.total_ios, 150U);
    EXPECT_THAT(reading.result->notes, ElementsAre("the last of 4 documents was read"));
}

// What fio garbles

TEST(FioResult, KeepsHarmlessTextAroundTheDocumentAsNotes) {
    const FioReading reading = read_fio_result(
        "note: both iodepth >= 1\r\n\n" + randread() + "trailer\n", 0, randread_workload());

    EXPECT_THAT(reading.faults, IsEmpty());
    EXPECT_THAT(reading.result->notes, ElementsAre("note: both iodepth >= 1", "trailer"));
}

TEST(FioResult, SurvivesControlCharactersAndBadUtf8InStrings) {
    const std::string text = replaced(randread(), "\"time\" : \"", "\"time\" : \"a\tb\xFF\x01\n ");

    EXPECT_THAT(faults_of(text, randread_workload()), IsEmpty());
}

TEST(FioResult, SurvivesNotANumberWhereNoFigureIsRead) {
    const std::string text = replaced(randread(), "\"stddev\" : 0.000000", "\"stddev\" : -nan");

    EXPECT_THAT(faults_of(text, randread_workload()), IsEmpty());
}

TEST(FioResult, AFigureThatIsNotANumberIsAFault) {
    for (const std::string_view token : {"nan", "-nan", "inf", "-inf", "-5", "\"12\"", "null"}) {
        const std::string text =
            replaced(randread(), "\"iops\" : 149.950017", "\"iops\" : " + std::string{token});
        EXPECT_THAT(faults_of(text, randread_workload()), Contains(HasSubstr("'iops'"))) << token;
    }
}

TEST(FioResult, KeysMayRepeatOnlyAmongOptions) {
    const std::string option = replaced(randread(), "\"job options\" : {",
                                        "\"job options\" : {\n\"rw\" : \"read\",\n\"rw\" : \"x\",");
    EXPECT_THAT(faults_of(option, randread_workload()), IsEmpty());

    const std::string error =
        replaced(randread(), "\"error\" : 0,", "\"error\" : 5, \"error\" : 0,");
    EXPECT_THAT(faults_of(error, randread_workload()), Contains(HasSubstr("'error' stands twice")));
}

// What fio reports

TEST(FioResult, NamesADiskError) {
    const std::string line =
        "fio: pid=11, err=5/file:io_u.c:1845, func=io_u error, error=Input/output error\n";
    const std::string document = replaced(randread(), "\"error\" : 0,", "\"error\" : 5,");
    for (const int lines : {1, 7, 10'000}) {
        std::string text;
        for (int i = 0; i < lines; ++i) text += line;

        const FioReading reading = read_fio_result(text + document, 1, randread_workload());

        ASSERT_TRUE(reading.result);
        EXPECT_THAT(reading.faults, Contains(HasSubstr("disk error (EIO)")));
        EXPECT_THAT(reading.faults, Contains(HasSubstr("func=io_u error")));
        EXPECT_THAT(reading.faults, Contains("fio ended with status 1"));
        EXPECT_THAT(reading.faults, SizeIs(3));
        EXPECT_LE(reading.result->notes.size(), 21U);
    }
}

TEST(FioResult, AnErrorLineAloneIsAFault) {
    EXPECT_THAT(
        faults_of("fio: pid=11, err=5/file:io_u.c:1845\n" + randread(), randread_workload()),
        ElementsAre(HasSubstr("err=5")));
}

TEST(FioResult, NamesAFullDisk) {
    const FioReading reading =
        read_fio_result(fio_file("fio-3.33-dev-full.json"), 1, dev_full_workload());

    EXPECT_THAT(reading.faults, Contains(HasSubstr("no space left (ENOSPC)")));
}

TEST(FioResult, NamesRefusedDirectIo) {
    EXPECT_THAT(faults_of(fio_file("fio-3.33-direct-refused.json"), direct_refused_workload(), 1),
                Contains(AllOf(HasSubstr("direct I/O"), HasSubstr("sector"))));
}

TEST(FioResult, AJobThatNeverStartedIsAFaultEvenIfTheWrapperSaysZero) {
    EXPECT_THAT(
        faults_of(fio_file("fio-3.33-no-size.json"), fio_workload("no-size")),
        AllOf(Contains(HasSubstr("error 22")), Contains(HasSubstr("not a single request"))));
    EXPECT_THAT(faults_of("", randread_workload()), ElementsAre(HasSubstr("empty")));
    EXPECT_THAT(faults_of(fio_file("fio-3.33-bad-value.txt"), randread_workload()),
                ElementsAre(HasSubstr("valid values: read")));
    EXPECT_THAT(faults_of(fio_file("fio-3.33-no-engine.txt"), randread_workload()),
                Contains(HasSubstr("engine nosuch not loadable")));
}

TEST(FioResult, AStoppedRunIsAFaultAlthoughItsErrorIsZero) {
    Workload workload = fio_workload("sigterm");
    workload.runtime = 30s;
    workload.iodepth = 4;

    const auto faults = faults_of(fio_file("fio-3.33-sigterm.json"), workload, 128);

    EXPECT_THAT(faults, Contains(HasSubstr("terminating on signal 15")));
    EXPECT_THAT(faults, Contains(HasSubstr("1181 ms of the 30000 ms")));
    EXPECT_THAT(faults, Contains(HasSubstr("status 128: it was told to stop")));
}

TEST(FioResult, ExitStatusAloneIsAFault) {
    EXPECT_THAT(faults_of(randread(), randread_workload(), 1),
                ElementsAre("fio ended with status 1"));
    EXPECT_THAT(faults_of(randread(), randread_workload(), 137),
                ElementsAre(HasSubstr("killed by signal 9")));
}

TEST(FioResult, ShortRunsAreFaultsBelow95Percent) {
    Workload workload = randread_workload();
    const auto with_runtime = [](const std::string& runtime) {
        std::string text = replaced(randread(), "\"runtime\" : 3001", "\"runtime\" : " + runtime);
        const double factor = 3001 / std::stod(runtime);
        text = replaced(text, "\"iops\" : 149.950017",
                        "\"iops\" : " + std::to_string(149.950017 * factor));
        return replaced(text, "\"bw_bytes\" : 615560",
                        "\"bw_bytes\" : " + std::to_string(615560 * factor));
    };

    EXPECT_THAT(faults_of(with_runtime("2850"), workload), IsEmpty());
    EXPECT_THAT(faults_of(with_runtime("2849"), workload),
                ElementsAre(HasSubstr("2849 ms of the 3000 ms")));
}

// What does not fit together

TEST(FioResult, TruncatedFilesSaySo) {
    const std::string three = randread() + randread() + randread();

    EXPECT_THAT(faults_of(three.substr(0, three.size() - 200), randread_workload()),
                ElementsAre(HasSubstr("truncated")));
    EXPECT_THAT(faults_of(randread().substr(0, 5000), randread_workload()),
                ElementsAre(HasSubstr("truncated")));
}

TEST(FioResult, RefusesFilesBeyondItsLimits) {
    EXPECT_THAT(faults_of(std::string((8U << 20U) + 1, ' '), randread_workload()),
                ElementsAre(HasSubstr("8 MiB")));
    const std::string nest(100'000, '[');
    EXPECT_THAT(faults_of("{\n\"a\" : " + nest + "\n}\n", randread_workload()),
                ElementsAre(HasSubstr("16 deep")));
}

TEST(FioResult, RefusesTheUnitsOfFio2) {
    const std::string old = fio_file("fio-2.19-made.json");

    const FioReading reading = read_fio_result(old, 0, fio_workload("old-units"));

    EXPECT_FALSE(reading.result);
    EXPECT_THAT(reading.faults, ElementsAre(HasSubstr("units of fio 2")));
    EXPECT_THAT(faults_of(replaced(old, "\"clat\"", "\"clat_ns\""), fio_workload("old-units")),
                ElementsAre(HasSubstr("mixes the units")));
}

TEST(FioResult, EveryExpectedJobMustBeThere) {
    const std::string apart = fio_file("fio-3.33-two-jobs-apart.json");
    Workload workload = two_jobs_workload("two-jobs-apart");

    workload.jobs = 3;
    EXPECT_THAT(faults_of(apart, workload), Contains(HasSubstr("2 of 3 jobs")));
    workload.jobs = 1;
    EXPECT_THAT(faults_of(apart, workload), Contains(HasSubstr("2 of 1 jobs")));
    EXPECT_THAT(faults_of(randread(), two_jobs_workload("randread")),
                ElementsAre(HasSubstr("1 of 2 jobs")));
}

TEST(FioResult, AnotherJobsFileIsAFault) {
    Workload workload = randread_workload();
    workload.id = "seq-read";

    EXPECT_THAT(faults_of(randread(), workload), ElementsAre(HasSubstr("'randread'")));
}

TEST(FioResult, TheOtherDirectionIsAFault) {
    Workload workload = randread_workload();
    workload.access = Access::randwrite;

    EXPECT_THAT(faults_of(randread(), workload), ElementsAre(HasSubstr("asks for randwrite")));
}

TEST(FioResult, MissingFdatasyncIsAFault) {
    Workload workload = size_bounded_workload();
    workload.sync = Sync::fdatasync;

    EXPECT_THAT(faults_of(fio_file("fio-3.33-size-bounded.json"), workload),
                ElementsAre(HasSubstr("fdatasync")));
}

struct Edit {
    const char* name;
    const char* from;
    const char* to;
    const char* fault;
};

void PrintTo(const Edit& edit, std::ostream* out) {
    *out << edit.to;
}

class FioResultEdited : public testing::TestWithParam<Edit> {};

TEST_P(FioResultEdited, IsFaultyForThatReason) {
    const auto& [name, from, to, fault] = GetParam();

    EXPECT_THAT(faults_of(replaced(randread(), from, to), randread_workload()),
                Contains(HasSubstr(fault)));
}

INSTANTIATE_TEST_SUITE_P(
    Figures, FioResultEdited,
    testing::Values(
        Edit{"RateFivePercentOff", "\"iops\" : 149.950017", "\"iops\" : 157.4", "iops is 157.4"},
        Edit{"TotalFivePercentOff", "\"total_ios\" : 450", "\"total_ios\" : 473", "473"},
        Edit{"BandwidthOff", "\"bw_bytes\" : 615560", "\"bw_bytes\" : 647000", "bw_bytes"},
        Edit{"BytesInKibibytes", "\"io_bytes\" : 1847296", "\"io_bytes\" : 1804", "io_bytes"},
        Edit{"NegativeCount", "\"total_ios\" : 450", "\"total_ios\" : -450", "'total_ios'"},
        Edit{"FractionalCount", "\"total_ios\" : 450", "\"total_ios\" : 450.5", "'total_ios'"},
        Edit{"HugeCount", "\"total_ios\" : 450", "\"total_ios\" : 18446744073709551615",
             "'total_ios'"},
        Edit{"NoRuntime", "\"runtime\" : 3001", "\"runtime\" : 0", "runtime of 0 ms"},
        Edit{"NoBins", "\"bins\"", "\"gone\"", "latency bins hold 0"},
        Edit{"NoLatencies", "\"clat_ns\"", "\"gone\"", "'clat_ns'"},
        Edit{"NoReads", "\"read\" : {", "\"gone\" : {", "'read'"},
        Edit{"NoError", "\"error\" : 0", "\"gone\" : 0", "'error'"},
        Edit{"ErrorNotANumber", "\"error\" : 0", "\"error\" : nan", "'error'"},
        Edit{"NoJobs", "\"jobs\"", "\"gone\"", "no jobs"},
        Edit{"NotJson", "\"jobs\" :", "\"jobs\" ", "not legal JSON"}),
    [](const auto& instance) { return std::string{instance.param.name}; });

TEST(FioResult, RatesMayBeTwoPercentOff) {
    EXPECT_THAT(faults_of(replaced(randread(), "\"iops\" : 149.950017", "\"iops\" : 152.9"),
                          randread_workload()),
                IsEmpty());
}

/// The value of the first `key` after `"clat_ns"` in the recorded file, replaced.
std::string with_latency(std::string_view key, const std::string& value) {
    std::string text = randread();
    const std::string quoted = "\"" + std::string{key} + "\" : ";
    const std::size_t at = text.find(quoted, text.find("\"clat_ns\"")) + quoted.size();
    return text.replace(at, text.find_first_of(",\n", at) - at, value);
}

TEST(FioResult, LatenciesOutOfOrderAreAFault) {
    EXPECT_THAT(faults_of(with_latency("min", "999999999999"), randread_workload()),
                Contains(HasSubstr("out of order")));
    EXPECT_THAT(faults_of(with_latency("max", "1"), randread_workload()),
                Contains(HasSubstr("out of order")));
    EXPECT_THAT(faults_of(with_latency("50.000000", "999999999999"), randread_workload()),
                Contains(HasSubstr("do not rise")));
}

// What nobody thought of

/// Changes, removes, doubles or moves bytes at up to four places.
std::string mutated(std::string text, std::mt19937_64& random) {
    static constexpr std::string_view kBytes = "{}[]\",:\\-+.eE0159nait \n\t\x01\xC3\xFF";
    const auto below = [&random](std::size_t limit) {
        return static_cast<std::size_t>(random() % limit);
    };
    for (std::size_t edits = 1 + below(4); edits > 0 && text.size() > 2; --edits) {
        const std::size_t at = below(text.size());
        const std::size_t length = 1 + below(std::min<std::size_t>(text.size() - at, 40));
        switch (below(5)) {
            case 0:
                text[at] = kBytes[below(kBytes.size())];
                break;
            case 1:
                text.insert(at, 1, kBytes[below(kBytes.size())]);
                break;
            case 2:
                text.erase(at, length);
                break;
            case 3:
                text.insert(below(text.size()), text.substr(at, length));
                break;
            case 4:
                text.resize(text.size() - below(text.size() / 8));
                break;
        }
    }
    return text;
}

struct Recorded {
    std::string text;
    Workload workload;
    std::string error_line;  ///< a job's error as fio wrote it; empty where no job met one
};

TEST(FioResult, TwentyThousandMutantsNeitherCrashNorHideAnError) {
    const std::vector<Recorded> files{
        {randread(), randread_workload(), ""},
        {fio_file("fio-3.33-size-bounded.json"), size_bounded_workload(), ""},
        {fio_file("fio-3.33-dev-full.json"), dev_full_workload(), "\"error\" : 28,"},
        {fio_file("fio-3.33-direct-refused.json"), direct_refused_workload(), "\"error\" : 22,"},
        // Fine but for the error: the hardest to notice.
        {replaced(fio_file("fio-3.33-size-bounded.json"), "\"error\" : 0,", "\"error\" : 5,"),
         size_bounded_workload(), "\"error\" : 5,"},
    };
    std::mt19937_64 random{20'240'601};
    int mutants_with_error = 0;
    int still_fine = 0;

    for (int i = 0; i < 20'000; ++i) {
        const Recorded& file = files[static_cast<std::size_t>(i) % files.size()];
        const std::string text = mutated(file.text, random);
        const FioReading reading = read_fio_result(text, 0, file.workload);
        EXPECT_TRUE(reading.result || !reading.faults.empty());
        still_fine += reading.faults.empty() ? 1 : 0;
        if (file.error_line.empty() || text.find(file.error_line) == std::string::npos) continue;
        ++mutants_with_error;
        ASSERT_FALSE(reading.faults.empty()) << text;
    }
    EXPECT_GT(mutants_with_error, 5'000);
    EXPECT_GT(still_fine, 100) << "a reader that refuses everything would pass";
}

}  // namespace
}  // namespace poolwise::guest_runner
