// SPDX-License-Identifier: Apache-2.0
#include "module/core/measurement.hpp"

namespace poolwise {

BlockCounters operator-(const BlockCounters& later, const BlockCounters& earlier) {
    return {.read_requests = later.read_requests - earlier.read_requests,
            .write_requests = later.write_requests - earlier.write_requests,
            .flush_requests = later.flush_requests - earlier.flush_requests,
            .read_bytes = later.read_bytes - earlier.read_bytes,
            .write_bytes = later.write_bytes - earlier.write_bytes};
}

CpuTimes operator-(const CpuTimes& later, const CpuTimes& earlier) {
    return {.busy = later.busy - earlier.busy,
            .idle = later.idle - earlier.idle,
            .steal = later.steal - earlier.steal};
}

}  // namespace poolwise
