// SPDX-License-Identifier: Apache-2.0
#include "module/runs/recovery.hpp"

#include <limits>
#include <set>

#include "module/runs/cleaner.hpp"

namespace poolwise {
namespace {

std::set<std::string> runs_with_open_entries(Journal& journal) {
    std::set<std::string> ids;
    for (const JournalEntry& entry : journal.open_entries()) ids.insert(entry.run_id);
    return ids;
}

void mark_interrupted(RunPorts& ports) {
    for (Run& run : ports.store.runs(std::numeric_limits<std::size_t>::max())) {
        if (is_final(run.state)) continue;
        run.state = RunState::interrupted;
        run.severity = Severity::warning;
        run.finished = ports.clock.wall();
        run.error_code = "interrupted";
        run.error = "the process that measured ended before the run did";
        ports.store.update_run(run);
    }
}

}  // namespace

std::vector<RecoveredRun> recoverable(RunPorts& ports) {
    Cleaner cleaner{ports.storage, ports.guests, ports.journal};
    std::vector<RecoveredRun> runs;
    for (const std::string& id : runs_with_open_entries(ports.journal)) {
        runs.push_back({.run_id = id, .removed = cleaner.open_objects(id), .leftovers = {}});
    }
    return runs;
}

std::vector<RecoveredRun> recover(RunPorts& ports) {
    Cleaner cleaner{ports.storage, ports.guests, ports.journal};
    std::vector<RecoveredRun> runs = recoverable(ports);
    for (RecoveredRun& run : runs) {
        run.leftovers = cleaner.clean_run(run.run_id);
        const std::vector<std::string> still = cleaner.open_objects(run.run_id);
        for (const std::string& object : still) std::erase(run.removed, object);
    }
    mark_interrupted(ports);
    return runs;
}

}  // namespace poolwise
