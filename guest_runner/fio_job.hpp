// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "module/ports/engine.hpp"

namespace poolwise::guest_runner {

/// Names the disk in the job file: fio replaces `${POOLWISE_DISK}` from its environment, so the
/// text is the same wherever the disk turns up.
inline constexpr std::string_view kDiskVariable = "POOLWISE_DISK";

/// Start of the names of fio's per-second logs, in fio's working directory: "log_iops.1.log" and so
/// on, one per job.
inline constexpr std::string_view kLogPrefix = "log";

/// Window of the per-second log. A hair below one second: fio 3.33 drops the last window unless it
/// is complete, and windows of 1,000 ms run a few ms late, so that a 15 s job logged only 14 of
/// them. With 990 ms, jobs of 3, 5 and 15 s were covered to 98.9 % or more.
inline constexpr std::chrono::milliseconds kLogWindow{990};

/// The fio job file for one execution, for `fio --output-format=json+`.
///
/// A workload without a runtime touches each block of the first `size_percent` of the disk once;
/// one with a runtime uses the whole disk. With several jobs, sequential or bounded by size, each
/// job has its own slice, so that no block is met twice (slices are whole blocks: the last
/// `jobs` - 1 blocks may stay untouched); random time-based jobs all roam over everything.
/// Workload::rate is per job and, in a mix, per direction, as fio has it.
///
/// The same workload, data, size and seed give the same text, and fio the same offsets. fio reads
/// seeds up to 2^63 - 1: the topmost bit of `seed` is dropped.
///
/// @throws Error{invalid_request} if the workload is not legal (check_workload), the data is
///         `none`, or the disk has less than one block per job.
[[nodiscard]] std::string write_fio_job(const JobSpec& job);

}  // namespace poolwise::guest_runner
