// SPDX-License-Identifier: Apache-2.0
#include "module/app/cli.hpp"

#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "module/app/commands/commands.hpp"
#include "module/core/error.hpp"

namespace poolwise {
namespace {

/// The command that the command line asks for.
using Command = std::function<int()>;

template <typename Enum, std::size_t N>
std::vector<std::string> names_in(const EnumNames<Enum, N>& table) {
    std::vector<std::string> names;
    for (const auto& entry : table) names.emplace_back(entry.second);
    return names;
}

void add_request_options(CLI::App& command, CompareOptions& options) {
    RequestOptions& request = options.request;
    command.add_option("pools", request.pools, "Pools by name, or directories as dir:/path")
        ->required();
    command
        .add_option("--candidates", request.candidates,
                    "What to compare: FORMAT[+snapshot[=internal|external]][:option=value]..., "
                    "separated by commas; options: preallocation, cluster_size, extended_l2")
        ->delimiter(',')
        ->capture_default_str();
    command.add_option("--layers", request.layers, "Where the engine runs: host, guest")
        ->delimiter(',')
        ->capture_default_str();
    command.add_option("--profile", options.profile, "Name of a profile, or path of a JSON file")
        ->capture_default_str();
    command.add_option("--size", request.size,
                       "Size of each test volume, like 2G; default: the "
                       "profile's, or as large as the measurement needs");
    command.add_option("--rounds", request.rounds, "Rounds; default: the profile's");
    command.add_option("--cache", request.cache, "Cache mode of the disks")
        ->check(CLI::IsMember(names_in(kCacheModeNames)));
    command.add_option("--io", request.io, "IO mode of the disks")
        ->check(CLI::IsMember(names_in(kIoModeNames)));
    command.add_option("--discard", request.discard, "What the disks do with discards")
        ->check(CLI::IsMember(names_in(kDiscardNames)));
    command.add_option("--queues", request.queues, "Virtio queues of each disk");
    command.add_flag("--iothread", request.iothread, "Give the disks an I/O thread of their own");
    command.add_option("--limit-iops", request.limit_iops, "Throttle the test disks");
    command.add_option("--accelerator", request.accelerator, "Default: KVM where it works")
        ->check(CLI::IsMember(names_in(kAcceleratorNames)));
    command.add_option("--seed", request.seed, "Seed of the order of samples; default: random");
    command.add_flag("--exclusive", request.exclusive, "Refuse if other guests run");
}

void add_common_options(CLI::App& app, CommonOptions& common) {
    app.add_option("-c,--connect", common.uri, "libvirt of this node")
        ->envname("LIBVIRT_DEFAULT_URI")
        ->capture_default_str();
    app.add_option("--state", common.state_folder, "Folder for results, journal and guest image")
        ->envname("POOLWISE_STATE")
        ->capture_default_str();
}

/// Each command has the forms in which it can say something.
void add_output_option(CLI::App& command, OutputFormat& output,
                       const std::vector<OutputFormat>& forms) {
    std::vector<std::string> names;
    for (const OutputFormat form : forms) names.emplace_back(enum_name(kOutputFormatNames, form));
    const auto take = [&output](const std::string& name) {
        output = parse_enum(kOutputFormatNames, name, "output format");
    };
    command
        .add_option_function<std::string>("-o,--output", take,
                                          "Form of what is printed; default: table")
        ->check(CLI::IsMember(names));
}

void add_list_output_option(CLI::App& command, OutputFormat& output) {
    add_output_option(command, output, {OutputFormat::table, OutputFormat::json});
}

void add_report_output_option(CLI::App& command, OutputFormat& output) {
    add_output_option(
        command, output,
        {OutputFormat::table, OutputFormat::json, OutputFormat::csv, OutputFormat::html});
}

int run_command(const Command& command) {
    try {
        return command();
    } catch (const Error& error) {
        std::cerr << "poolwise: " << error.what() << '\n';
        return exit_code(error.code());
    } catch (const std::exception& error) {
        std::cerr << "poolwise: internal error: " << error.what() << '\n';
        return exit_code(ErrorCode::unavailable);
    }
}

}  // namespace

int run_cli(int argc, char** argv) {
    CLI::App app{"poolwise measures which storage virtual disks should live on", "poolwise"};
    app.set_version_flag("--version", "poolwise " POOLWISE_VERSION);
    app.require_subcommand(1);
    app.fallthrough();
    app.option_defaults()->always_capture_default(false);
    CommonOptions common;
    add_common_options(app, common);
    Command command;

    CLI::App* pools =
        app.add_subcommand("pools", "List the pools and what can be measured on them");
    add_list_output_option(*pools, common.output);
    pools->callback([&] { command = [&] { return list_pools(common); }; });

    CompareOptions compare_options;
    CLI::App* plan_app = app.add_subcommand("plan", "Say what `compare` would do and cost");
    add_request_options(*plan_app, compare_options);
    add_list_output_option(*plan_app, common.output);
    plan_app->callback([&] { command = [&] { return plan(common, compare_options); }; });

    CLI::App* compare_app = app.add_subcommand("compare", "Measure and compare storages");
    add_request_options(*compare_app, compare_options);
    compare_app->add_option("--html", compare_options.html_file, "Also write an HTML report there");
    compare_app->add_flag("--dry-run", compare_options.dry_run, "Plan only, create nothing");
    add_report_output_option(*compare_app, common.output);
    compare_app->callback([&] { command = [&] { return compare(common, compare_options); }; });

    std::size_t limit = 20;
    CLI::App* runs = app.add_subcommand("runs", "List past runs, newest first");
    runs->add_option("--limit", limit, "How many")->capture_default_str();
    add_list_output_option(*runs, common.output);
    runs->callback([&] { command = [&] { return list_runs(common, limit); }; });

    std::string run_id;
    std::string html_file;
    CLI::App* report = app.add_subcommand("report", "Show a past run again");
    report->add_option("run", run_id, "Id of the run")->required();
    report->add_option("--html", html_file, "Write an HTML report there instead");
    add_report_output_option(*report, common.output);
    report->callback([&] { command = [&] { return show_report(common, run_id, html_file); }; });

    CLI::App* image = app.add_subcommand("image", "The guest's image");
    image->require_subcommand(1);
    image->add_subcommand("build", "Build it, or find it in the cache")->callback([&] {
        command = [&] { return build_image(common); };
    });

    bool dry_run = false;
    CLI::App* clean_app = app.add_subcommand("clean", "Remove what dead runs left behind");
    clean_app->add_flag("--dry-run", dry_run, "Say what would be removed");
    clean_app->callback([&] {
        command = [&] { return clean(common, dry_run ? CleanMode::dry_run : CleanMode::remove); };
    });

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const bool asked_for_help = error.get_exit_code() == 0;
        app.exit(error);
        return asked_for_help ? 0 : exit_code(ErrorCode::invalid_request);
    }
    return run_command(command);
}

}  // namespace poolwise
