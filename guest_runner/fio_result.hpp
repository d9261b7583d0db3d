// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "module/core/measurement.hpp"
#include "module/core/workload.hpp"

namespace poolwise::guest_runner {

struct FioReading {
    std::optional<FioResult> result;  ///< absent where the file holds no document we understand
    std::vector<std::string> faults;  ///< why the figures must not be used; empty = good
};

/// Reads what `fio --output-format=json+` left, and judges it.
///
/// Never throws for what the file contains: strict about figures, tolerant about what fio itself
/// garbles (see fio_document.hpp). A result can come with faults; then it is evidence, not a
/// figure. Each fault is one sentence.
///
/// @param exit_status  of fio; 128 + signal if it was killed.
/// @param workload     what was asked: the job's name, number of jobs, direction, runtime, depth.
[[nodiscard]] FioReading read_fio_result(std::string_view file_text, int exit_status,
                                         const Workload& workload);

/// Reads fio's per-second IOPS logs (fio_job.hpp, kLogWindow): one file per job, concatenated in
/// any order and added up window by window. fio leaves out windows without a request; they are
/// filled in with zeros. A line that is not four or more numbers is skipped: fio killed in the
/// middle of a line is no failure here.
///
/// @return windows in time order; `at` is the end of a window since the end of the ramp, as fio
///         stamped it. The window under way when fio ended is not in the log.
[[nodiscard]] std::vector<RatePoint> read_fio_iops_log(std::string_view log_text);

}  // namespace poolwise::guest_runner
