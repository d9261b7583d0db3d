// SPDX-License-Identifier: Apache-2.0
// The first plain answer: per workload, who is fastest by median, or that it is too close to call.
// The full analysis (intervals, verdicts, recommendation) takes this one's place behind the same
// input: stored samples.
#pragma once

#include <string>
#include <vector>

#include "module/analysis/summary.hpp"
#include "module/core/candidate.hpp"
#include "module/core/workload.hpp"

namespace poolwise {

/// One guest candidate against the fastest one on a workload.
struct Standing {
    std::string candidate;
    double ratio = 1;  ///< its median IOPS / the leader's, 0..1
};

enum class Outcome {
    fastest,          ///< one leader, everybody else beyond the margin
    too_close,        ///< more than one within the margin of the leader
    bound_elsewhere,  ///< within the margin, but a CPU or a limit was the bottleneck, so not equal
    not_measured,     ///< fewer than two guest candidates have a believed sample
};
inline constexpr EnumNames<Outcome, 4> kOutcomeNames{{{Outcome::fastest, "fastest"},
                                                      {Outcome::too_close, "too_close"},
                                                      {Outcome::bound_elsewhere, "bound_elsewhere"},
                                                      {Outcome::not_measured, "not_measured"}}};

struct WorkloadAnswer {
    std::string workload;
    Outcome outcome = Outcome::not_measured;
    std::vector<std::string> leaders;     ///< the fastest first, then all within the margin of it
    std::vector<Standing> standings;      ///< every guest candidate measured, fastest first
    BoundBy bound_by = BoundBy::unknown;  ///< of the leaders, where outcome is bound_elsewhere
};

struct FirstAnswer {
    double margin = 0.05;
    std::vector<WorkloadAnswer> workloads;
    /// Guest candidates that lead (alone or within the margin) on every workload measured.
    std::vector<std::string> best_overall;
    /// Guest candidates whose fdatasync workload issued no flush on the host: not ranked.
    std::vector<std::string> not_durable;
};

/// Ranks guest candidates only; host candidates are the layer below and stand in the table.
[[nodiscard]] FirstAnswer first_answer(const std::vector<Cell>& cells,
                                       const std::vector<Candidate>& candidates,
                                       const std::vector<Workload>& workloads,
                                       const std::vector<std::string>& not_durable = {},
                                       double margin = 0.05);

}  // namespace poolwise
