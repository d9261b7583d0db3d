// SPDX-License-Identifier: Apache-2.0
// Whether a sample can be believed, and what it was bound by. Pure rules on what was recorded.
#pragma once

#include <string>
#include <vector>

#include "module/core/sample.hpp"
#include "module/core/workload.hpp"

namespace poolwise {

/// Reasons to void a sample; empty = believed. Each is one sentence with both numbers.
///
/// - fio's requests and bytes against the engine's device counters and QEMU's (1 %; counters span
///   the ramp, so without a ramp they must agree and with one the witnesses must agree with each
///   other and not be below fio). 16 requests of 4 KiB are allowed on top: whoever opens a disk
///   looks for a partition table. fio's requests are counted against the witnesses only for random
///   access with blocks up to 128 KiB: a kernel joins sequential ones and splits large ones. The
///   engine on the host has no counters of its own for a file: all zero there = no witness;
/// - fio's total against its own per-second log (1 %, runs of 3 s or more; see below),
/// - the asked share of reads in a mixed workload within 2 points and what chance explains;
/// - the asked queue depth reached (95 %, the requests that fill the queue aside; depth > 1 and no
///   rate asked for: a rate leaves the queue empty),
/// - time-based runs lasted at least 95 % of what was asked,
/// - engine clock against node clock (1 % and 0.1 s, for spans of 3 s or more: the node's span is
///   taken from messages that a loaded node delivers late),
/// - guest steal at most 5 %,
/// - reads that met zero-backed blocks, live driver attributes other than those asked for.
///
/// The log of fio 3.33, as seen in runs of 3, 5 and 15 s with and without a ramp: a point is the
/// rate, a whole number, of the window that ends at its stamp; rates times windows give the
/// requests up to the last stamp to 0.1 %; the window under way at the end is not logged. With
/// windows of 1,000 ms that was the whole last second in 9 of 12 runs, with 990 ms 0.7 to 1.1 % of
/// the run. So the total must be at least what was logged, and at most that plus twice the fastest
/// logged rate for the time not logged; each give or take 1 %, one request per point, direction and
/// job, and the requests under way. A total 5 % off is caught wherever the log covers 99 %. Where
/// the last second is missing the bounds are wide: the storage may have stalled in it.
[[nodiscard]] std::vector<std::string> void_reasons(const Sample& sample, const Workload& workload,
                                                    const DiskDriver& asked);

/// limit: an iops limit is in force and reached to 95 %; guest_cpu: less than 5 % of the guest's
/// CPU time was idle; host_cpu: the node's idle below 5 %; device: the backing device was busy 90 %
/// of the time or more. In that order; else unknown. Times that are all zero are unknown.
[[nodiscard]] BoundBy bound_by(const Sample& sample);

/// Candidates whose fdatasync samples reached the host without a single flush (only guest samples
/// with QEMU's counters can tell, and only if fio did issue fdatasync). Disks that are written
/// through (writethrough, directsync) need no flush and are durable without; QEMU counts the
/// flushes that it ignores with `cache=unsafe`, so such a disk is never durable.
/// @return  in the order first met.
[[nodiscard]] std::vector<std::string> not_durable(const std::vector<Sample>& samples,
                                                   const std::vector<Workload>& workloads);

}  // namespace poolwise
