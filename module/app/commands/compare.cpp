// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "module/app/commands/commands.hpp"
#include "module/app/commands/report_output.hpp"
#include "module/app/composition.hpp"
#include "module/app/interrupts.hpp"
#include "module/app/profile_library.hpp"
#include "module/app/progress_printer.hpp"
#include "module/app/terminal.hpp"
#include "module/codec/run_codec.hpp"
#include "module/core/error.hpp"
#include "module/report/plan_text.hpp"
#include "module/report/run_report.hpp"
#include "module/runs/runner.hpp"

namespace poolwise {
namespace {

RunRequest request_from(const CompareOptions& options, const Installation& installation,
                        Node& node) {
    const Profile profile = ProfileLibrary{installation.profiles}.load(options.profile);
    return build_request(options.request, profile, node.random_bits() >> 1U);
}

int exit_status(const Run& run) {
    if (run.state == RunState::succeeded) return 0;
    if (run.state == RunState::cancelled) return exit_code(ErrorCode::cancelled);
    for (const ErrorCode code : kErrorCodes) {
        if (to_string(code) == run.error_code) return exit_code(code);
    }
    return exit_code(ErrorCode::unavailable);
}

void tell_end(const Run& run) {
    if (!run.error.empty()) std::cerr << "poolwise: " << run.error << '\n';
    for (const std::string& leftover : run.leftovers) {
        std::cerr << "poolwise: not removed: " << leftover << "; `poolwise clean` tries again\n";
    }
}

}  // namespace

int plan(const CommonOptions& common, const CompareOptions& options) {
    if (common.output == OutputFormat::csv || common.output == OutputFormat::html) {
        throw Error{ErrorCode::invalid_request, "a plan is printed as table or json"};
    }
    const Installation installation = find_installation();
    Composition composition{common.uri, common.state_folder, installation};
    RunPorts ports = composition.ports();
    const PreparedRun prepared =
        prepare_run(request_from(options, installation, ports.node), ports);
    if (common.output == OutputFormat::json) {
        std::cout << readable_text(to_document(prepared.run));
        return 0;
    }
    PlanView view{.request = prepared.run.request,
                  .plan = *prepared.run.plan,
                  .pools = {},
                  .guests = ports.guests.foreign_guests(),
                  .remarks = prepared.run.remarks};
    for (const auto& [spec, target] : prepared.facts.targets) {
        if (target.pool) view.pools.push_back(*target.pool);
    }
    std::cout << render_plan(view, terminal_width(STDOUT_FILENO));
    return 0;
}

int compare(const CommonOptions& common, const CompareOptions& options) {
    if (options.dry_run) return plan(common, options);
    const Interrupts interrupts;  // before the first thread
    const Installation installation = find_installation();
    Composition composition{common.uri, common.state_folder, installation};
    RunPorts ports = composition.ports();
    const RunRequest request = request_from(options, installation, ports.node);
    if (!options.html_file.empty()) check_writable(options.html_file);
    const bool live = isatty(STDERR_FILENO) == 1;
    Run run;
    {
        ProgressPrinter printer{std::cerr, live ? Liveliness::live : Liveliness::plain,
                                terminal_width(STDERR_FILENO),
                                [&ports] { return ports.clock.now(); }};
        run = execute_run(request, ports, printer, interrupts.token());
    }
    tell_end(run);
    const RunReport report = make_report(run, ports.store.samples(run.id));
    if (!report.samples.empty()) std::cout << report_as(common.output, report) << std::flush;
    if (!options.html_file.empty()) {
        write_report_file(options.html_file, report);
        std::cerr << "report: " << options.html_file << '\n';
    }
    std::cerr << "run " << run.id << ": " << enum_name(kRunStateNames, run.state)
              << "; `poolwise report " << run.id << "` shows it again\n";
    return exit_status(run);
}

}  // namespace poolwise
