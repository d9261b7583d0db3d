// SPDX-License-Identifier: Apache-2.0
// A sample: one workload on one candidate in one round, and why it can (or cannot) be believed.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "module/core/candidate.hpp"
#include "module/core/enum_text.hpp"
#include "module/core/measurement.hpp"

namespace poolwise {

enum class BoundBy { unknown, device, guest_cpu, host_cpu, limit };
inline constexpr EnumNames<BoundBy, 5> kBoundByNames{{{BoundBy::unknown, "unknown"},
                                                      {BoundBy::device, "device"},
                                                      {BoundBy::guest_cpu, "guest_cpu"},
                                                      {BoundBy::host_cpu, "host_cpu"},
                                                      {BoundBy::limit, "limit"}}};

/// What stood beside the sample while it was measured.
struct Evidence {
    BlockCounters engine_device;              ///< the disk as the engine's kernel counted it
    std::optional<BlockCounters> host_block;  ///< the same disk as QEMU counted it; guest layer
    CpuTimes engine_cpu;                      ///< where the engine ran
    CpuTimes host_cpu;                        ///< the node
    unsigned host_cores = 0;
    unsigned guest_vcpus = 0;               ///< 0 in layer host
    std::optional<Seconds> qemu_cpu;        ///< host CPU time of the QEMU process; guest layer
    Seconds engine_wall{0};                 ///< fio's process on the engine's clock
    Seconds host_wall{0};                   ///< the same span on the node's clock
    std::optional<DiskDriver> live_driver;  ///< read back from the running domain
    double backing_utilisation = 0;         ///< busy share of the node's device, 0..1; 0 unknown
    bool backing_known = false;             ///< whether the node's device could be watched
    std::optional<Iops> iops_limit;         ///< in force on the disk
    bool zero_backed = false;               ///< reads met blocks that hold no data of ours
    std::string cache_drop;                 ///< "" not asked, "done", or why it was not done
    std::string snapshot_state;             ///< "", "fresh", "mixed" or "rewritten"

    friend bool operator==(const Evidence&, const Evidence&) = default;
};

/// Where the wall time of a sample went.
struct SampleTimings {
    Seconds prepare{0};  ///< snapshot, refill, cache drop
    Seconds attach{0};
    Seconds job{0};  ///< request to result, fio and the channel included
    Seconds fio{0};  ///< of the job: the fio process itself
    Seconds detach{0};
    Seconds idle_wait{0};  ///< until the backing device was idle again
    bool idle_reached = true;

    friend bool operator==(const SampleTimings&, const SampleTimings&) = default;
};

struct Sample {
    unsigned round = 0;     ///< from 1
    unsigned position = 0;  ///< in the whole run, from 1, in the order measured
    std::string candidate;  ///< Candidate::id
    std::string workload;   ///< Workload::id
    std::chrono::system_clock::time_point started;
    std::string fio_job;  ///< the exact job file
    FioResult result;
    std::vector<RatePoint> log;
    Evidence evidence;
    BoundBy bound_by = BoundBy::unknown;
    SampleTimings timings;
    std::vector<std::string> void_reasons;  ///< empty = believed

    [[nodiscard]] bool is_void() const noexcept { return !void_reasons.empty(); }

    friend bool operator==(const Sample&, const Sample&) = default;
};

/// fio's own files of one sample, kept apart because they are large.
struct RawFiles {
    std::string fio_json;
    std::string fio_messages;

    friend bool operator==(const RawFiles&, const RawFiles&) = default;
};

}  // namespace poolwise
