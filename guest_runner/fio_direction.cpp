// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/fio_direction.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <system_error>
#include <utility>

namespace poolwise::guest_runner {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kLargestCount = 1ULL << 53U;
constexpr double kRateTolerance = 0.02;

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::string text_of(double number) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.6g", number);
    return text.data();
}

/// nullopt where fio gives no lawful count.
std::optional<std::uint64_t> lawful_count(const Json& value) {
    if (!value.is_number_unsigned()) return std::nullopt;
    const auto count = value.get<std::uint64_t>();
    if (count > kLargestCount) return std::nullopt;
    return count;
}

const Json& nothing() {
    static const Json empty = Json::object();
    return empty;
}

/// Rates are checked to 2 %, or to what a runtime in whole milliseconds can tell.
void check_rate(const Figures& figures, std::string_view what, double rate, double total,
                double runtime_ms) {
    const double expected = total * 1000 / runtime_ms;
    const double tolerance = kRateTolerance + 1 / runtime_ms;
    if (std::abs(rate - expected) > expected * tolerance + 1) {
        figures.fault(std::string{what} + " is " + text_of(rate) +
                      ", but totals and runtime give " + text_of(expected));
    }
}

void check_counts(const Figures& figures, const DirectionResult& direction,
                  const Workload& workload) {
    const double under_way = workload.iodepth * workload.jobs;
    const auto requests = static_cast<double>(direction.total_ios);
    const auto counted = static_cast<double>(direction.latency.count());
    if (std::abs(counted - requests) > under_way) {
        figures.fault("the latency bins hold " + text_of(counted) + " requests of " +
                      text_of(requests));
    }
    const auto block = static_cast<double>(workload.block_size.count());
    const auto bytes = static_cast<double>(direction.io_bytes.count());
    if (std::abs(bytes - requests * block) > (requests * kRateTolerance + under_way) * block) {
        figures.fault("io_bytes is " + text_of(bytes) + ", but " + text_of(requests) +
                      " requests of " + text_of(block) + " bytes were made");
    }
}

void check_direction(const Figures& figures, const DirectionResult& direction,
                     const Workload& workload) {
    const auto runtime_ms = static_cast<double>(direction.runtime.count());
    if (direction.total_ios == 0) return;
    if (runtime_ms <= 0) {
        figures.fault("it has requests, but a runtime of 0 ms");
        return;
    }
    check_rate(figures, "iops", direction.iops.count(), static_cast<double>(direction.total_ios),
               runtime_ms);
    check_rate(figures, "bw_bytes", direction.bandwidth.count(),
               static_cast<double>(direction.io_bytes.count()), runtime_ms);
    check_counts(figures, direction, workload);
    figures.inside("clat_ns").check_latencies();
}

std::chrono::duration<double, std::nano> nanoseconds(double count) {
    return std::chrono::duration<double, std::nano>{count};
}

}  // namespace

Figures::Figures(const Json& object, std::string where, std::vector<std::string>& faults)
    : object_{object}, where_{std::move(where)}, faults_{faults} {}

const Json* Figures::find(std::string_view key) const {
    if (!object_.is_object()) return nullptr;
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
}

bool Figures::has(std::string_view key) const {
    return find(key) != nullptr;
}

void Figures::fault(const std::string& reason) const {
    faults_.push_back("read fio result '" + where_ + "': " + reason);
}

std::uint64_t Figures::count(std::string_view key) const {
    const Json* const value = find(key);
    if (value != nullptr) {
        if (const auto count = lawful_count(*value)) return *count;
    }
    fault("'" + std::string{key} + "' is no whole number from 0 up");
    return 0;
}

double Figures::real(std::string_view key) const {
    const Json* const value = find(key);
    if (value != nullptr && value->is_number()) {
        const auto number = value->get<double>();
        if (std::isfinite(number) && number >= 0) return number;
    }
    fault("'" + std::string{key} + "' is no number from 0 up");
    return 0;
}

Figures Figures::inside(std::string_view key) const {
    const Json* const value = find(key);
    const std::string where = where_ + "." + std::string{key};
    if (value != nullptr && value->is_object()) return Figures{*value, where, faults_};
    fault("there is no object '" + std::string{key} + "'");
    return Figures{nothing(), where, faults_};
}

LatencyHistogram Figures::bins() const {
    LatencyHistogram histogram;
    const Json* const bins = find("bins");
    if (bins == nullptr || !bins->is_object()) return histogram;
    for (const auto& [key, value] : bins->items()) {
        const auto bin = parse_number<std::uint64_t>(key);
        const auto count = lawful_count(value);
        if (!bin || !count) {
            fault("the bin '" + key + "' is no count of requests");
            continue;
        }
        histogram.add(*bin, *count);
    }
    return histogram;
}

void Figures::check_latencies() const {
    const double least = real("min");
    const double mean = real("mean");
    const double most = real("max");
    // fio prints min and max as whole nanoseconds, the mean with a fraction.
    if (least > mean + 1 || mean > most + 1) {
        fault("min " + text_of(least) + ", mean " + text_of(mean) + " and max " + text_of(most) +
              " are out of order");
    }
    const Json* const percentiles = find("percentile");
    if (percentiles == nullptr || !percentiles->is_object()) return;
    std::vector<std::pair<double, double>> ranks;
    for (const auto& [key, value] : percentiles->items()) {
        const auto rank = parse_number<double>(key);
        if (!rank || !value.is_number()) {
            fault("the percentile '" + key + "' is no number");
            return;
        }
        ranks.emplace_back(*rank, value.get<double>());
    }
    std::sort(ranks.begin(), ranks.end());
    const bool rising = std::is_sorted(
        ranks.begin(), ranks.end(),
        [](const auto& left, const auto& right) { return left.second < right.second; });
    if (!rising) fault("the percentiles do not rise");
}

DirectionResult read_direction(const Figures& figures, const Workload& workload) {
    DirectionResult direction;
    direction.total_ios = figures.count("total_ios");
    direction.io_bytes = Bytes{figures.count("io_bytes")};
    direction.iops = Iops{figures.real("iops")};
    direction.bandwidth = BytesPerSecond{figures.real("bw_bytes")};
    direction.runtime = std::chrono::milliseconds{figures.count("runtime")};
    if (figures.has("short_ios")) direction.short_ios = figures.count("short_ios");
    if (figures.has("drop_ios")) direction.dropped_ios = figures.count("drop_ios");
    if (direction.total_ios > 0) {
        const Figures latency = figures.inside("clat_ns");
        direction.latency_mean = nanoseconds(latency.real("mean"));
        direction.latency_max = nanoseconds(latency.real("max"));
        direction.latency = latency.bins();
    }
    check_direction(figures, direction, workload);
    return direction;
}

std::optional<SyncResult> read_sync(const Figures& figures) {
    const Figures latency = figures.inside("lat_ns");
    if (!latency.has("N") || latency.count("N") == 0) return std::nullopt;
    latency.check_latencies();
    return SyncResult{.total = latency.count("N"),
                      .latency_mean = nanoseconds(latency.real("mean")),
                      .latency = latency.bins()};
}

}  // namespace poolwise::guest_runner
