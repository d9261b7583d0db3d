// SPDX-License-Identifier: Apache-2.0
#include "module/analysis/first_answer.hpp"

#include <algorithm>
#include <string_view>

namespace poolwise {
namespace {

/// Room for the rounding of two doubles, so that a ratio of exactly the margin lies within it.
constexpr double kRounding = 1e-12;

bool contains(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Those that may be ranked, in the order given.
std::vector<std::string> ranked_candidates(const std::vector<Candidate>& candidates,
                                           const std::vector<std::string>& not_durable) {
    std::vector<std::string> ranked;
    for (const Candidate& candidate : candidates) {
        if (candidate.layer == Layer::guest && !contains(not_durable, candidate.id)) {
            ranked.push_back(candidate.id);
        }
    }
    return ranked;
}

/// Believed cells of a workload, fastest first; equals stay in the order of `candidates`.
std::vector<const Cell*> measured_cells(const std::vector<Cell>& cells,
                                        const std::vector<std::string>& candidates,
                                        std::string_view workload) {
    std::vector<const Cell*> measured;
    for (const std::string& candidate : candidates) {
        const Cell* const cell = find_cell(cells, candidate, workload);
        if (cell != nullptr && cell->iops.n > 0) measured.push_back(cell);
    }
    std::stable_sort(measured.begin(), measured.end(), [](const Cell* left, const Cell* right) {
        return left->iops.median > right->iops.median;
    });
    return measured;
}

/// What made the leaders equal although the storage may not be; the fastest one's first.
BoundBy bound_elsewhere(const std::vector<const Cell*>& measured, std::size_t leaders) {
    for (std::size_t i = 0; i < leaders; ++i) {
        const BoundBy bound = measured[i]->bound_by;
        if (bound != BoundBy::unknown && bound != BoundBy::device) return bound;
    }
    return BoundBy::unknown;
}

WorkloadAnswer answer_for(const std::string& workload, const std::vector<const Cell*>& measured,
                          double margin) {
    WorkloadAnswer answer;
    answer.workload = workload;
    const double best = measured.empty() ? 0 : measured.front()->iops.median;
    for (const Cell* const cell : measured) {
        const double ratio = best > 0 ? cell->iops.median / best : 1;
        answer.standings.push_back({.candidate = cell->candidate, .ratio = ratio});
    }
    if (measured.size() < 2) return answer;

    for (const Standing& standing : answer.standings) {
        if (standing.ratio * (1 + margin) >= 1 - kRounding) {
            answer.leaders.push_back(standing.candidate);
        }
    }
    answer.outcome = answer.leaders.size() == 1 ? Outcome::fastest : Outcome::too_close;
    if (answer.outcome == Outcome::too_close) {
        answer.bound_by = bound_elsewhere(measured, answer.leaders.size());
        if (answer.bound_by != BoundBy::unknown) answer.outcome = Outcome::bound_elsewhere;
    }
    return answer;
}

std::vector<std::string> leaders_everywhere(const std::vector<WorkloadAnswer>& answers,
                                            const std::vector<std::string>& candidates) {
    const auto measured = [](const WorkloadAnswer& answer) {
        return answer.outcome != Outcome::not_measured;
    };
    std::vector<std::string> best;
    if (std::none_of(answers.begin(), answers.end(), measured)) return best;
    for (const std::string& candidate : candidates) {
        const bool leads = std::all_of(answers.begin(), answers.end(), [&](const auto& answer) {
            return !measured(answer) || contains(answer.leaders, candidate);
        });
        if (leads) best.push_back(candidate);
    }
    return best;
}

}  // namespace

FirstAnswer first_answer(const std::vector<Cell>& cells, const std::vector<Candidate>& candidates,
                         const std::vector<Workload>& workloads,
                         const std::vector<std::string>& not_durable, double margin) {
    const std::vector<std::string> ranked = ranked_candidates(candidates, not_durable);
    FirstAnswer answer;
    answer.margin = margin;
    answer.not_durable = not_durable;
    for (const Workload& workload : workloads) {
        answer.workloads.push_back(
            answer_for(workload.id, measured_cells(cells, ranked, workload.id), margin));
    }
    answer.best_overall = leaders_everywhere(answer.workloads, ranked);
    return answer;
}

}  // namespace poolwise
