// SPDX-License-Identifier: Apache-2.0
#include "module/report/run_report.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "module/analysis/evidence.hpp"

namespace poolwise {
namespace {

template <typename Item>
std::vector<std::string> ids_of(const std::vector<Item>& items) {
    std::vector<std::string> ids;
    std::ranges::transform(items, std::back_inserter(ids), &Item::id);
    return ids;
}

const WorkloadAnswer* find_answer(const RunReport& report, std::string_view workload) {
    const auto& answers = report.answer.workloads;
    const auto found = std::ranges::find(answers, workload, &WorkloadAnswer::workload);
    return found == answers.end() ? nullptr : &*found;
}

}  // namespace

RunReport make_report(Run run, std::vector<Sample> samples) {
    const auto& candidates = run.request.candidates;
    const auto& workloads = run.request.profile.workloads;
    auto cells = summarise(samples, ids_of(candidates), ids_of(workloads));
    auto answer = first_answer(cells, candidates, workloads, not_durable(samples, workloads));
    return {std::move(run), std::move(samples), std::move(cells), std::move(answer)};
}

const Cell* find_baseline(const RunReport& report, std::string_view workload) {
    const WorkloadAnswer* answer = find_answer(report, workload);
    if (answer == nullptr || answer->standings.empty()) return nullptr;
    return find_cell(report.cells, answer->standings.front().candidate, workload);
}

bool is_leader(const RunReport& report, std::string_view candidate, std::string_view workload) {
    const WorkloadAnswer* answer = find_answer(report, workload);
    return answer != nullptr && std::ranges::count(answer->leaders, candidate) > 0;
}

}  // namespace poolwise
