// SPDX-License-Identifier: Apache-2.0
#include "module/analysis/evidence.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace poolwise {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t kRequests = 15'000;
constexpr double kRate = 1000;

Workload random_read() {
    Workload workload;
    workload.id = "rand-read";
    workload.iodepth = 16;
    workload.runtime = 15s;
    return workload;
}

/// 15 s at 1,000 reads of 4 KiB per second, seen alike by everybody.
Sample believed() {
    Sample sample;
    sample.candidate = "raw";
    sample.workload = "rand-read";
    sample.result.read.total_ios = kRequests;
    sample.result.read.io_bytes = Bytes{kRequests * 4096};
    sample.result.read.iops = Iops{kRate};
    sample.result.job_runtime = 15s;
    sample.result.depth_share = 1;
    for (int window = 1; window <= 15; ++window) {
        sample.log.push_back({.at = window * 990ms, .read = Iops{kRate}, .write = Iops{}});
    }
    Evidence& evidence = sample.evidence;
    evidence.engine_device = {.read_requests = kRequests,
                              .write_requests = 0,
                              .flush_requests = 0,
                              .read_bytes = Bytes{kRequests * 4096},
                              .write_bytes = Bytes{}};
    evidence.host_block = evidence.engine_device;
    evidence.guest_vcpus = 1;
    evidence.engine_cpu = {.busy = 8s, .idle = 8s, .steal = 0s};
    evidence.host_cpu = {.busy = 10s, .idle = 22s, .steal = 0s};
    evidence.engine_wall = 15.5s;
    evidence.host_wall = 15.5s;
    evidence.live_driver = DiskDriver{};
    return sample;
}

std::vector<std::string> reasons_for(const Sample& sample, const Workload& workload = random_read(),
                                     const DiskDriver& asked = {}) {
    return void_reasons(sample, workload, asked);
}

void multiply_log(Sample& sample, double factor) {
    for (RatePoint& point : sample.log) point.read = Iops{point.read.count() * factor};
}

TEST(VoidReasons, AreNoneWhereEverybodyAgrees) {
    EXPECT_THAT(reasons_for(believed()), IsEmpty());
}

// Witnesses: 1 % of 15,000 is 150, of the larger figure; and 16 strays.

TEST(VoidReasons, QemuCountsOtherRequestsThanFio) {
    Sample sample = believed();
    sample.evidence.host_block->read_requests = kRequests - 166;
    EXPECT_THAT(reasons_for(sample), IsEmpty());

    sample.evidence.host_block->read_requests = kRequests - 167;
    EXPECT_THAT(reasons_for(sample),
                ElementsAre("fio counted 15000 read requests, QEMU 14833",
                            "the engine's kernel counted 15000 read requests, QEMU 14833"));
}

TEST(VoidReasons, TheGuestCountsOtherRequestsThanFio) {
    Sample sample = believed();
    sample.evidence.host_block.reset();
    sample.evidence.engine_device.read_requests = kRequests + 167;
    EXPECT_THAT(reasons_for(sample), IsEmpty());

    sample.evidence.engine_device.read_requests = kRequests + 168;
    EXPECT_THAT(reasons_for(sample),
                ElementsAre("fio counted 15000 read requests, the engine's kernel 15168"));
}

TEST(VoidReasons, BytesDoNotMatchAlthoughRequestsDo) {
    Sample sample = believed();
    sample.evidence.host_block->read_bytes = Bytes{kRequests * 4096 * 98 / 100};

    EXPECT_THAT(reasons_for(sample), Contains(AllOf(HasSubstr("bytes read"), HasSubstr("QEMU"))));
}

TEST(VoidReasons, WritesArriveThatFioNeverMade) {
    Sample sample = believed();
    sample.evidence.host_block->write_requests = 16;
    sample.evidence.engine_device.write_requests = 16;
    EXPECT_THAT(reasons_for(sample), IsEmpty());

    sample.evidence.host_block->write_requests = 17;
    EXPECT_THAT(reasons_for(sample), ElementsAre("fio counted 0 write requests, QEMU 17"));
}

TEST(VoidReasons, WithARampTheWitnessesMaySeeMoreButNotLessThanFio) {
    Workload workload = random_read();
    workload.ramp = 2s;
    Sample sample = believed();
    sample.evidence.host_block->read_requests = 17'000;
    sample.evidence.host_block->read_bytes = Bytes{17'000 * 4096};
    sample.evidence.engine_device = *sample.evidence.host_block;
    EXPECT_THAT(reasons_for(sample, workload), IsEmpty());
    EXPECT_THAT(reasons_for(sample), Contains(HasSubstr("17000")));

    sample.evidence.host_block->read_requests = 14'800;
    sample.evidence.engine_device.read_requests = 14'800;
    EXPECT_THAT(reasons_for(sample, workload),
                ElementsAre("fio counted 15000 read requests, the engine's kernel 14800",
                            "fio counted 15000 read requests, QEMU 14800"));
}

TEST(VoidReasons, WithARampTheWitnessesMustStillAgreeWithEachOther) {
    Workload workload = random_read();
    workload.ramp = 2s;
    Sample sample = believed();
    sample.evidence.engine_device.read_requests = 17'000;
    sample.evidence.host_block->read_requests = 16'000;

    EXPECT_THAT(reasons_for(sample, workload),
                ElementsAre("the engine's kernel counted 17000 read requests, QEMU 16000"));
}

TEST(VoidReasons, KernelsMayJoinSequentialAndSplitLargeRequests) {
    Workload sequential = random_read();
    sequential.access = Access::read;
    Workload large = random_read();
    large.block_size = Bytes{256U << 10U};
    Sample sample = believed();
    sample.evidence.engine_device.read_requests = kRequests / 3;
    sample.evidence.host_block->read_requests = kRequests / 3;

    EXPECT_THAT(reasons_for(sample, sequential), IsEmpty());
    EXPECT_THAT(reasons_for(sample, large), IsEmpty());
    EXPECT_THAT(reasons_for(sample), testing::Not(IsEmpty()));
}

TEST(VoidReasons, OnTheHostNoCountersAreNoWitness) {
    Sample sample = believed();
    sample.evidence.engine_device = {};
    sample.evidence.host_block.reset();
    EXPECT_THAT(reasons_for(sample), testing::Not(IsEmpty()));  // a guest that saw nothing

    sample.evidence.guest_vcpus = 0;
    EXPECT_THAT(reasons_for(sample), IsEmpty());
}

// fio's own log: 14.85 of 15 s logged, 14,850 requests

TEST(VoidReasons, FiosTotalIsFivePercentOffItsOwnLog) {
    for (const double factor : {0.95, 1.05}) {
        Sample sample = believed();
        multiply_log(sample, 1 / factor);
        EXPECT_THAT(reasons_for(sample), ElementsAre(HasSubstr("its own log has"))) << factor;
    }
}

TEST(VoidReasons, FiosTotalMayBeOnePercentOffItsOwnLog) {
    for (const double factor : {0.99, 1.0, 1.01}) {
        Sample sample = believed();
        multiply_log(sample, 1 / factor);
        EXPECT_THAT(reasons_for(sample), IsEmpty()) << factor;
    }
}

TEST(VoidReasons, ALogThatLacksItsLastSecondIsNoFault) {
    // Recorded from fio 3.33 with windows of 1,000 ms: 14,013 of 15,000 ms logged.
    Sample sample = believed();
    sample.log.clear();
    double logged = 0;
    std::chrono::milliseconds last{0};
    const std::vector<std::pair<int, double>> recorded{
        {1000, 23132},  {2004, 23424},  {3004, 21368},  {4004, 34315}, {5005, 44054},
        {6006, 25494},  {7007, 20310},  {8009, 22945},  {9010, 24851}, {10011, 24358},
        {11011, 23591}, {12011, 33966}, {13012, 15323}, {14013, 35221}};
    for (const auto& [at, rate] : recorded) {
        sample.log.push_back(
            {.at = std::chrono::milliseconds{at}, .read = Iops{rate}, .write = {}});
        logged += rate * static_cast<double>(at - last.count()) / 1000;
        last = std::chrono::milliseconds{at};
    }
    sample.evidence.host_block.reset();
    sample.evidence.engine_device = {};
    sample.evidence.guest_vcpus = 0;

    sample.result.read.total_ios = 208'763 + 208'717;  // what fio said
    EXPECT_THAT(reasons_for(sample), IsEmpty());
    sample.result.read.total_ios =
        static_cast<std::uint64_t>(logged);  // nothing in the last second
    EXPECT_THAT(reasons_for(sample), IsEmpty());
    sample.result.read.total_ios = static_cast<std::uint64_t>(logged * 0.98);
    EXPECT_THAT(reasons_for(sample), ElementsAre(HasSubstr("14 of 15 s")));
}

TEST(VoidReasons, HonestLogsPassWhateverTheStorageDoes) {
    // Any rates, stalls included, windows a few ms late, rates rounded down as fio does.
    std::mt19937_64 random{5};
    for (int round = 0; round < 2'000; ++round) {
        const auto seconds = static_cast<std::int64_t>(3 + random() % 13);
        const double scale = std::pow(10.0, 1 + static_cast<double>(random() % 4));
        Sample sample = believed();
        sample.log.clear();
        sample.evidence.host_block.reset();
        sample.evidence.engine_device = {};
        sample.evidence.guest_vcpus = 0;
        sample.result.job_runtime = std::chrono::seconds{seconds};
        double total = 0;
        std::chrono::milliseconds at{0};
        double fastest = 0;
        while (true) {
            const std::chrono::milliseconds window{990 + random() % 5};
            if (at + window > sample.result.job_runtime) break;
            const double rate =
                random() % 10 == 0 ? 0 : scale * static_cast<double>(random() % 100);
            at += window;
            total += rate * Seconds{window}.count();
            fastest = std::max(fastest, rate);
            sample.log.push_back({.at = at, .read = Iops{std::floor(rate)}, .write = {}});
        }
        total += fastest * Seconds{sample.result.job_runtime - at}.count();
        sample.result.read.total_ios = static_cast<std::uint64_t>(total);
        Workload workload = random_read();
        workload.runtime = std::chrono::seconds{seconds};

        ASSERT_THAT(reasons_for(sample, workload), IsEmpty()) << "round " << round;
    }
}

TEST(VoidReasons, ShortRunsAreNotHeldAgainstTheirLog) {
    Workload bounded = random_read();
    bounded.runtime.reset();
    Sample sample = believed();
    sample.log = {{.at = 990ms, .read = Iops{99'999}, .write = {}}};

    sample.result.job_runtime = 2999ms;
    EXPECT_THAT(reasons_for(sample, bounded), IsEmpty());
    sample.result.job_runtime = 3000ms;
    EXPECT_THAT(reasons_for(sample, bounded), ElementsAre(HasSubstr("its own log")));
}

// Depth, time, clocks, steal

TEST(VoidReasons, TheAskedDepthWasNotReached) {
    Sample sample = believed();
    sample.result.depth_share = 0.949;  // of 15,000, 16 of which fill the queue
    EXPECT_THAT(reasons_for(sample), IsEmpty());

    sample.result.depth_share = 0.9489;
    EXPECT_THAT(reasons_for(sample),
                ElementsAre(AllOf(HasSubstr("94.9 %"), HasSubstr("depth of 16"))));
}

TEST(VoidReasons, DepthOneAndCappedRatesNeedNoFullQueue) {
    Workload one = random_read();
    one.iodepth = 1;
    Workload capped = random_read();
    capped.rate = Iops{1000};
    Sample sample = believed();
    sample.result.depth_share = 0.1;

    EXPECT_THAT(reasons_for(sample, one), IsEmpty());
    EXPECT_THAT(reasons_for(sample, capped), IsEmpty());
}

TEST(VoidReasons, TheAchievedMixIsMoreThanTwoPointsOffTheAskedOne) {
    Workload mixed = random_read();
    mixed.access = Access::randrw;
    mixed.read_percent = 70;
    Sample sample = believed();
    sample.log.clear();
    sample.evidence.host_block.reset();
    const auto with_reads = [&](std::uint64_t reads) {
        sample.result.read.total_ios = reads;
        sample.result.write.total_ios = kRequests - reads;
        sample.result.read.io_bytes = Bytes{reads * 4096};
        sample.result.write.io_bytes = Bytes{(kRequests - reads) * 4096};
        sample.evidence.engine_device = {.read_requests = reads,
                                         .write_requests = kRequests - reads,
                                         .flush_requests = 0,
                                         .read_bytes = sample.result.read.io_bytes,
                                         .write_bytes = sample.result.write.io_bytes};
        return reasons_for(sample, mixed);
    };

    // 2 points, and 3 sigma of 15,000 draws: 1.12 points.
    EXPECT_THAT(with_reads(kRequests * 673 / 1000), IsEmpty());
    EXPECT_THAT(with_reads(kRequests * 731 / 1000), IsEmpty());
    EXPECT_THAT(with_reads(kRequests * 668 / 1000),
                ElementsAre("66.8 % of the requests were reads, 70 % were asked for"));
    EXPECT_THAT(with_reads(kRequests), ElementsAre(HasSubstr("100 % of the requests were reads")));
}

TEST(VoidReasons, FioStoppedEarly) {
    Sample sample = believed();
    sample.log.clear();
    sample.result.job_runtime = 14'250ms;  // 95 %
    EXPECT_THAT(reasons_for(sample), IsEmpty());

    sample.result.job_runtime = 14'249ms;
    EXPECT_THAT(reasons_for(sample), ElementsAre("fio ran for 14.2 s of the 15 s asked for"));
}

TEST(VoidReasons, TheClocksDisagree) {
    Sample sample = believed();
    sample.evidence.host_wall = 100s;
    sample.evidence.engine_wall = 99s;
    EXPECT_THAT(reasons_for(sample), IsEmpty());
    sample.evidence.engine_wall = 101s;
    EXPECT_THAT(reasons_for(sample), IsEmpty());

    sample.evidence.engine_wall = 98.8s;
    EXPECT_THAT(reasons_for(sample),
                ElementsAre("the engine's clock says that fio took 98.8 s, the node's says 100 s"));
}

TEST(VoidReasons, ClocksAreNotComparedOverShortSpans) {
    Sample sample = believed();
    sample.evidence.host_wall = 2.9s;
    sample.evidence.engine_wall = 2.5s;
    EXPECT_THAT(reasons_for(sample), IsEmpty());

    sample.evidence.host_wall = 3s;
    EXPECT_THAT(reasons_for(sample), ElementsAre(HasSubstr("clock")));
}

TEST(VoidReasons, TheNodeStoleCpuTimeFromTheGuest) {
    Sample sample = believed();
    sample.evidence.engine_cpu = {.busy = 10s, .idle = 9s, .steal = 1s};  // exactly 5 %
    EXPECT_THAT(reasons_for(sample), IsEmpty());

    sample.evidence.engine_cpu.steal = 1.1s;
    EXPECT_THAT(reasons_for(sample), ElementsAre(HasSubstr("5.47 % of the guest's CPU time")));

    sample.evidence.guest_vcpus = 0;
    EXPECT_THAT(reasons_for(sample), IsEmpty());
}

// What was measured

TEST(VoidReasons, ReadsMetBlocksWithoutData) {
    Sample sample = believed();
    sample.evidence.zero_backed = true;
    EXPECT_THAT(reasons_for(sample), ElementsAre(HasSubstr("hold no data")));

    Workload writing = random_read();
    writing.access = Access::randwrite;
    std::swap(sample.result.read, sample.result.write);
    sample.evidence.engine_device = {.read_requests = 0,
                                     .write_requests = kRequests,
                                     .flush_requests = 0,
                                     .read_bytes = Bytes{},
                                     .write_bytes = Bytes{kRequests * 4096}};
    sample.evidence.host_block = sample.evidence.engine_device;
    EXPECT_THAT(reasons_for(sample, writing), IsEmpty());
}

TEST(VoidReasons, EachDriverAttributeThatDiffersIsNamed) {
    const DiskDriver asked{.cache = CacheMode::none,
                           .io = IoMode::native,
                           .discard = Discard::ignore,
                           .queues = 2,
                           .iothread = true,
                           .iops_limit = Iops{200}};
    Sample sample = believed();
    sample.evidence.live_driver = asked;
    EXPECT_THAT(reasons_for(sample, random_read(), asked), IsEmpty());

    sample.evidence.live_driver = DiskDriver{.cache = CacheMode::writeback,
                                             .io = IoMode::threads,
                                             .discard = Discard::unmap,
                                             .queues = 1,
                                             .iothread = false,
                                             .iops_limit = std::nullopt};
    EXPECT_THAT(reasons_for(sample, random_read(), asked),
                ElementsAre("the disk was attached with cache writeback, none was asked for",
                            "the disk was attached with io threads, native was asked for",
                            "the disk was attached with discard unmap, ignore was asked for",
                            "the disk was attached with iothread off, on was asked for",
                            "the disk was attached with iops limit none, 200 was asked for",
                            "the disk was attached with queues 1, 2 was asked for"));
}

TEST(VoidReasons, QueuesLeftToTheHypervisorMayBeAnyNumber) {
    Sample sample = believed();
    sample.evidence.live_driver->queues = 4;
    EXPECT_THAT(reasons_for(sample), IsEmpty());

    sample.evidence.live_driver.reset();
    EXPECT_THAT(reasons_for(sample), IsEmpty());
}

// What it was bound by

TEST(BoundByRule, NothingOutOfTheOrdinaryIsUnknown) {
    EXPECT_EQ(bound_by(believed()), BoundBy::unknown);
    EXPECT_EQ(bound_by(Sample{}), BoundBy::unknown);
}

TEST(BoundByRule, ALimitIsReachedAt95Percent) {
    Sample sample = believed();
    sample.evidence.iops_limit = Iops{1000 / 0.95};
    EXPECT_EQ(bound_by(sample), BoundBy::limit);

    sample.evidence.iops_limit = Iops{1000 / 0.949};
    EXPECT_EQ(bound_by(sample), BoundBy::unknown);
}

TEST(BoundByRule, AGuestWithLessThan5PercentIdleIsCpuBound) {
    Sample sample = believed();
    sample.evidence.engine_cpu = {.busy = 95s, .idle = 5s, .steal = 0s};
    EXPECT_EQ(bound_by(sample), BoundBy::unknown);

    sample.evidence.engine_cpu = {.busy = 95.1s, .idle = 4.9s, .steal = 0s};
    EXPECT_EQ(bound_by(sample), BoundBy::guest_cpu);

    sample.evidence.guest_vcpus = 0;
    EXPECT_EQ(bound_by(sample), BoundBy::unknown);
}

TEST(BoundByRule, ANodeWithLessThan5PercentIdleIsCpuBound) {
    Sample sample = believed();
    sample.evidence.host_cpu = {.busy = 96s, .idle = 4s, .steal = 0s};

    EXPECT_EQ(bound_by(sample), BoundBy::host_cpu);
}

TEST(BoundByRule, ADeviceThatIsBusy90PercentOfTheTimeIsTheBound) {
    Sample sample = believed();
    sample.evidence.backing_known = true;
    sample.evidence.backing_utilisation = 0.9;
    EXPECT_EQ(bound_by(sample), BoundBy::device);

    sample.evidence.backing_utilisation = 0.89;
    EXPECT_EQ(bound_by(sample), BoundBy::unknown);

    sample.evidence.backing_utilisation = 1;
    sample.evidence.backing_known = false;
    EXPECT_EQ(bound_by(sample), BoundBy::unknown);
}

TEST(BoundByRule, LimitComesBeforeGuestBeforeNodeBeforeDevice) {
    Sample sample = believed();
    sample.evidence.backing_known = true;
    sample.evidence.backing_utilisation = 1;
    sample.evidence.host_cpu.idle = 0s;
    sample.evidence.engine_cpu.idle = 0s;
    sample.evidence.iops_limit = Iops{1000};

    EXPECT_EQ(bound_by(sample), BoundBy::limit);
    sample.evidence.iops_limit.reset();
    EXPECT_EQ(bound_by(sample), BoundBy::guest_cpu);
    sample.evidence.engine_cpu.idle = 8s;
    EXPECT_EQ(bound_by(sample), BoundBy::host_cpu);
    sample.evidence.host_cpu.idle = 22s;
    EXPECT_EQ(bound_by(sample), BoundBy::device);
}

// Durability

Workload committing() {
    Workload workload;
    workload.id = "commit";
    workload.access = Access::randwrite;
    workload.sync = Sync::fdatasync;
    return workload;
}

Sample commit_sample(const std::string& candidate, std::uint64_t flushes) {
    Sample sample;
    sample.candidate = candidate;
    sample.workload = "commit";
    sample.result.sync = SyncResult{};
    sample.result.sync->total = 100;
    sample.evidence.guest_vcpus = 1;
    sample.evidence.host_block = BlockCounters{};
    sample.evidence.host_block->flush_requests = flushes;
    return sample;
}

TEST(NotDurable, IsTheCandidateWithoutASingleFlush) {
    EXPECT_THAT(not_durable({commit_sample("a", 100), commit_sample("b", 0), commit_sample("b", 0),
                             commit_sample("c", 1)},
                            {committing()}),
                ElementsAre("b"));
}

TEST(NotDurable, OneFlushInAnyRoundClearsACandidate) {
    EXPECT_THAT(not_durable({commit_sample("a", 0), commit_sample("a", 1)}, {committing()}),
                IsEmpty());
}

TEST(NotDurable, OnlyGuestSamplesThatIssuedFdatasyncCanTell) {
    Workload other = committing();
    other.sync = Sync::none;
    EXPECT_THAT(not_durable({commit_sample("a", 0)}, {other}), IsEmpty());
    EXPECT_THAT(not_durable({commit_sample("a", 0)}, {}), IsEmpty());

    Sample none_issued = commit_sample("a", 0);
    none_issued.result.sync->total = 0;
    Sample no_counters = commit_sample("b", 0);
    no_counters.evidence.host_block.reset();
    Sample on_host = commit_sample("c", 0);
    on_host.evidence.guest_vcpus = 0;
    EXPECT_THAT(not_durable({none_issued, no_counters, on_host}, {committing()}), IsEmpty());
}

TEST(NotDurable, DisksThatAreWrittenThroughNeedNoFlush) {
    for (const CacheMode cache : {CacheMode::writethrough, CacheMode::directsync}) {
        Sample sample = commit_sample("a", 0);
        sample.evidence.live_driver = DiskDriver{};
        sample.evidence.live_driver->cache = cache;
        EXPECT_THAT(not_durable({sample}, {committing()}), IsEmpty());
    }
}

TEST(NotDurable, UnsafeDisksAreNeverDurableHoweverManyFlushesQemuCounts) {
    Sample sample = commit_sample("a", 100);
    sample.evidence.live_driver = DiskDriver{};
    sample.evidence.live_driver->cache = CacheMode::unsafe;

    EXPECT_THAT(not_durable({sample}, {committing()}), ElementsAre("a"));
}

}  // namespace
}  // namespace poolwise
