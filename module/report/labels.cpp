// SPDX-License-Identifier: Apache-2.0
#include "module/report/labels.hpp"

#include <algorithm>

#include "module/core/names.hpp"
#include "module/report/text_format.hpp"

namespace poolwise {
namespace {

// Labels stand in tables and sentences; the full name is where the run is described.
constexpr std::size_t kLongestPool = 32;

bool uses_several_pools(const std::vector<Candidate>& candidates) {
    return std::ranges::any_of(candidates, [&](const Candidate& candidate) {
        return candidate.pool != candidates.front().pool;
    });
}

std::string find_or(const std::map<std::string, std::string>& names, const std::string& id) {
    const auto found = names.find(id);
    return found == names.end() ? printable(id) : found->second;
}

}  // namespace

Labels::Labels(const RunRequest& request) {
    const bool several = uses_several_pools(request.candidates);
    std::map<std::string, int> uses;
    for (const Candidate& candidate : request.candidates) {
        std::string text = label(candidate);
        text = printable(text);
        if (several) text += " in '" + cut(printable(candidate.pool), kLongestPool) + "'";
        ++uses[text];
        candidates_[candidate.id] = text;
    }
    for (auto& [id, text] : candidates_) {
        if (uses[text] > 1) text += " [" + printable(id) + "]";
    }
    for (const Workload& workload : request.profile.workloads) {
        workloads_[workload.id] = printable(workload.title.empty() ? workload.id : workload.title);
    }
}

std::string Labels::candidate(const std::string& id) const {
    return find_or(candidates_, id);
}

std::string Labels::workload(const std::string& id) const {
    return find_or(workloads_, id);
}

std::string place_name(const PoolInfo& pool, const Run& run) {
    if (is_object_of(pool.name, run.id)) return "directory " + pool.path;
    const std::string at = pool.path.empty() ? "" : " at " + pool.path;
    return "pool '" + pool.name + "' (" + pool.type + at + ")";
}

std::string bottleneck(BoundBy bound_by) {
    switch (bound_by) {
        case BoundBy::device:
            return "the device";
        case BoundBy::guest_cpu:
            return "the guest's CPU";
        case BoundBy::host_cpu:
            return "the node's CPU";
        case BoundBy::limit:
            return "an I/O limit on the disk";
        case BoundBy::unknown:
            break;
    }
    return "something unknown";
}

std::string bottleneck_word(BoundBy bound_by) {
    switch (bound_by) {
        case BoundBy::device:
            return "device";
        case BoundBy::guest_cpu:
            return "guest CPU";
        case BoundBy::host_cpu:
            return "node CPU";
        case BoundBy::limit:
            return "I/O limit";
        case BoundBy::unknown:
            break;
    }
    return "unknown";
}

}  // namespace poolwise
