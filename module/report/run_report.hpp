// SPDX-License-Identifier: Apache-2.0
// Everything a report is rendered from. All of module/report is pure: a value in, text out.
#pragma once

#include <string_view>
#include <vector>

#include "module/analysis/first_answer.hpp"
#include "module/analysis/summary.hpp"
#include "module/core/run.hpp"
#include "module/core/sample.hpp"

namespace poolwise {

struct RunReport {
    Run run;
    std::vector<Sample> samples;  ///< in the order measured
    std::vector<Cell> cells;
    FirstAnswer answer;
};

/// Analyses the samples of a run. A run that ended early is reported with what it has.
[[nodiscard]] RunReport make_report(Run run, std::vector<Sample> samples);

/// The cell of the fastest ranked guest candidate: what ratios in a report are relative to. Null
/// where no guest candidate is ranked on `workload`.
[[nodiscard]] const Cell* find_baseline(const RunReport& report, std::string_view workload);

/// Whether `candidate` is the fastest on `workload` or within the margin of it.
[[nodiscard]] bool is_leader(const RunReport& report, std::string_view candidate,
                             std::string_view workload);

}  // namespace poolwise
