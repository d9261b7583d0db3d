// SPDX-License-Identifier: Apache-2.0
#include "module/report/runs_table.hpp"

#include "module/report/labels.hpp"
#include "module/report/text_format.hpp"

namespace poolwise {
namespace {

std::string pools_of(const Run& run) {
    std::vector<std::string> names;
    for (const Candidate& candidate : run.request.candidates) {
        const std::string name = printable(candidate.pool);
        if (names.empty() || names.back() != name) names.push_back(name);
    }
    return join(names, ", ");
}

std::string candidates_of(const Run& run) {
    const Labels labels{run.request};
    std::vector<std::string> names;
    for (const Candidate& candidate : run.request.candidates) {
        names.push_back(labels.candidate(candidate.id));
    }
    return join(names, ", ");
}

Ink ink_of(const Run& run) {
    if (!is_final(run.state)) return Ink::bold;
    return run.state == RunState::succeeded ? Ink::plain : Ink::dim;
}

std::string state_of(const Run& run) {
    std::string text{enum_name(kRunStateNames, run.state)};
    return run.severity == Severity::warning ? text + " (warning)" : text;
}

}  // namespace

std::string render_runs(const std::vector<Run>& runs, const TableStyle& style) {
    if (runs.empty()) return "No runs yet.\n";
    TextTable table{{{.title = "run"},
                     {.title = "created"},
                     {.title = "state"},
                     {.title = "took", .align = Align::right, .dispensable = 1},
                     {.title = "profile"},
                     {.title = "pool", .dispensable = 2},
                     {.title = "candidates", .dispensable = 3}}};
    for (const Run& run : runs) {
        table.add_row({printable(run.id), format_time(run.created), state_of(run),
                       run.finished ? format_duration(*run.finished - run.created) : "",
                       printable(run.request.profile.name), pools_of(run), candidates_of(run)},
                      ink_of(run));
        if (!run.error.empty()) table.add_note(printable(run.error), Ink::yellow);
        for (const std::string& leftover : run.leftovers) {
            table.add_note("left behind: " + printable(leftover), Ink::yellow);
        }
    }
    return table.render(style);
}

}  // namespace poolwise
