// SPDX-License-Identifier: Apache-2.0
#include "module/analysis/summary.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <boost/math/statistics/univariate_statistics.hpp>

namespace poolwise {
namespace {

constexpr double kMillion = 1e6;

/// QEMU's CPU time spans the whole fio process, ramp included, and so do QEMU's counters; fio's own
/// total does not.
std::optional<double> cpu_seconds_per_million(const Sample& sample) {
    const Evidence& evidence = sample.evidence;
    if (!evidence.qemu_cpu || !evidence.host_block) return std::nullopt;
    const std::uint64_t requests =
        evidence.host_block->read_requests + evidence.host_block->write_requests;
    if (requests == 0) return std::nullopt;
    return evidence.qemu_cpu->count() * kMillion / static_cast<double>(requests);
}

/// The bound of most samples; unknown where two share the first place.
BoundBy commonest(const std::vector<BoundBy>& bounds) {
    BoundBy best = BoundBy::unknown;
    std::ptrdiff_t most = 0;
    for (const auto& [bound, name] : kBoundByNames) {
        const auto count = std::count(bounds.begin(), bounds.end(), bound);
        if (count == most) best = BoundBy::unknown;
        if (count > most) {
            best = bound;
            most = count;
        }
    }
    return best;
}

/// Collects the samples of one pair.
class CellBuilder {
public:
    CellBuilder(std::string_view candidate, std::string_view workload) {
        cell_.candidate = candidate;
        cell_.workload = workload;
    }

    void add(const Sample& sample) {
        any_ = true;
        if (sample.is_void()) {
            add_void(sample);
            return;
        }
        const DirectionResult& read = sample.result.read;
        const DirectionResult& write = sample.result.write;
        iops_.push_back((read.iops + write.iops).count());
        rates_.push_back((read.bandwidth + write.bandwidth).count());
        latency_.merge(read.latency);
        latency_.merge(write.latency);
        if (sample.result.sync) sync_.merge(sample.result.sync->latency);
        if (const auto cost = cpu_seconds_per_million(sample)) costs_.push_back(*cost);
        bounds_.push_back(sample.bound_by);
    }

    /// nullopt without any sample.
    [[nodiscard]] std::optional<Cell> build() && {
        if (!any_) return std::nullopt;
        cell_.iops = spread_of(std::move(iops_));
        cell_.bytes_per_second = spread_of(std::move(rates_));
        cell_.latency_p50 = latency_.percentile(50);
        cell_.latency_p99 = latency_.percentile(99);
        cell_.sync_p99 = sync_.percentile(99);
        if (!costs_.empty()) cell_.cpu_seconds_per_million = spread_of(std::move(costs_)).median;
        cell_.bound_by = commonest(bounds_);
        return std::move(cell_);
    }

private:
    void add_void(const Sample& sample) {
        ++cell_.void_count;
        std::vector<std::string>& known = cell_.void_reasons;
        for (const std::string& reason : sample.void_reasons) {
            if (std::find(known.begin(), known.end(), reason) == known.end()) {
                known.push_back(reason);
            }
        }
    }

    Cell cell_;
    bool any_ = false;
    std::vector<double> iops_;
    std::vector<double> rates_;
    std::vector<double> costs_;
    std::vector<BoundBy> bounds_;
    LatencyHistogram latency_;
    LatencyHistogram sync_;
};

}  // namespace

Spread spread_of(std::vector<double> values) {
    if (values.empty()) return {};
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    Spread spread{.n = values.size(), .median = 0, .least = *least, .most = *most};
    spread.median = boost::math::statistics::median(values);
    return spread;
}

std::vector<Cell> summarise(const std::vector<Sample>& samples,
                            const std::vector<std::string>& candidates,
                            const std::vector<std::string>& workloads) {
    std::vector<Cell> cells;
    for (const std::string& candidate : candidates) {
        for (const std::string& workload : workloads) {
            CellBuilder builder{candidate, workload};
            for (const Sample& sample : samples) {
                if (sample.candidate == candidate && sample.workload == workload) {
                    builder.add(sample);
                }
            }
            if (auto cell = std::move(builder).build()) cells.push_back(*std::move(cell));
        }
    }
    return cells;
}

const Cell* find_cell(const std::vector<Cell>& cells, std::string_view candidate,
                      std::string_view workload) {
    const auto found = std::find_if(cells.begin(), cells.end(), [&](const Cell& cell) {
        return cell.candidate == candidate && cell.workload == workload;
    });
    return found == cells.end() ? nullptr : &*found;
}

}  // namespace poolwise
