// SPDX-License-Identifier: Apache-2.0
// The samples of a run, one cell per candidate x workload.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "module/core/sample.hpp"

namespace poolwise {

/// Median and spread of some figure over rounds. Precondition of use: n > 0.
struct Spread {
    std::size_t n = 0;
    double median = 0;
    double least = 0;
    double most = 0;

    friend bool operator==(const Spread&, const Spread&) = default;
};

/// @param values  any order; an even count's median is the mean of the middle two.
[[nodiscard]] Spread spread_of(std::vector<double> values);

/// One candidate on one workload. Void samples are counted and otherwise left out.
struct Cell {
    std::string candidate;
    std::string workload;
    Spread iops;  ///< reads and writes together
    Spread bytes_per_second;
    std::optional<Microseconds> latency_p50;  ///< from histograms merged over the rounds
    std::optional<Microseconds> latency_p99;  ///< nullopt: not enough samples
    std::optional<Microseconds> sync_p99;     ///< of fdatasync, where the workload issues it
    std::optional<double>
        cpu_seconds_per_million;          ///< QEMU's host CPU per million requests, median
    BoundBy bound_by = BoundBy::unknown;  ///< what most samples were bound by
    std::size_t void_count = 0;
    std::vector<std::string> void_reasons;  ///< distinct, in the order met
};

/// Cells in the order in which candidates and workloads first appear in `candidates`/`workloads`;
/// a pair without any sample has no cell.
[[nodiscard]] std::vector<Cell> summarise(const std::vector<Sample>& samples,
                                          const std::vector<std::string>& candidates,
                                          const std::vector<std::string>& workloads);

[[nodiscard]] const Cell* find_cell(const std::vector<Cell>& cells, std::string_view candidate,
                                    std::string_view workload);

}  // namespace poolwise
