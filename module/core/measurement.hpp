// SPDX-License-Identifier: Apache-2.0
// What one execution of one fio job gave: fio's own figures, and what witnesses saw meanwhile.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "module/core/histogram.hpp"
#include "module/core/units.hpp"

namespace poolwise {

/// One direction of a job; times of fio's measured window, the ramp excluded.
struct DirectionResult {
    std::uint64_t total_ios = 0;
    Bytes io_bytes;
    Iops iops;
    BytesPerSecond bandwidth;
    std::chrono::milliseconds runtime{0};
    Microseconds latency_mean{0};
    Microseconds latency_max{0};
    LatencyHistogram latency;  ///< completion latency
    std::uint64_t short_ios = 0;
    std::uint64_t dropped_ios = 0;

    friend bool operator==(const DirectionResult&, const DirectionResult&) = default;
};

struct SyncResult {
    std::uint64_t total = 0;
    Microseconds latency_mean{0};
    LatencyHistogram latency;

    friend bool operator==(const SyncResult&, const SyncResult&) = default;
};

/// fio's result file, read strictly where figures are concerned. All jobs of the file together:
/// counts, bytes and rates are summed, histograms merged.
struct FioResult {
    std::string fio_version;
    DirectionResult read;
    DirectionResult write;
    std::optional<SyncResult> sync;
    std::chrono::milliseconds job_runtime{0};  ///< the longest job, as fio says
    double depth_share = 0;          ///< share of requests issued at the asked queue depth, 0..1
    std::vector<std::string> notes;  ///< text lines around the document, warnings

    [[nodiscard]] std::uint64_t total_ios() const { return read.total_ios + write.total_ios; }

    friend bool operator==(const FioResult&, const FioResult&) = default;
};

/// Requests and bytes of one disk since some starting point.
struct BlockCounters {
    std::uint64_t read_requests = 0;
    std::uint64_t write_requests = 0;
    std::uint64_t flush_requests = 0;
    Bytes read_bytes;
    Bytes write_bytes;

    friend bool operator==(const BlockCounters&, const BlockCounters&) = default;
};

/// later - earlier, field by field.
[[nodiscard]] BlockCounters operator-(const BlockCounters& later, const BlockCounters& earlier);

/// CPU time of a whole machine (guest or host) over some span; the sum over all CPUs.
struct CpuTimes {
    Seconds busy{0};
    Seconds idle{0};   ///< iowait included
    Seconds steal{0};  ///< of a guest: wanted and not given

    friend bool operator==(const CpuTimes&, const CpuTimes&) = default;
};
[[nodiscard]] CpuTimes operator-(const CpuTimes& later, const CpuTimes& earlier);

/// One point of the per-second log.
struct RatePoint {
    std::chrono::milliseconds at{0};  ///< since the start of fio's measured window
    Iops read;
    Iops write;

    friend bool operator==(const RatePoint&, const RatePoint&) = default;
};

/// What the engine says of one job, as seen where the disk is.
struct JobReport {
    int exit_status = 0;  ///< of fio; 128 + signal if it was killed
    bool cancelled = false;
    std::string fio_json;        ///< the result file, as it was
    std::string fio_messages;    ///< stdout and stderr, for people; never parsed for figures
    std::vector<RatePoint> log;  ///< fio's per-second IOPS log, window by window
    BlockCounters device;        ///< the disk's counters around the whole fio process
    CpuTimes cpu;                ///< around the whole fio process
    Seconds wall{0};             ///< of the fio process on the engine's monotonic clock

    friend bool operator==(const JobReport&, const JobReport&) = default;
};

}  // namespace poolwise
