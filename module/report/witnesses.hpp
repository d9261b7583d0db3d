// SPDX-License-Identifier: Apache-2.0
// How well the witnesses of a run agreed, over all its samples: the worst case of each check.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "module/core/sample.hpp"

namespace poolwise {

/// The largest relative difference of two witnesses, 0..1, and over how many samples.
struct Agreement {
    std::size_t samples = 0;
    double worst = 0;
};

struct Witnesses {
    Agreement requests;             ///< the guest's device counters against QEMU's
    Agreement bytes;                ///< likewise
    Agreement clocks;               ///< the engine's clock against the node's, spans of 3 s or more
    Agreement steal;                ///< share of CPU time a guest wanted and was not given
    std::size_t not_idle = 0;       ///< samples begun before the device was idle again
    std::size_t cache_kept = 0;     ///< samples for which a cache drop was asked and not done
    std::string cache_kept_reason;  ///< of the first of them
    std::array<std::size_t, kBoundByNames.size()> bound_by{};  ///< by enumerator; void ones too
    SampleTimings spent;                                       ///< summed over all samples
};

[[nodiscard]] Witnesses gather_witnesses(const std::vector<Sample>& samples);

}  // namespace poolwise
