// SPDX-License-Identifier: Apache-2.0
#include "module/core/profile.hpp"

#include <algorithm>
#include <set>

#include "module/core/size_text.hpp"

namespace poolwise {
namespace {

using namespace literals;

[[noreturn]] void refuse(const Profile& profile, const std::string& reason) {
    throw Error{ErrorCode::invalid_request, "profile '" + profile.name + "': " + reason};
}

}  // namespace

void check_profile(const Profile& profile) {
    if (profile.name.empty()) refuse(profile, "name is empty");
    if (profile.workloads.empty()) refuse(profile, "workloads is empty");
    if (profile.rounds < 1 || profile.rounds > 100) refuse(profile, "rounds must be from 1 to 100");
    if (profile.snapshot_rounds &&
        (*profile.snapshot_rounds < 1 || *profile.snapshot_rounds > 100)) {
        refuse(profile, "snapshot_rounds must be from 1 to 100");
    }
    if (profile.volume_size && *profile.volume_size < 64_MiB) {
        refuse(profile, "volume_size_bytes must be at least 64 MiB, not " +
                            format_size(*profile.volume_size));
    }
    if (profile.guest.vcpus && (*profile.guest.vcpus < 1 || *profile.guest.vcpus > 64)) {
        refuse(profile, "guest.vcpus must be from 1 to 64");
    }
    if (profile.guest.memory < 256_MiB) {
        refuse(profile, "guest.memory_bytes must be at least 256 MiB");
    }
    std::set<std::string> ids;
    for (const Workload& workload : profile.workloads) {
        if (!ids.insert(workload.id).second) {
            refuse(profile, "two workloads are called '" + workload.id + "'");
        }
        try {
            check_workload(workload);
        } catch (const Error& error) {
            refuse(profile, error.what());
        }
        if (profile.fill == FillData::none && reads(workload.access)) {
            refuse(profile, "workload '" + workload.id +
                                "' reads, but fill is none: blocks never written read as zeros "
                                "without touching the disk");
        }
    }
}

}  // namespace poolwise
