// SPDX-License-Identifier: Apache-2.0
// Latency histograms: fio's json+ bins, merged by adding counts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "module/core/units.hpp"

namespace poolwise {

/// Counts of requests by completion latency. Keys are whole nanoseconds, one per fio bucket
/// (log-spaced, relative width below 1 %: fio stat.h, FIO_IO_U_PLAT_BITS = 6).
class LatencyHistogram {
public:
    using Bins = std::map<std::uint64_t, std::uint64_t>;

    LatencyHistogram() = default;
    explicit LatencyHistogram(Bins bins) : bins_{std::move(bins)} {}

    void add(std::uint64_t nanoseconds, std::uint64_t count) { bins_[nanoseconds] += count; }
    void merge(const LatencyHistogram& other) {
        for (const auto& [ns, count] : other.bins_) bins_[ns] += count;
    }

    [[nodiscard]] const Bins& bins() const noexcept { return bins_; }
    [[nodiscard]] std::uint64_t count() const noexcept;

    /// The latency that `rank` percent of the requests did not exceed, 0 < rank < 100.
    ///
    /// @return nullopt where fewer than `minimum_tail` requests lie beyond the rank: too few
    ///         requests make no percentile. p99.9 with the default needs 10,000 requests.
    [[nodiscard]] std::optional<Microseconds> percentile(double rank,
                                                         std::uint64_t minimum_tail = 10) const;

    friend bool operator==(const LatencyHistogram&, const LatencyHistogram&) = default;

private:
    Bins bins_;
};

}  // namespace poolwise
