// SPDX-License-Identifier: Apache-2.0
// The fields of every record, once for both directions. Private to codec.
//
// describe(fields, record) calls fields(name, member) for each member in the order in which it is
// printed, fields.required(...) for those that a text must have. Units are in names: _bytes, _s,
// _ms, _us, iops.
#pragma once

#include <concepts>
#include <type_traits>

#include "module/core/run.hpp"
#include "module/core/sample.hpp"

namespace poolwise {

/// `T` or `const T`: a record being read, or one being written.
template <typename T, typename Record>
concept Is = std::same_as<std::remove_const_t<T>, Record>;

constexpr const auto& names_of(Layer) {
    return kLayerNames;
}
constexpr const auto& names_of(Format) {
    return kFormatNames;
}
constexpr const auto& names_of(Preallocation) {
    return kPreallocationNames;
}
constexpr const auto& names_of(SnapshotKind) {
    return kSnapshotKindNames;
}
constexpr const auto& names_of(CacheMode) {
    return kCacheModeNames;
}
constexpr const auto& names_of(IoMode) {
    return kIoModeNames;
}
constexpr const auto& names_of(Discard) {
    return kDiscardNames;
}
constexpr const auto& names_of(Access) {
    return kAccessNames;
}
constexpr const auto& names_of(Sync) {
    return kSyncNames;
}
constexpr const auto& names_of(Phase) {
    return kPhaseNames;
}
constexpr const auto& names_of(FillData) {
    return kFillDataNames;
}
constexpr const auto& names_of(FillWhen) {
    return kFillWhenNames;
}
constexpr const auto& names_of(Order) {
    return kOrderNames;
}
constexpr const auto& names_of(Accelerator) {
    return kAcceleratorNames;
}
constexpr const auto& names_of(RunState) {
    return kRunStateNames;
}
constexpr const auto& names_of(Severity) {
    return kSeverityNames;
}
constexpr const auto& names_of(BoundBy) {
    return kBoundByNames;
}

// Candidates.

void describe(auto& fields, Is<FormatOptions> auto& options) {
    fields("preallocation", options.preallocation);
    fields("cluster_size_bytes", options.cluster_size);
    fields("extended_l2", options.extended_l2);
}

void describe(auto& fields, Is<DiskDriver> auto& driver) {
    fields("cache", driver.cache);
    fields("io", driver.io);
    fields("discard", driver.discard);
    fields("queues", driver.queues);
    fields("iothread", driver.iothread);
    fields("iops_limit", driver.iops_limit);
}

void describe(auto& fields, Is<Candidate> auto& candidate) {
    fields.required("id", candidate.id);
    fields.required("pool", candidate.pool);
    fields("layer", candidate.layer);
    fields.required("format", candidate.format);
    fields("options", candidate.options);
    fields("snapshot", candidate.snapshot);
    fields("driver", candidate.driver);
}

// Profiles.

void describe(auto& fields, Is<Workload> auto& workload) {
    fields.required("id", workload.id);
    fields("title", workload.title);
    fields.required("access", workload.access);
    fields.required("block_size_bytes", workload.block_size);
    fields("iodepth", workload.iodepth);
    fields("jobs", workload.jobs);
    fields("read_percent", workload.read_percent);
    fields("sync", workload.sync);
    fields("phase", workload.phase);
    fields("ramp_s", workload.ramp);
    fields("runtime_s", workload.runtime);
    fields("size_percent", workload.size_percent);
    fields("rate_iops", workload.rate);
}

void describe(auto& fields, Is<GuestShape> auto& guest) {
    fields("vcpus", guest.vcpus);
    fields("memory_bytes", guest.memory);
}

void describe(auto& fields, Is<Profile> auto& profile) {
    fields.required("name", profile.name);
    fields("description", profile.description);
    fields("source", profile.source);
    fields("fill", profile.fill);
    fields("fill_when", profile.fill_when);
    fields("order", profile.order);
    fields("rounds", profile.rounds);
    fields("snapshot_rounds", profile.snapshot_rounds);
    fields("drop_host_cache", profile.drop_host_cache);
    fields("volume_size_bytes", profile.volume_size);
    fields("driver", profile.driver);
    fields("guest", profile.guest);
    fields.required("workloads", profile.workloads);
}

// The node.

void describe(auto& fields, Is<NodeFacts> auto& node) {
    fields("hostname", node.hostname);
    fields("kernel", node.kernel);
    fields("cpu_model", node.cpu_model);
    fields("cores", node.cores);
    fields("memory_bytes", node.memory);
    fields("governor", node.governor);
    fields("libvirt", node.libvirt);
    fields("qemu", node.qemu);
    fields("fio", node.fio);
}

void describe(auto& fields, Is<BackingDevice> auto& device) {
    fields("name", device.name);
    fields("model", device.model);
    fields("rotational", device.rotational);
    fields("scheduler", device.scheduler);
    fields("write_cache", device.write_cache);
    fields("logical_block_bytes", device.logical_block);
    fields("physical_block_bytes", device.physical_block);
    fields("busy_with", device.busy_with);
}

void describe(auto& fields, Is<PathFacts> auto& path) {
    fields("path", path.path);
    fields("file_system", path.file_system);
    fields("mount_point", path.mount_point);
    fields("mount_options", path.mount_options);
    fields("size_bytes", path.size);
    fields("free_bytes", path.free);
    fields("direct_io", path.direct_io);
    fields("device", path.device);
}

void describe(auto& fields, Is<PoolInfo> auto& pool) {
    fields("name", pool.name);
    fields("type", pool.type);
    fields("path", pool.path);
    fields("active", pool.active);
    fields("autostart", pool.autostart);
    fields("persistent", pool.persistent);
    fields("capacity_bytes", pool.capacity);
    fields("available_bytes", pool.available);
    fields("formats", pool.formats);
    fields("remark", pool.remark);
}

// Runs.

void describe(auto& fields, Is<Remark> auto& remark) {
    fields("code", remark.code);
    fields("text", remark.text);
}

void describe(auto& fields, Is<RunRequest> auto& request) {
    fields.required("profile", request.profile);
    fields.required("candidates", request.candidates);
    fields("volume_size_bytes", request.volume_size);
    fields("seed", request.seed);
    fields("exclusive", request.exclusive);
    fields("accelerator", request.accelerator);
}

void describe(auto& fields, Is<PlannedSample> auto& sample) {
    fields("round", sample.round);
    fields("position", sample.position);
    fields("candidate", sample.candidate);
    fields("workload", sample.workload);
}

void describe(auto& fields, Is<Plan> auto& plan) {
    fields("volume_size_bytes", plan.volume_size);
    fields("cache_sized", plan.cache_sized);
    fields("size_reason", plan.size_reason);
    fields("written_bytes", plan.bytes_written);
    fields("peak_space_bytes", plan.peak_space);
    fields("shortest_s", plan.shortest);
    fields("longest_s", plan.longest);
    fields("samples", plan.samples);
}

void describe(auto& fields, Is<ImageFacts> auto& image) {
    fields("hash", image.hash);
    fields("kernel", image.kernel);
    fields("fio", image.fio);
}

void describe(auto& fields, Is<Run> auto& run) {
    fields.required("id", run.id);
    fields.required("state", run.state);
    fields("severity", run.severity);
    fields.required("created", run.created);
    fields("finished", run.finished);
    fields("error_code", run.error_code);
    fields("error", run.error);
    fields("remarks", run.remarks);
    fields("leftovers", run.leftovers);
    fields("accelerator", run.accelerator);
    fields("accelerator_reason", run.accelerator_reason);
    fields("guest_vcpus", run.guest_vcpus);
    fields("image", run.image);
    fields("node", run.node);
    fields("pools", run.pools);
    fields("places", run.places);
    fields.required("request", run.request);
    fields("plan", run.plan);
}

// Samples.

void describe(auto& fields, Is<DirectionResult> auto& direction) {
    fields("total_ios", direction.total_ios);
    fields("io_bytes", direction.io_bytes);
    fields("iops", direction.iops);
    fields("bandwidth_bytes_per_s", direction.bandwidth);
    fields("runtime_ms", direction.runtime);
    fields("latency_mean_us", direction.latency_mean);
    fields("latency_max_us", direction.latency_max);
    fields("latency_histogram", direction.latency);
    fields("short_ios", direction.short_ios);
    fields("dropped_ios", direction.dropped_ios);
}

void describe(auto& fields, Is<SyncResult> auto& sync) {
    fields("total", sync.total);
    fields("latency_mean_us", sync.latency_mean);
    fields("latency_histogram", sync.latency);
}

void describe(auto& fields, Is<FioResult> auto& result) {
    fields("fio_version", result.fio_version);
    fields("read", result.read);
    fields("write", result.write);
    fields("sync", result.sync);
    fields("job_runtime_ms", result.job_runtime);
    fields("depth_share", result.depth_share);
    fields("notes", result.notes);
}

void describe(auto& fields, Is<BlockCounters> auto& counters) {
    fields("read_requests", counters.read_requests);
    fields("write_requests", counters.write_requests);
    fields("flush_requests", counters.flush_requests);
    fields("read_bytes", counters.read_bytes);
    fields("write_bytes", counters.write_bytes);
}

void describe(auto& fields, Is<CpuTimes> auto& cpu) {
    fields("busy_s", cpu.busy);
    fields("idle_s", cpu.idle);
    fields("steal_s", cpu.steal);
}

void describe(auto& fields, Is<RatePoint> auto& point) {
    fields("at_ms", point.at);
    fields("read_iops", point.read);
    fields("write_iops", point.write);
}

void describe(auto& fields, Is<Evidence> auto& evidence) {
    fields("engine_device", evidence.engine_device);
    fields("host_block", evidence.host_block);
    fields("engine_cpu", evidence.engine_cpu);
    fields("host_cpu", evidence.host_cpu);
    fields("host_cores", evidence.host_cores);
    fields("guest_vcpus", evidence.guest_vcpus);
    fields("qemu_cpu_s", evidence.qemu_cpu);
    fields("engine_wall_s", evidence.engine_wall);
    fields("host_wall_s", evidence.host_wall);
    fields("live_driver", evidence.live_driver);
    fields("backing_utilisation", evidence.backing_utilisation);
    fields("backing_known", evidence.backing_known);
    fields("iops_limit", evidence.iops_limit);
    fields("zero_backed", evidence.zero_backed);
    fields("cache_drop", evidence.cache_drop);
    fields("snapshot_state", evidence.snapshot_state);
}

void describe(auto& fields, Is<SampleTimings> auto& timings) {
    fields("prepare_s", timings.prepare);
    fields("attach_s", timings.attach);
    fields("job_s", timings.job);
    fields("fio_s", timings.fio);
    fields("detach_s", timings.detach);
    fields("idle_wait_s", timings.idle_wait);
    fields("idle_reached", timings.idle_reached);
}

void describe(auto& fields, Is<Sample> auto& sample) {
    fields.required("round", sample.round);
    fields.required("position", sample.position);
    fields.required("candidate", sample.candidate);
    fields.required("workload", sample.workload);
    fields("started", sample.started);
    fields("void_reasons", sample.void_reasons);
    fields("bound_by", sample.bound_by);
    fields("result", sample.result);
    fields("log", sample.log);
    fields("evidence", sample.evidence);
    fields("timings", sample.timings);
    fields("fio_job", sample.fio_job);
}

}  // namespace poolwise
