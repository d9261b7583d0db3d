// SPDX-License-Identifier: Apache-2.0
#include "module/core/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace poolwise {

std::uint64_t LatencyHistogram::count() const noexcept {
    return std::accumulate(bins_.begin(), bins_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& bin) { return sum + bin.second; });
}

std::optional<Microseconds> LatencyHistogram::percentile(double rank,
                                                         std::uint64_t minimum_tail) const {
    const auto total = static_cast<double>(count());
    // The median has two tails; the smaller one decides for every rank.
    const double tail = total * std::min(rank, 100 - rank) / 100;
    if (total == 0 || tail < static_cast<double>(minimum_tail) * (1 - 1e-9)) return std::nullopt;
    const auto wanted = static_cast<std::uint64_t>(std::ceil(total * rank / 100 * (1 - 1e-12)));
    std::uint64_t seen = 0;
    for (const auto& [nanoseconds, requests] : bins_) {
        seen += requests;
        if (seen >= wanted) return Microseconds{static_cast<double>(nanoseconds) / 1000};
    }
    return std::nullopt;
}

}  // namespace poolwise
