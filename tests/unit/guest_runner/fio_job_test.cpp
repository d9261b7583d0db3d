// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/fio_job.hpp"

#include <cstdlib>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::guest_runner {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

JobSpec random_read_job() {
    JobSpec job;
    job.disk.size = Bytes{1U << 30U};
    job.workload.id = "rand-read";
    job.workload.runtime = 15s;
    job.seed = 7;
    return job;
}

/// Lines, so that "size=1" does not match "size=16".
std::set<std::string> options_of(const JobSpec& job) {
    std::istringstream text{write_fio_job(job)};
    std::set<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.insert(line);
    return lines;
}

TEST(FioJob, NamesTheDiskByItsVariableAndNeverCreatesIt) {
    const auto options = options_of(random_read_job());

    EXPECT_THAT(write_fio_job(random_read_job()), StartsWith("[rand-read]\n"));
    EXPECT_TRUE(options.contains("filename=${POOLWISE_DISK}"));
    EXPECT_TRUE(options.contains("allow_file_create=0"));
    EXPECT_TRUE(options.contains("fallocate=none"));
    EXPECT_TRUE(options.contains("direct=1"));
    EXPECT_TRUE(options.contains("ioengine=libaio"));
}

TEST(FioJob, IsTheSameTextForTheSameJobAndAnotherForAnotherSeed) {
    JobSpec other = random_read_job();
    other.seed = 8;

    EXPECT_EQ(write_fio_job(random_read_job()), write_fio_job(random_read_job()));
    EXPECT_NE(write_fio_job(random_read_job()), write_fio_job(other));
}

TEST(FioJob, TimeBasedJobsUseTheWholeDiskWhateverTheSizePercent) {
    JobSpec job = random_read_job();
    job.workload.size_percent = 25;
    job.workload.ramp = 2s;

    const auto options = options_of(job);

    EXPECT_TRUE(options.contains("time_based=1"));
    EXPECT_TRUE(options.contains("runtime=15"));
    EXPECT_TRUE(options.contains("ramp_time=2"));
    EXPECT_TRUE(options.contains("size=1073741824"));
}

TEST(FioJob, SizeBoundedJobsEndAfterTheirPartInWholeBlocks) {
    JobSpec job = random_read_job();
    job.workload.runtime.reset();
    job.workload.block_size = Bytes{1U << 20U};
    job.workload.size_percent = 33;

    const auto options = options_of(job);

    EXPECT_FALSE(options.contains("time_based=1"));
    EXPECT_TRUE(options.contains("size=" + std::to_string(337ULL << 20U)));  // 33 % of 1,024 blocks
    EXPECT_THAT(write_fio_job(job), Not(HasSubstr("norandommap")));
}

TEST(FioJob, SizeBoundedJobsEachHaveTheirOwnSlice) {
    JobSpec job = random_read_job();
    job.workload.runtime.reset();
    job.workload.jobs = 4;

    const auto options = options_of(job);

    EXPECT_TRUE(options.contains("numjobs=4"));
    EXPECT_TRUE(options.contains("size=268435456"));
    EXPECT_TRUE(options.contains("offset_increment=268435456"));
}

TEST(FioJob, RandomTimeBasedJobsRoamAndSequentialOnesDoNot) {
    JobSpec random = random_read_job();
    random.workload.jobs = 4;
    JobSpec sequential = random;
    sequential.workload.access = Access::read;

    EXPECT_THAT(write_fio_job(random), Not(HasSubstr("offset_increment")));
    EXPECT_THAT(write_fio_job(sequential), HasSubstr("offset_increment=268435456"));
}

TEST(FioJob, WritesCarryRandomDataUnlessZerosAreAskedFor) {
    JobSpec job = random_read_job();
    job.workload.access = Access::randwrite;
    EXPECT_THAT(write_fio_job(job), Not(HasSubstr("zero_buffers")));

    job.data = FillData::zeros;
    EXPECT_THAT(write_fio_job(job), HasSubstr("zero_buffers=1\n"));
}

TEST(FioJob, SyncIsFdatasyncAfterEachWriteOrAnOpenFlag) {
    JobSpec job = random_read_job();
    job.workload.access = Access::randwrite;

    job.workload.sync = Sync::fdatasync;
    EXPECT_THAT(write_fio_job(job), AllOf(HasSubstr("\nfdatasync=1\n"), Not(HasSubstr("\nsync="))));
    job.workload.sync = Sync::osync;
    EXPECT_THAT(write_fio_job(job), AllOf(HasSubstr("\nsync=1\n"), Not(HasSubstr("fdatasync"))));
}

TEST(FioJob, MapsBlocksByArithmeticAboveOneTebibyte) {
    JobSpec job = random_read_job();
    job.disk.size = Bytes{1ULL << 40U};
    EXPECT_THAT(write_fio_job(job), Not(HasSubstr("lfsr")));

    job.disk.size = Bytes{(1ULL << 40U) + 4096};
    EXPECT_THAT(write_fio_job(job), HasSubstr("random_generator=lfsr\n"));
}

TEST(FioJob, MixRateAndLogAppearOnlyWhereAskedFor) {
    JobSpec job = random_read_job();
    job.per_second_log = false;
    EXPECT_THAT(write_fio_job(job), AllOf(Not(HasSubstr("rwmixread")), Not(HasSubstr("rate_iops")),
                                          Not(HasSubstr("write_iops_log"))));

    job.per_second_log = true;
    job.workload.access = Access::randrw;
    job.workload.read_percent = 70;
    job.workload.rate = Iops{500};
    EXPECT_THAT(write_fio_job(job), AllOf(HasSubstr("rwmixread=70\n"), HasSubstr("rate_iops=500\n"),
                                          HasSubstr("write_iops_log=log\nlog_avg_msec=990\n")));
}

TEST(FioJob, RefusesAWorkloadThatCouldBreakOutOfTheFile) {
    JobSpec job = random_read_job();
    job.workload.id = "a]\nfilename=/dev/sda";

    EXPECT_EQ(test::code_of([&] { return write_fio_job(job); }), ErrorCode::invalid_request);
}

TEST(FioJob, RefusesWritesWithoutData) {
    JobSpec job = random_read_job();
    job.data = FillData::none;

    EXPECT_EQ(test::code_of([&] { return write_fio_job(job); }), ErrorCode::invalid_request);
}

TEST(FioJob, NeedsABlockForEachJob) {
    JobSpec job = random_read_job();
    job.workload.runtime.reset();
    job.workload.jobs = 4;
    job.disk.size = Bytes{4 * 4096};
    EXPECT_THAT(write_fio_job(job), HasSubstr("size=4096\n"));

    job.disk.size = Bytes{4 * 4096 - 1};
    EXPECT_THAT(test::message_of([&] { return write_fio_job(job); }), HasSubstr("larger volume"));
}

TEST(FioJob, UsesNoMoreOfTheDiskThanItsSpan) {
    JobSpec job = random_read_job();
    job.disk.size = Bytes{(1U << 30U) + 253952};  // a VHD
    job.span = Bytes{1U << 30U};

    EXPECT_THAT(write_fio_job(job), HasSubstr("size=1073741824\n"));
}

/// Every access with every sync, bound, number of jobs, data and rate that is legal.
std::vector<JobSpec> every_combination() {
    std::vector<JobSpec> jobs;
    for (const auto& [access, access_name] : kAccessNames) {
        for (const auto& [sync, sync_name] : kSyncNames) {
            if (sync != Sync::none && !writes(access)) continue;
            for (const unsigned variant : {0U, 1U, 2U, 3U}) {
                JobSpec job = random_read_job();
                job.workload.id = std::string{access_name} + "-" + std::string{sync_name} + "-" +
                                  std::to_string(variant);
                job.workload.access = access;
                job.workload.sync = sync;
                const bool size_bounded = (variant & 1U) != 0;
                const bool several = (variant & 2U) != 0;
                if (size_bounded) job.workload.runtime.reset();
                if (!size_bounded) job.workload.ramp = 2s;
                if (several) job.workload.jobs = 3;
                if (several) job.workload.rate = Iops{100};
                job.disk.size = several ? Bytes{3ULL << 40U} : Bytes{1U << 30U};
                job.data = several ? FillData::zeros : FillData::random;
                job.seed = several ? ~0ULL : 0;
                jobs.push_back(job);
            }
        }
    }
    return jobs;
}

/// Exit status of `fio --parse-only` on a job file of this text.
int parsed_by_fio(const std::string& text) {
    const test::ScratchFolder folder;
    const std::string file = folder.put("job.fio", text);
    return std::system(
        ("POOLWISE_DISK=/dev/null fio --parse-only '" + file + "' >/dev/null").c_str());
}

TEST(FioJob, FioItselfUnderstandsEveryCombination) {
    if (std::system("fio --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "fio does not start";
    std::string jobs;
    for (const JobSpec& job : every_combination()) jobs += write_fio_job(job);

    EXPECT_EQ(parsed_by_fio(jobs), 0) << "fio says above which job it drops";
    EXPECT_NE(parsed_by_fio(jobs + "[bad]\nrw=read\nno_such_option=1\n"), 0)
        << "--parse-only accepts anything";
}

}  // namespace
}  // namespace poolwise::guest_runner
