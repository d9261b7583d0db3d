// SPDX-License-Identifier: Apache-2.0
#include "module/report/witnesses.hpp"

#include <algorithm>
#include <cmath>

namespace poolwise {
namespace {

void note(Agreement& agreement, double one, double other) {
    const double larger = std::max(one, other);
    if (larger <= 0) return;
    ++agreement.samples;
    agreement.worst = std::max(agreement.worst, std::abs(one - other) / larger);
}

double requests(const BlockCounters& counters) {
    return static_cast<double>(counters.read_requests + counters.write_requests);
}

double bytes(const BlockCounters& counters) {
    return static_cast<double>((counters.read_bytes + counters.write_bytes).count());
}

void note_steal(Agreement& agreement, const Evidence& evidence) {
    const CpuTimes& cpu = evidence.engine_cpu;
    const double total = (cpu.busy + cpu.idle + cpu.steal).count();
    if (evidence.guest_vcpus == 0 || total <= 0) return;
    ++agreement.samples;
    agreement.worst = std::max(agreement.worst, cpu.steal.count() / total);
}

void note_cache(Witnesses& all, const std::string& cache_drop) {
    if (cache_drop.empty() || cache_drop == "done") return;
    if (all.cache_kept++ == 0) all.cache_kept_reason = cache_drop;
}

void add(SampleTimings& sum, const SampleTimings& one) {
    sum.prepare += one.prepare;
    sum.attach += one.attach;
    sum.job += one.job;
    sum.fio += one.fio;
    sum.detach += one.detach;
    sum.idle_wait += one.idle_wait;
}

}  // namespace

Witnesses gather_witnesses(const std::vector<Sample>& samples) {
    // Shorter spans say more about when the clocks were read than about the clocks.
    constexpr Seconds kShortestSpan{3};
    Witnesses all;
    for (const Sample& sample : samples) {
        const Evidence& evidence = sample.evidence;
        if (evidence.host_block) {
            note(all.requests, requests(evidence.engine_device), requests(*evidence.host_block));
            note(all.bytes, bytes(evidence.engine_device), bytes(*evidence.host_block));
        }
        if (evidence.engine_wall >= kShortestSpan) {
            note(all.clocks, evidence.engine_wall.count(), evidence.host_wall.count());
        }
        note_steal(all.steal, evidence);
        note_cache(all, evidence.cache_drop);
        all.not_idle += sample.timings.idle_reached ? 0 : 1;
        ++all.bound_by.at(static_cast<std::size_t>(sample.bound_by));
        add(all.spent, sample.timings);
    }
    return all;
}

}  // namespace poolwise
