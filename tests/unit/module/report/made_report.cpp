// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/module/report/made_report.hpp"

#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace poolwise::test {
namespace {

using namespace poolwise::literals;
using namespace std::chrono_literals;

constexpr auto kCreated = std::chrono::sys_days{std::chrono::year{2026} / 3 / 1} + 9h + 5min + 7s;

Candidate candidate(std::string id, Layer layer, Format format, SnapshotKind snapshot) {
    Candidate out;
    out.id = std::move(id);
    out.pool = "fast";
    out.layer = layer;
    out.format = format;
    out.snapshot = snapshot;
    return out;
}

Workload random_read() {
    Workload out;
    out.id = "randread-4k-qd32";
    out.title = "Random read, 4 KiB, 32 deep";
    out.iodepth = 32;
    out.ramp = 2s;
    out.runtime = 10s;
    return out;
}

Workload first_write() {
    Workload out;
    out.id = "first-write-128k";
    out.title = "First writes after a snapshot, 128 KiB, 16 deep";
    out.access = Access::write;
    out.block_size = 128_KiB;
    out.iodepth = 16;
    out.phase = Phase::first_write;
    return out;
}

Workload flushed_write() {
    Workload out;
    out.id = "fdatasync-4k";
    out.title = "Random write, 4 KiB, each flushed";
    out.access = Access::randwrite;
    out.sync = Sync::fdatasync;
    out.runtime = 10s;
    return out;
}

/// IOPS of the middle round.
double usual_iops(const std::string& candidate, const std::string& workload) {
    static const std::map<std::pair<std::string, std::string>, double> kIops{
        {{"host-raw", "randread-4k-qd32"}, 41'250},
        {{"guest-raw", "randread-4k-qd32"}, 7'412},
        {{"guest-qcow2", "randread-4k-qd32"}, 6'967},
        {{"guest-qcow2-snapshot", "randread-4k-qd32"}, 6'893},
        {{"host-raw", "first-write-128k"}, 8'410},
        {{"guest-raw", "first-write-128k"}, 6'141},
        {{"guest-qcow2", "first-write-128k"}, 6'020},
        {{"guest-qcow2-snapshot", "first-write-128k"}, 1'647},
        {{"host-raw", "fdatasync-4k"}, 96.4},
        {{"guest-raw", "fdatasync-4k"}, 61.2},
        {{"guest-qcow2", "fdatasync-4k"}, 60.1},
        {{"guest-qcow2-snapshot", "fdatasync-4k"}, 59.5},
    };
    return kIops.at({candidate, workload});
}

LatencyHistogram latencies_around(double microseconds, std::uint64_t count) {
    LatencyHistogram out;
    const auto ns = [&](double factor) {
        return static_cast<std::uint64_t>(std::llround(microseconds * 1000 * factor));
    };
    out.add(ns(0.8), count * 40 / 100);
    out.add(ns(1.0), count * 50 / 100);
    out.add(ns(1.9), count * 8 / 100);
    out.add(ns(4.2), count - count * 40 / 100 - count * 50 / 100 - count * 8 / 100);
    return out;
}

DirectionResult direction(const Workload& workload, double iops) {
    DirectionResult out;
    out.runtime = workload.runtime.value_or(10s);
    out.total_ios = static_cast<std::uint64_t>(iops * 10);
    out.io_bytes = Bytes{out.total_ios * workload.block_size.count()};
    out.iops = Iops{iops};
    out.bandwidth = BytesPerSecond{iops * static_cast<double>(workload.block_size.count())};
    out.latency_mean = Microseconds{1e6 * workload.iodepth / iops};
    out.latency = latencies_around(out.latency_mean.count(), out.total_ios);
    out.latency_max = out.latency_mean * 6;
    return out;
}

Evidence evidence(const Candidate& candidate, const FioResult& result, BoundBy bound_by) {
    Evidence out;
    out.engine_device.read_requests = result.read.total_ios;
    out.engine_device.read_bytes = result.read.io_bytes;
    out.engine_device.write_requests = result.write.total_ios;
    out.engine_device.write_bytes = result.write.io_bytes;
    out.engine_device.flush_requests = result.sync ? result.sync->total : 0;
    out.host_cores = 2;
    out.host_cpu = {11s, 9s, 0s};
    out.engine_wall = Seconds{12.4};
    out.host_wall = Seconds{12.41};
    out.cache_drop = "done";
    if (candidate.layer == Layer::guest) {
        out.host_block = out.engine_device;
        out.guest_vcpus = 1;
        const bool busy = bound_by == BoundBy::guest_cpu;
        out.engine_cpu = busy ? CpuTimes{12.1s, 0.2s, 0.1s} : CpuTimes{6s, 6.3s, 0.1s};
        out.qemu_cpu = 10.5s;
        out.live_driver = candidate.driver;
    }
    return out;
}

std::string job_text(const Workload& workload) {
    return "[global]\nioengine=libaio\ndirect=1\nfilename=/dev/vdb\n\n[" + workload.id +
           "]\nrw=" + std::string{enum_name(kAccessNames, workload.access)} +
           "\nbs=" + std::to_string(workload.block_size.count()) +
           "\niodepth=" + std::to_string(workload.iodepth) + "\n";
}

Sample sample(const Candidate& candidate, const Workload& workload, unsigned round) {
    const double swing[] = {0.985, 1.0, 1.012};
    const double iops = usual_iops(candidate.id, workload.id) * swing[(round - 1) % 3];
    Sample out;
    out.round = round;
    out.candidate = candidate.id;
    out.workload = workload.id;
    out.fio_job = job_text(workload);
    out.result.fio_version = "fio-3.33";
    (writes(workload.access) ? out.result.write : out.result.read) = direction(workload, iops);
    out.result.job_runtime = 10s;
    out.result.depth_share = 0.998;
    if (workload.sync == Sync::fdatasync) {
        const auto count = static_cast<std::uint64_t>(iops * 10);
        const Microseconds mean{0.9e6 / iops};
        out.result.sync = SyncResult{count, mean, latencies_around(mean.count(), count)};
    }
    out.bound_by = workload.sync == Sync::fdatasync  ? BoundBy::device
                   : candidate.layer == Layer::guest ? BoundBy::guest_cpu
                                                     : BoundBy::unknown;
    out.evidence = evidence(candidate, out.result, out.bound_by);
    out.timings = {.prepare = 0.4s,
                   .attach = 0.05s,
                   .job = 13.1s,
                   .fio = 12.4s,
                   .detach = 0.3s,
                   .idle_wait = 0.6s};
    return out;
}

void void_one(std::vector<Sample>& samples) {
    for (Sample& sample : samples) {
        if (sample.round != 2 || sample.candidate != "guest-qcow2") continue;
        if (sample.workload != "randread-4k-qd32") continue;
        sample.evidence.host_block->read_requests -= 4'000;
        sample.void_reasons = {
            "QEMU counted 65,670 requests and the guest 69,670: they differ by "
            "5.74 %, 1 % is allowed"};
    }
}

Plan made_plan(const std::vector<Candidate>& candidates, const std::vector<Workload>& workloads) {
    Plan out;
    out.volume_size = 512_MiB;
    out.cache_sized = true;
    out.size_reason = "given by the user; 5 times the known caches would be 120 GiB";
    for (unsigned round = 1; round <= 3; ++round) {
        for (const Candidate& candidate : candidates) {
            for (const Workload& workload : workloads) {
                const auto position = static_cast<unsigned>(out.samples.size()) + 1;
                out.samples.push_back({round, position, candidate.id, workload.id});
            }
        }
    }
    out.bytes_written = 9_GiB;
    out.peak_space = 2560_MiB;
    out.shortest = 500s;
    out.longest = 820s;
    return out;
}

NodeFacts made_node() {
    return {.hostname = "node-1.example.net",
            .kernel = "6.1.0-28-amd64",
            .cpu_model = "Example CPU @ 2.40GHz",
            .cores = 2,
            .memory = 24_GiB,
            .governor = "performance",
            .libvirt = "9.0.0",
            .qemu = "7.2.22",
            .fio = "fio-3.33"};
}

PathFacts made_place() {
    BackingDevice device;
    device.name = "vda";
    device.model = "Example NVMe 1T";
    device.scheduler = "none";
    device.write_cache = "write back";
    return {.path = "/var/lib/libvirt/fast",
            .file_system = "ext4",
            .mount_point = "/var",
            .mount_options = "rw,relatime",
            .size = 200_GiB,
            .free = 120_GiB,
            .direct_io = true,
            .device = device};
}

}  // namespace

Run made_run() {
    Run run;
    run.id = "k3v9q2ma";
    run.state = RunState::succeeded;
    run.severity = Severity::warning;
    run.created = kCreated;
    run.finished = kCreated + 671s;
    run.request.candidates = {
        candidate("host-raw", Layer::host, Format::raw, SnapshotKind::none),
        candidate("guest-raw", Layer::guest, Format::raw, SnapshotKind::none),
        candidate("guest-qcow2", Layer::guest, Format::qcow2, SnapshotKind::none),
        candidate("guest-qcow2-snapshot", Layer::guest, Format::qcow2, SnapshotKind::internal)};
    run.request.profile.name = "quick";
    run.request.profile.description = "Three short workloads for a first look.";
    run.request.profile.workloads = {random_read(), first_write(), flushed_write()};
    run.request.profile.rounds = 3;
    run.request.seed = 20260301;
    run.plan = made_plan(run.request.candidates, run.request.profile.workloads);
    run.node = made_node();
    PoolInfo pool;
    pool.name = "fast";
    pool.type = "dir";
    pool.path = "/var/lib/libvirt/fast";
    pool.active = true;
    pool.capacity = 200_GiB;
    pool.available = 120_GiB;
    pool.formats = {Format::raw, Format::qcow2};
    run.pools = {pool};
    run.places = {made_place()};
    run.accelerator = Accelerator::tcg;
    run.accelerator_reason = "KVM: the guest did not come up within 20 s";
    run.image = ImageFacts{"5b0c2f9e", "6.1.0-28-cloud-amd64", "fio-3.33"};
    run.guest_vcpus = 1;
    run.remarks = {{"emulated", "the guest runs under emulation"},
                   {"other_guests", "2 other guests ran on this node during the measurement."}};
    return run;
}

std::vector<Sample> made_samples(const Run& run) {
    std::vector<Sample> samples;
    for (unsigned round = 1; round <= 3; ++round) {
        for (const Candidate& candidate : run.request.candidates) {
            for (const Workload& workload : run.request.profile.workloads) {
                samples.push_back(sample(candidate, workload, round));
                samples.back().position = static_cast<unsigned>(samples.size());
                samples.back().started = run.created + 60s + samples.size() * 15s;
            }
        }
    }
    void_one(samples);
    return samples;
}

RunReport made_report() {
    Run run = made_run();
    std::vector<Sample> samples = made_samples(run);
    return make_report(std::move(run), std::move(samples));
}

RunReport hostile_report() {
    const std::string markup = "<script>alert(\"1\")</script>&'";
    const std::string reversed =
        "safe\xe2\x80\xae"
        "gpj.exe";
    Run run = made_run();
    std::vector<Sample> samples = made_samples(run);
    for (Candidate& candidate : run.request.candidates) candidate.pool = markup;
    run.request.candidates.back().pool = reversed + "\x1b[31m" + std::string(230, 'n');
    run.request.profile.name = "</title>" + markup;
    run.request.profile.workloads.front().title = "\xff\xfe not UTF-8 " + markup;
    run.pools.front().name = markup;
    run.pools.front().path = "/srv/\"quoted\",\npath";
    run.node.hostname = "</title><b>" + reversed;
    run.node.cpu_model = markup;
    run.remarks = {{"other_guests", "guest '" + markup + reversed + "' runs"}};
    run.leftovers = {"volume '" + markup + "'"};
    for (Sample& sample : samples) {
        sample.fio_job += "# </pre>" + markup + "\n";
        if (sample.is_void()) sample.void_reasons = {markup + reversed};
    }
    return make_report(std::move(run), std::move(samples));
}

}  // namespace poolwise::test
