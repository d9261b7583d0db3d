// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "api/list_documents.hpp"
#include "module/app/commands/commands.hpp"
#include "module/app/commands/report_output.hpp"
#include "module/app/composition.hpp"
#include "module/app/terminal.hpp"
#include "module/core/error.hpp"
#include "module/report/runs_table.hpp"

namespace poolwise {

int list_runs(const CommonOptions& common, std::size_t limit) {
    Composition composition{common.uri, common.state_folder, find_installation()};
    const std::vector<Run> runs = composition.ports().store.runs(limit);
    if (common.output == OutputFormat::json) {
        std::cout << readable_text(api::runs_document(runs));
    } else {
        std::cout << render_runs(runs, terminal_style(STDOUT_FILENO));
    }
    return 0;
}

int show_report(const CommonOptions& common, const std::string& run_id,
                const std::string& html_file) {
    Composition composition{common.uri, common.state_folder, find_installation()};
    RunStore& store = composition.ports().store;
    const std::optional<Run> run = store.find_run(run_id);
    if (!run) {
        throw Error{ErrorCode::not_found, "run '" + run_id +
                                              "' does not exist: `poolwise runs` lists the runs "
                                              "of this node"};
    }
    const RunReport report = make_report(*run, store.samples(run_id));
    if (html_file.empty()) {
        std::cout << report_as(common.output, report);
    } else {
        write_report_file(html_file, report);
        std::cerr << "report: " << html_file << '\n';
    }
    return 0;
}

}  // namespace poolwise
