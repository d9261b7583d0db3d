// SPDX-License-Identifier: Apache-2.0
#include "module/runs/planner.hpp"

#include <algorithm>
#include <random>

#include "module/core/error.hpp"
#include "module/core/size_text.hpp"
#include "module/runs/block_state.hpp"
#include "module/runs/size_rule.hpp"

namespace poolwise {
namespace {

/// Fisher-Yates, written out because std::shuffle differs between standard libraries, and a stored
/// seed must give the stored order everywhere.
template <typename T>
void shuffle(std::vector<T>& items, std::mt19937_64& random) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random() % i]);
}

unsigned rounds_of(const Candidate& candidate, const Profile& profile) {
    if (candidate.snapshot == SnapshotKind::none) return profile.rounds;
    return profile.snapshot_rounds.value_or(profile.rounds);
}

std::vector<PlannedSample> interleaved(const RunRequest& request) {
    std::vector<PlannedSample> samples;
    for (unsigned round = 1; round <= request.profile.rounds; ++round) {
        std::vector<PlannedSample> in_round;
        for (const Candidate& candidate : request.candidates) {
            if (round > rounds_of(candidate, request.profile)) continue;
            for (const Workload& workload : request.profile.workloads) {
                in_round.push_back(
                    {.round = round, .candidate = candidate.id, .workload = workload.id});
            }
        }
        std::mt19937_64 random{fio_seed(request.seed, round)};
        shuffle(in_round, random);
        samples.insert(samples.end(), in_round.begin(), in_round.end());
    }
    return samples;
}

std::vector<PlannedSample> as_the_source(const RunRequest& request) {
    std::vector<PlannedSample> samples;
    for (const Candidate& candidate : request.candidates) {
        for (unsigned round = 1; round <= rounds_of(candidate, request.profile); ++round) {
            for (const Workload& workload : request.profile.workloads) {
                samples.push_back(
                    {.round = round, .candidate = candidate.id, .workload = workload.id});
            }
        }
    }
    return samples;
}

/// Bounds of a duration.
struct Range {
    Seconds shortest{0};
    Seconds longest{0};

    void add(Seconds least, Seconds most) {
        shortest += least;
        longest += most;
    }
};

/// Bandwidth that is assumed where none was measured, and how far off either figure may be.
constexpr double kAssumedBandwidth = 500.0 * 1024 * 1024;
constexpr double kBest = 3;
constexpr double kWorst = 6;

class CostEstimate {
public:
    CostEstimate(const RunRequest& request, const PlanFacts& facts, Bytes size)
        : request_{request}, facts_{facts}, size_{size} {
        // The guest's start: seconds under KVM, up to half a minute under slow emulation.
        time_.add(Seconds{3}, Seconds{30});
        for (const Candidate& candidate : request.candidates) {
            states_[candidate.id] = BlockState::empty;
        }
    }

    void add(const PlannedSample& planned) {
        const Candidate& candidate = by_id(request_.candidates, planned.candidate);
        const Workload& workload = by_id(request_.profile.workloads, planned.workload);
        BlockState& state = states_[candidate.id];
        for (const PrepareStep step :
             steps_before(candidate, state, workload, request_.profile.fill_when)) {
            if (step == PrepareStep::fill || step == PrepareStep::rewrite_all) {
                move(candidate, size_);
                written_ += size_;
            } else {
                time_.add(Seconds{0.1}, Seconds{2});
            }
            state = after_step(candidate, state, step);
        }
        // Hot-plug, fio's start and end, waiting for the device.
        time_.add(Seconds{0.7}, Seconds{3});
        const Bytes span = size_ * workload.size_percent;
        const Bytes bounded{span.count() / 100};
        if (workload.runtime) {
            const Seconds asked{workload.ramp + *workload.runtime};
            time_.add(asked, asked);
        } else {
            move(candidate, bounded);
        }
        if (writes(workload.access)) {
            written_ += workload.runtime ? estimated_bytes(candidate, workload) : bounded;
        }
        state = after_sample(candidate, state, workload);
    }

    [[nodiscard]] const Range& time() const { return time_; }
    [[nodiscard]] Bytes written() const { return written_; }

private:
    template <typename Item>
    static const Item& by_id(const std::vector<Item>& items, const std::string& id) {
        return *std::find_if(items.begin(), items.end(),
                             [&id](const Item& item) { return item.id == id; });
    }

    [[nodiscard]] double bandwidth(const Candidate& candidate) const {
        const auto& known = facts_.pools.at(candidate.pool).bandwidth;
        return known ? known->count() : kAssumedBandwidth;
    }

    void move(const Candidate& candidate, Bytes amount) {
        const double seconds = static_cast<double>(amount.count()) / bandwidth(candidate);
        time_.add(Seconds{seconds / kBest}, Seconds{seconds * kWorst});
    }

    /// Upper estimate of what a time-based job writes.
    [[nodiscard]] Bytes estimated_bytes(const Candidate& candidate, const Workload& w) const {
        const double seconds = Seconds{w.ramp + *w.runtime}.count();
        // Small blocks do not reach the device's bandwidth: 20,000 requests a second are assumed.
        const double rate =
            std::min(bandwidth(candidate), 20000.0 * static_cast<double>(w.block_size.count()));
        const double share = reads(w.access) ? 1.0 - w.read_percent / 100.0 : 1.0;
        return Bytes{static_cast<std::uint64_t>(rate * seconds * share)};
    }

    const RunRequest& request_;
    const PlanFacts& facts_;
    Bytes size_;
    std::map<std::string, BlockState> states_;
    Range time_;
    Bytes written_;
};

ChosenSize size_for_all_pools(const RunRequest& request, const PlanFacts& facts) {
    const std::optional<Bytes> given =
        request.volume_size ? request.volume_size : request.profile.volume_size;
    std::optional<ChosenSize> chosen;
    for (const auto& [pool, known] : facts.pools) {
        std::vector<Candidate> inside;
        std::copy_if(request.candidates.begin(), request.candidates.end(),
                     std::back_inserter(inside),
                     [&name = pool](const Candidate& c) { return c.pool == name; });
        const Bytes floor = free_space_floor(known.place.size);
        const Bytes usable = known.place.free > floor ? known.place.free - floor : Bytes{0};
        const SizeFacts size_facts{
            .host_memory = facts.node.memory,
            .usable = usable,
            .bandwidth = known.bandwidth,
            .rotational = known.place.device && known.place.device->rotational};
        try {
            const ChosenSize here = choose_size(inside, given, size_facts);
            if (!chosen || here.size < chosen->size) chosen = here;
        } catch (const Error& error) {
            throw Error{error.code(), "pool '" + pool + "': " + error.what()};
        }
    }
    return chosen.value();
}

}  // namespace

std::uint64_t fio_seed(std::uint64_t seed, unsigned round) noexcept {
    // splitmix64 (Steele, Lea, Flood 2014): neighbouring rounds get unrelated seeds.
    std::uint64_t z = seed + round * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return (z ^ (z >> 31U)) >> 1U;  // fio reads a signed 64-bit number
}

std::vector<PlannedSample> order_samples(const RunRequest& request) {
    std::vector<PlannedSample> samples =
        request.profile.order == Order::interleaved ? interleaved(request) : as_the_source(request);
    unsigned position = 0;
    for (PlannedSample& sample : samples) sample.position = ++position;
    return samples;
}

Plan make_plan(const RunRequest& request, const PlanFacts& facts) {
    const ChosenSize chosen = size_for_all_pools(request, facts);
    Plan plan{.volume_size = chosen.size,
              .cache_sized = chosen.cache_sized,
              .size_reason = chosen.reason,
              .samples = order_samples(request)};
    for (const Candidate& candidate : request.candidates) {
        plan.peak_space += peak_space(candidate, plan.volume_size);
    }
    CostEstimate cost{request, facts, plan.volume_size};
    for (const PlannedSample& sample : plan.samples) cost.add(sample);
    plan.bytes_written = cost.written();
    plan.shortest = cost.time().shortest;
    plan.longest = cost.time().longest;
    return plan;
}

}  // namespace poolwise
