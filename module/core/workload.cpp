// SPDX-License-Identifier: Apache-2.0
#include "module/core/workload.hpp"

#include <algorithm>
#include <bit>

namespace poolwise {
namespace {

using namespace std::chrono_literals;

[[noreturn]] void refuse(const Workload& workload, const std::string& reason) {
    throw Error{ErrorCode::invalid_request, "workload '" + workload.id + "': " + reason};
}

bool is_word(std::string_view text) {
    return !text.empty() && text.size() <= 40 && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
}

}  // namespace

void check_workload(const Workload& workload) {
    if (!is_word(workload.id)) {
        refuse(workload, "id must be 1 to 40 characters of a-z, 0-9 and '-'");
    }
    const std::uint64_t block = workload.block_size.count();
    if (block < 512 || block > (16U << 20U) || !std::has_single_bit(block)) {
        refuse(workload, "block_size_bytes must be a power of two from 512 to 16777216");
    }
    if (workload.iodepth < 1 || workload.iodepth > 1024) {
        refuse(workload, "iodepth must be from 1 to 1024");
    }
    if (workload.jobs < 1 || workload.jobs > 64) refuse(workload, "jobs must be from 1 to 64");
    if (workload.read_percent > 100) refuse(workload, "read_percent must be from 0 to 100");
    if (workload.ramp < 0s || workload.ramp > 600s) {
        refuse(workload, "ramp_s must be from 0 to 600");
    }
    if (workload.runtime && (*workload.runtime < 1s || *workload.runtime > 24h)) {
        refuse(workload, "runtime_s must be from 1 to 86400");
    }
    if (!workload.runtime && workload.ramp > 0s) {
        refuse(workload, "a workload bounded by size has no ramp: drop ramp_s or give runtime_s");
    }
    if (workload.size_percent < 1 || workload.size_percent > 100) {
        refuse(workload, "size_percent must be from 1 to 100");
    }
    if (workload.rate && workload.rate->count() < 1) {
        refuse(workload, "rate_iops must be at least 1");
    }
    if (workload.sync != Sync::none && !writes(workload.access)) {
        refuse(workload, "sync needs an access that writes");
    }
    if (workload.phase != Phase::any && !writes(workload.access)) {
        refuse(workload, "phase needs an access that writes");
    }
    if (workload.phase == Phase::first_write && workload.runtime) {
        refuse(workload,
               "first_write must be bounded by size: a time-based job wraps round and "
               "hides the cost of first writes; drop runtime_s");
    }
}

}  // namespace poolwise
