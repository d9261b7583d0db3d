// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "module/app/commands/commands.hpp"
#include "module/app/composition.hpp"
#include "module/core/error.hpp"
#include "module/runs/recovery.hpp"

namespace poolwise {
namespace {

void print_all(const char* what, const std::vector<std::string>& objects) {
    for (const std::string& object : objects) std::cout << what << object << '\n';
}

}  // namespace

int clean(const CommonOptions& common, CleanMode mode) {
    Composition composition{common.uri, common.state_folder, find_installation()};
    RunPorts ports = composition.ports();
    // A run that measures now holds the lock; what it made is not ours to remove.
    const auto lock = ports.node.lock("store " + ports.store.store_id());
    const bool dry = mode == CleanMode::dry_run;
    const std::vector<RecoveredRun> runs = dry ? recoverable(ports) : recover(ports);
    if (runs.empty()) std::cout << "nothing to clean\n";
    bool leftovers = false;
    for (const RecoveredRun& run : runs) {
        std::cout << "run " << run.run_id << ":\n";
        print_all(dry ? "  would remove " : "  removed ", run.removed);
        print_all("  not removed: ", run.leftovers);
        leftovers = leftovers || !run.leftovers.empty();
    }
    return leftovers ? exit_code(ErrorCode::hypervisor_failed) : 0;
}

}  // namespace poolwise
