// SPDX-License-Identifier: Apache-2.0
// The figures of one direction of one job in fio's document, checked against each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "module/core/measurement.hpp"
#include "module/core/workload.hpp"

namespace poolwise::guest_runner {

/// Reads numbers out of an object; what is missing or no plausible number becomes a fault, and 0.
class Figures {
public:
    /// @param where  the object's place for messages: "jobs[0].read". `object` and `faults` must
    ///               outlive this.
    Figures(const nlohmann::json& object, std::string where, std::vector<std::string>& faults);

    /// A whole number from 0 to 2^53: beyond that fio does not count, and doubles are exact below.
    [[nodiscard]] std::uint64_t count(std::string_view key) const;
    /// A number from 0 up.
    [[nodiscard]] double real(std::string_view key) const;
    /// The object at `key`; an empty one if there is none, which is a fault.
    [[nodiscard]] Figures inside(std::string_view key) const;
    [[nodiscard]] bool has(std::string_view key) const;

    /// `bins` of json+; absent bins are an empty histogram.
    [[nodiscard]] LatencyHistogram bins() const;
    /// min <= mean <= max, and percentiles that rise.
    void check_latencies() const;

    void fault(const std::string& reason) const;

private:
    [[nodiscard]] const nlohmann::json* find(std::string_view key) const;

    const nlohmann::json& object_;
    std::string where_;
    std::vector<std::string>& faults_;
};

/// One direction. Rates must be what totals and runtime give (2 %), bytes what requests and block
/// size give, and the histogram must hold every request: fio counts a request that was under way
/// when the ramp ended in some figures and not in others, so `iodepth` x `jobs` may differ.
[[nodiscard]] DirectionResult read_direction(const Figures& figures, const Workload& workload);

/// The fdatasync latencies of a job; nullopt if it has none. fio 3.33 leaves `sync.total_ios` at 0,
/// so the count is that of the latencies.
[[nodiscard]] std::optional<SyncResult> read_sync(const Figures& figures);

}  // namespace poolwise::guest_runner
