// SPDX-License-Identifier: Apache-2.0
#include "module/runs/sampler.hpp"

#include <algorithm>

#include "module/analysis/evidence.hpp"
#include "module/core/error.hpp"
#include "module/runs/planner.hpp"
#include "module/runs/stop.hpp"

namespace poolwise {
namespace {

using namespace literals;

/// As fast as `dd bs=1M oflag=direct` on the node or faster on every storage measured so far; 4 MiB
/// rather than 1 MiB saves an emulated guest a third of its time. fio writes whole blocks only.
Workload fill_workload(Bytes size) {
    const Bytes block = size.count() % (4_MiB).count() == 0 ? 4_MiB : 1_MiB;
    return {
        .id = "fill", .title = "Fill", .access = Access::write, .block_size = block, .iodepth = 8};
}

/// Attached for as long as it lives; detach() by hand where its failure must be heard.
class Attachment {
public:
    Attachment(Seat& seat, const CandidateDisk& disk) : seat_{seat}, disk_{disk} {
        seat_.attach(disk_);
    }
    Attachment(const Attachment&) = delete;
    Attachment& operator=(const Attachment&) = delete;
    ~Attachment() {
        if (detached_) return;
        try {
            seat_.detach(disk_);
        } catch (const Error&) {  // NOLINT(bugprone-empty-catch): an error is already on its way,
            // and cleaning destroys the guest before it touches the volume.
        }
    }

    void detach() {
        detached_ = true;
        seat_.detach(disk_);
    }

private:
    Seat& seat_;
    const CandidateDisk& disk_;
    bool detached_ = false;
};

/// What every witness on the node says at one moment.
struct Reading {
    std::optional<BlockCounters> block;
    std::optional<Seconds> qemu_cpu;
    CpuTimes host_cpu;
    std::optional<Node::DeviceActivity> device;
    Seconds at{0};
};

template <typename T>
std::optional<T> difference(const std::optional<T>& later, const std::optional<T>& earlier) {
    return later && earlier ? std::optional<T>{*later - *earlier} : std::nullopt;
}

Reading read_witnesses(const CandidateDisk& disk, Seat& seat, const std::string& device,
                       RunPorts& ports) {
    return {.block = seat.block_counters(disk),
            .qemu_cpu = seat.qemu_cpu(),
            .host_cpu = ports.node.cpu_times(),
            .device = device.empty() ? std::nullopt : ports.node.device_activity(device),
            .at = ports.clock.now()};
}

void fill_evidence(Evidence& evidence, const Reading& before, const Reading& after,
                   const JobOutcome& outcome) {
    evidence.engine_device = outcome.report.device;
    evidence.host_block = difference(after.block, before.block);
    evidence.engine_cpu = outcome.report.cpu;
    evidence.host_cpu = after.host_cpu - before.host_cpu;
    evidence.qemu_cpu = difference(after.qemu_cpu, before.qemu_cpu);
    evidence.engine_wall = outcome.report.wall;
    evidence.host_wall = outcome.host_wall;
    evidence.backing_known = before.device && after.device;
    if (evidence.backing_known && after.at > before.at) {
        evidence.backing_utilisation =
            std::min(1.0, (after.device->busy - before.device->busy) / (after.at - before.at));
    }
}

}  // namespace

void Sampler::prepare(CandidateDisk& disk, Seat& seat, const Workload& workload,
                      std::stop_token stop) {
    if (run_.request.profile.fill == FillData::none && disk.state == BlockState::empty) {
        disk.state = BlockState::filled;
    }
    for (const PrepareStep next :
         steps_before(disk.candidate(), disk.state, workload, run_.request.profile.fill_when)) {
        step(next, disk, seat, stop);
    }
}

void Sampler::prepare_first(CandidateDisk& disk, Seat& seat, std::stop_token stop) {
    if (run_.request.profile.fill != FillData::none) step(PrepareStep::fill, disk, seat, stop);
    if (disk.candidate().snapshot != SnapshotKind::none) {
        step(PrepareStep::take_snapshot, disk, seat, stop);
    }
}

void Sampler::step(PrepareStep step, CandidateDisk& disk, Seat& seat, std::stop_token stop) {
    throw_if_stopped(stop);
    switch (step) {
        case PrepareStep::fill:
            observer_.step("fill " + label(disk.candidate()));
            write_every_block(disk, seat, stop);
            disk.zero_backed = disk.has_holes();
            break;
        case PrepareStep::rewrite_all:
            observer_.step("rewrite " + label(disk.candidate()));
            write_every_block(disk, seat, stop);
            break;
        case PrepareStep::take_snapshot:
            disk.take_snapshot();
            break;
        case PrepareStep::drop_snapshot:
            disk.drop_snapshot();
            break;
    }
    disk.state = after_step(disk.candidate(), disk.state, step);
}

void Sampler::write_every_block(CandidateDisk& disk, Seat& seat, std::stop_token stop) {
    const FillData data =
        run_.request.profile.fill == FillData::none ? FillData::random : run_.request.profile.fill;
    Attachment attachment{seat, disk};
    const JobOutcome outcome = seat.engine().run(
        {.disk = seat.identity(disk),
         .workload = fill_workload(disk.span()),
         .span = disk.span(),
         .seed = run_.request.seed,
         .data = data,
         .per_second_log = false},
        [this](const JobProgress& progress) { observer_.progress(progress); },
        [&seat] { seat.watch(); }, stop);
    attachment.detach();
    if (!outcome.faults.empty() || !outcome.result) {
        const std::string reason =
            outcome.faults.empty() ? "fio left no result" : outcome.faults.front();
        throw Error{ErrorCode::guest_failed, "fill " + label(disk.candidate()) + ": " + reason};
    }
    note_bandwidth(disk, *outcome.result);
}

void Sampler::note_bandwidth(const CandidateDisk& disk, const FioResult& result) {
    const Candidate& candidate = disk.candidate();
    const auto known = fill_layer_.find(candidate.pool);
    // The host's own figure is the pool's; a guest's only stands in for it.
    if (known != fill_layer_.end() && known->second == Layer::host) return;
    fill_layer_[candidate.pool] = candidate.layer;
    BytesPerSecond& best = fill_bandwidth_[candidate.pool];
    best = candidate.layer == Layer::host ? result.write.bandwidth
                                          : std::max(best, result.write.bandwidth);
}

std::string Sampler::drop_host_cache() {
    if (!run_.request.profile.drop_host_cache) return "";
    try {
        ports_.node.drop_caches();
        return "done";
    } catch (const Error& error) {  // recorded with the sample, which says the cache was warm
        return error.what();
    }
}

std::string Sampler::device_of(const CandidateDisk& disk) const {
    const std::string& path = disk.active().path;
    for (const PathFacts& place : run_.places) {
        if (path.starts_with(place.path) && place.device) return place.device->name;
    }
    return "";
}

void Sampler::wait_until_idle(const CandidateDisk& disk, SampleTimings& timings,
                              std::stop_token stop) {
    constexpr Seconds kPoll{0.05};
    constexpr double kIdleShare = 0.1;
    const std::string device = device_of(disk);
    const Seconds start = ports_.clock.now();
    timings.idle_reached = device.empty();
    while (!timings.idle_reached && ports_.clock.now() - start < kIdleLimit) {
        const auto before = ports_.node.device_activity(device);
        const Seconds from = ports_.clock.now();
        if (!ports_.clock.sleep(kPoll, stop)) break;
        const auto after = ports_.node.device_activity(device);
        if (!before || !after) break;
        const double busy = (after->busy - before->busy) / (ports_.clock.now() - from);
        timings.idle_reached = after->in_flight == 0 && busy < kIdleShare;
    }
    timings.idle_wait = ports_.clock.now() - start;
}

TakenSample Sampler::take(const PlannedSample& planned, CandidateDisk& disk, Seat& seat,
                          const Workload& workload, std::stop_token stop) {
    TakenSample taken;
    Sample& sample = taken.sample;
    sample.round = planned.round;
    sample.position = planned.position;
    sample.candidate = planned.candidate;
    sample.workload = planned.workload;
    const auto clocked = [this](Seconds& span, const auto& work) {
        const Seconds start = ports_.clock.now();
        work();
        span = ports_.clock.now() - start;
    };

    clocked(sample.timings.prepare, [&] {
        prepare(disk, seat, workload, stop);
        sample.evidence.cache_drop = drop_host_cache();
    });
    throw_if_stopped(stop);
    observer_.sample_started(planned);
    sample.started = ports_.clock.wall();
    sample.evidence.snapshot_state = snapshot_state_name(disk.state);
    sample.evidence.zero_backed = disk.zero_backed && reads(workload.access);
    sample.evidence.host_cores = run_.node.cores;
    sample.evidence.guest_vcpus = seat.vcpus();
    sample.evidence.iops_limit = disk.candidate().driver.iops_limit;

    const std::string device = device_of(disk);
    std::optional<Attachment> attachment;
    clocked(sample.timings.attach, [&] { attachment.emplace(seat, disk); });
    sample.evidence.live_driver = seat.live_driver(disk);
    const Reading before = read_witnesses(disk, seat, device, ports_);
    JobOutcome outcome;
    clocked(sample.timings.job, [&] {
        outcome = seat.engine().run(
            {.disk = seat.identity(disk),
             .workload = workload,
             .span = disk.span(),
             .seed = fio_seed(run_.request.seed, planned.round),
             .data =
                 run_.request.profile.fill == FillData::zeros ? FillData::zeros : FillData::random,
             .per_second_log = true},
            [this](const JobProgress& progress) { observer_.progress(progress); },
            [&seat] { seat.watch(); }, stop);
    });
    const Reading after = read_witnesses(disk, seat, device, ports_);
    disk.state = after_sample(disk.candidate(), disk.state, workload);
    clocked(sample.timings.detach, [&] { attachment->detach(); });

    fill_evidence(sample.evidence, before, after, outcome);
    sample.timings.fio = outcome.report.wall;
    sample.fio_job = outcome.job_text;
    sample.log = outcome.report.log;
    sample.void_reasons = outcome.faults;
    if (outcome.result) {
        sample.result = *outcome.result;
        sample.bound_by = bound_by(sample);
        const auto more = void_reasons(sample, workload, disk.candidate().driver);
        sample.void_reasons.insert(sample.void_reasons.end(), more.begin(), more.end());
    }
    taken.raw = {.fio_json = std::move(outcome.report.fio_json),
                 .fio_messages = std::move(outcome.report.fio_messages)};
    wait_until_idle(disk, sample.timings, stop);
    return taken;
}

}  // namespace poolwise
