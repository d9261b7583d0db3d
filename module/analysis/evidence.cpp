// SPDX-License-Identifier: Apache-2.0
#include "module/analysis/evidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace poolwise {
namespace {

using Reasons = std::vector<std::string>;

constexpr double kTolerance = 0.01;
constexpr double kStrayRequests = 16;
constexpr double kStrayBytes = kStrayRequests * 4096;
constexpr Bytes kLargestUnsplit{128U << 10U};
constexpr Seconds kShortestCompared{3};
/// The engine's messages that mark fio's start and end may each be this late on a loaded node.
constexpr Seconds kDelivery{0.1};
constexpr double kLeastDepthShare = 0.95;
constexpr double kMixTolerance = 0.02;
constexpr double kLeastRuntimeShare = 0.95;
constexpr double kMostSteal = 0.05;
constexpr double kLimitReached = 0.95;
constexpr double kIdleCpu = 0.05;
constexpr double kBusyDevice = 0.9;
/// A double's rounding; keeps exactly 1 % within 1 %.
constexpr double kRounding = 1e-9;

std::string number(double value) {
    std::array<char, 64> text{};
    const bool whole = std::abs(value) >= 1000 || value == std::floor(value);
    std::snprintf(text.data(), text.size(), whole ? "%.0f" : "%.3g", value);
    return text.data();
}

std::string percent(double share) {
    return number(share * 100) + " %";
}

bool is_random(Access access) {
    return access == Access::randread || access == Access::randwrite || access == Access::randrw;
}

/// One figure that several parties counted.
struct Counted {
    std::string_view what;  ///< "read requests"
    double fio = 0;
    double stray = 0;  ///< what opening the disk may add
    bool joined_or_split = false;
};

/// One party's view of the four figures that are compared.
std::array<double, 4> figures_of(const BlockCounters& counters) {
    return {static_cast<double>(counters.read_requests),
            static_cast<double>(counters.write_requests),
            static_cast<double>(counters.read_bytes.count()),
            static_cast<double>(counters.write_bytes.count())};
}

std::array<Counted, 4> counted_by_fio(const FioResult& result, const Workload& workload) {
    const bool joined_or_split =
        !is_random(workload.access) || workload.block_size > kLargestUnsplit;
    return {{{"read requests", static_cast<double>(result.read.total_ios), kStrayRequests,
              joined_or_split},
             {"write requests", static_cast<double>(result.write.total_ios), kStrayRequests,
              joined_or_split},
             {"bytes read", static_cast<double>(result.read.io_bytes.count()), kStrayBytes, false},
             {"bytes written", static_cast<double>(result.write.io_bytes.count()), kStrayBytes,
              false}}};
}

bool agree(double left, double right, double stray) {
    return std::abs(left - right) <= std::max(left, right) * kTolerance + stray + kRounding;
}

void check_witness(const BlockCounters& witness, std::string_view name, const FioResult& result,
                   const Workload& workload, Reasons& reasons) {
    const auto seen = figures_of(witness);
    const auto counted = counted_by_fio(result, workload);
    const bool spans_ramp = workload.ramp.count() > 0;
    for (std::size_t i = 0; i < counted.size(); ++i) {
        const Counted& fio = counted.at(i);
        if (fio.joined_or_split) continue;
        const bool more_is_fine = spans_ramp && seen.at(i) > fio.fio;
        if (more_is_fine || agree(seen.at(i), fio.fio, fio.stray)) continue;
        reasons.push_back("fio counted " + number(fio.fio) + " " + std::string{fio.what} + ", " +
                          std::string{name} + " " + number(seen.at(i)));
    }
}

void check_witnesses(const Sample& sample, const Workload& workload, Reasons& reasons) {
    const Evidence& evidence = sample.evidence;
    const bool in_guest = evidence.guest_vcpus > 0;
    const bool engine_saw = in_guest || evidence.engine_device != BlockCounters{};
    if (engine_saw) {
        check_witness(evidence.engine_device, "the engine's kernel", sample.result, workload,
                      reasons);
    }
    if (!evidence.host_block) return;
    check_witness(*evidence.host_block, "QEMU", sample.result, workload, reasons);
    if (!engine_saw) return;
    const auto engine = figures_of(evidence.engine_device);
    const auto qemu = figures_of(*evidence.host_block);
    const auto counted = counted_by_fio(sample.result, workload);
    for (std::size_t i = 0; i < counted.size(); ++i) {
        if (agree(engine.at(i), qemu.at(i), counted.at(i).stray)) continue;
        reasons.push_back("the engine's kernel counted " + number(engine.at(i)) + " " +
                          std::string{counted.at(i).what} + ", QEMU " + number(qemu.at(i)));
    }
}

struct Logged {
    double requests = 0;
    double fastest = 0;  ///< per second, both directions
    double covered = 0;  ///< seconds, the last stamp
};

Logged add_up(const std::vector<RatePoint>& log) {
    Logged logged;
    for (const RatePoint& point : log) {
        const double at = Seconds{point.at}.count();
        const double rate = (point.read + point.write).count();
        if (at <= logged.covered) continue;
        logged.requests += rate * (at - logged.covered);
        logged.fastest = std::max(logged.fastest, rate);
        logged.covered = at;
    }
    return logged;
}

void check_log(const Sample& sample, const Workload& workload, Reasons& reasons) {
    const double runtime = Seconds{sample.result.job_runtime}.count();
    if (sample.log.empty() || runtime < kShortestCompared.count()) return;
    const Logged logged = add_up(sample.log);
    const auto total = static_cast<double>(sample.result.total_ios());
    const double unlogged = std::max(0.0, runtime - logged.covered) * 2 * logged.fastest;
    const double slack = 2.0 * static_cast<double>(sample.log.size()) * workload.jobs +
                         static_cast<double>(workload.iodepth) * workload.jobs;
    const double least = logged.requests * (1 - kTolerance) - slack;
    const double most = (logged.requests + unlogged) * (1 + kTolerance) + slack;
    if (total >= least - kRounding && total <= most + kRounding) return;
    reasons.push_back("fio's total is " + number(total) + " requests, its own log has " +
                      number(logged.requests) + " in " + number(logged.covered) + " of " +
                      number(runtime) + " s");
}

void check_depth(const Sample& sample, const Workload& workload, Reasons& reasons) {
    if (workload.iodepth <= 1 || workload.rate) return;
    // The first requests of each job find the queue empty; in a short job they are more than 5 %.
    const auto total = static_cast<double>(sample.result.total_ios());
    const double filling = static_cast<double>(workload.iodepth) * workload.jobs;
    const double reached = sample.result.depth_share * total + filling;
    if (reached >= kLeastDepthShare * total - kRounding) return;
    reasons.push_back("only " + percent(sample.result.depth_share) +
                      " of the requests were issued at the asked depth of " +
                      std::to_string(workload.iodepth) + "; 95 % are needed");
}

void check_mix(const Sample& sample, const Workload& workload, Reasons& reasons) {
    const auto total = static_cast<double>(sample.result.total_ios());
    if (!reads(workload.access) || !writes(workload.access) || total == 0) return;
    const double asked = workload.read_percent / 100.0;
    const double share = static_cast<double>(sample.result.read.total_ios) / total;
    // fio draws each request's direction, so that a short job strays by chance.
    const double chance = 3 * std::sqrt(asked * (1 - asked) / total);
    if (std::abs(share - asked) <= kMixTolerance + chance + kRounding) return;
    reasons.push_back(percent(share) + " of the requests were reads, " + percent(asked) +
                      " were asked for");
}

void check_runtime(const Sample& sample, const Workload& workload, Reasons& reasons) {
    if (!workload.runtime) return;
    const Seconds asked{*workload.runtime};
    const Seconds ran{sample.result.job_runtime};
    if (ran.count() >= asked.count() * kLeastRuntimeShare - kRounding) return;
    reasons.push_back("fio ran for " + number(ran.count()) + " s of the " + number(asked.count()) +
                      " s asked for");
}

void check_clocks(const Evidence& evidence, Reasons& reasons) {
    const double engine = evidence.engine_wall.count();
    const double node = evidence.host_wall.count();
    if (std::max(engine, node) < kShortestCompared.count()) return;
    if (std::abs(engine - node) <= node * kTolerance + kDelivery.count() + kRounding) return;
    reasons.push_back("the engine's clock says that fio took " + number(engine) +
                      " s, the node's says " + number(node) + " s");
}

Seconds span_of(const CpuTimes& times) {
    return times.busy + times.idle + times.steal;
}

void check_steal(const Evidence& evidence, Reasons& reasons) {
    const double span = span_of(evidence.engine_cpu).count();
    if (evidence.guest_vcpus == 0 || span <= 0) return;
    const double share = evidence.engine_cpu.steal.count() / span;
    if (share <= kMostSteal + kRounding) return;
    reasons.push_back("the node took " + percent(share) +
                      " of the guest's CPU time away; at most 5 % is fine");
}

std::string text_of(const std::optional<unsigned>& value) {
    return value ? std::to_string(*value) : "the default";
}

std::string text_of(const std::optional<Iops>& limit) {
    return limit ? number(limit->count()) : "none";
}

std::string on_off(bool value) {
    return value ? "on" : "off";
}

void check_driver(const Evidence& evidence, const DiskDriver& asked, Reasons& reasons) {
    if (!evidence.live_driver) return;
    const DiskDriver& live = *evidence.live_driver;
    const auto compare = [&reasons](std::string_view name, std::string_view wanted,
                                    std::string_view found) {
        if (wanted == found) return;
        reasons.push_back("the disk was attached with " + std::string{name} + " " +
                          std::string{found} + ", " + std::string{wanted} + " was asked for");
    };
    compare("cache", enum_name(kCacheModeNames, asked.cache),
            enum_name(kCacheModeNames, live.cache));
    compare("io", enum_name(kIoModeNames, asked.io), enum_name(kIoModeNames, live.io));
    compare("discard", enum_name(kDiscardNames, asked.discard),
            enum_name(kDiscardNames, live.discard));
    compare("iothread", on_off(asked.iothread), on_off(live.iothread));
    compare("iops limit", text_of(asked.iops_limit), text_of(live.iops_limit));
    // Left to the hypervisor, any number is what was asked for.
    if (asked.queues) compare("queues", text_of(asked.queues), text_of(live.queues));
}

bool is_busy(const CpuTimes& times) {
    const double span = span_of(times).count();
    return span > 0 && times.idle.count() / span < kIdleCpu;
}

const Workload* find_workload(const std::vector<Workload>& workloads, std::string_view id) {
    const auto found = std::find_if(workloads.begin(), workloads.end(),
                                    [id](const Workload& workload) { return workload.id == id; });
    return found == workloads.end() ? nullptr : &*found;
}

/// What one sample says of its candidate's durability; `nothing` where it cannot tell.
enum class Durability { nothing, durable, lost };

Durability durability_of(const Sample& sample, const Workload& workload) {
    const Evidence& evidence = sample.evidence;
    const bool issued = sample.result.sync && sample.result.sync->total > 0;
    if (workload.sync != Sync::fdatasync || !issued || evidence.guest_vcpus == 0) {
        return Durability::nothing;
    }
    if (evidence.live_driver) {
        switch (evidence.live_driver->cache) {
            case CacheMode::unsafe:
                return Durability::lost;
            case CacheMode::directsync:
            case CacheMode::writethrough:
                return Durability::durable;
            case CacheMode::none:
            case CacheMode::writeback:
                break;
        }
    }
    if (!evidence.host_block) return Durability::nothing;
    return evidence.host_block->flush_requests > 0 ? Durability::durable : Durability::lost;
}

}  // namespace

std::vector<std::string> void_reasons(const Sample& sample, const Workload& workload,
                                      const DiskDriver& asked) {
    Reasons reasons;
    check_witnesses(sample, workload, reasons);
    check_log(sample, workload, reasons);
    check_depth(sample, workload, reasons);
    check_mix(sample, workload, reasons);
    check_runtime(sample, workload, reasons);
    check_clocks(sample.evidence, reasons);
    check_steal(sample.evidence, reasons);
    if (sample.evidence.zero_backed && reads(workload.access)) {
        reasons.emplace_back("reads met blocks that hold no data: the storage need not read them");
    }
    check_driver(sample.evidence, asked, reasons);
    return reasons;
}

BoundBy bound_by(const Sample& sample) {
    const Evidence& evidence = sample.evidence;
    const double iops = (sample.result.read.iops + sample.result.write.iops).count();
    if (evidence.iops_limit && iops >= evidence.iops_limit->count() * kLimitReached - kRounding) {
        return BoundBy::limit;
    }
    if (evidence.guest_vcpus > 0 && is_busy(evidence.engine_cpu)) return BoundBy::guest_cpu;
    if (is_busy(evidence.host_cpu)) return BoundBy::host_cpu;
    if (evidence.backing_known && evidence.backing_utilisation >= kBusyDevice) {
        return BoundBy::device;
    }
    return BoundBy::unknown;
}

std::vector<std::string> not_durable(const std::vector<Sample>& samples,
                                     const std::vector<Workload>& workloads) {
    std::vector<std::string> suspects;
    std::vector<std::string> cleared;
    const auto contains = [](const std::vector<std::string>& names, const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    for (const Sample& sample : samples) {
        const Workload* const workload = find_workload(workloads, sample.workload);
        if (workload == nullptr) continue;
        const Durability durability = durability_of(sample, *workload);
        if (durability == Durability::durable) cleared.push_back(sample.candidate);
        if (durability == Durability::lost && !contains(suspects, sample.candidate)) {
            suspects.push_back(sample.candidate);
        }
    }
    std::erase_if(suspects, [&](const std::string& name) { return contains(cleared, name); });
    return suspects;
}

}  // namespace poolwise
