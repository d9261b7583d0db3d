// SPDX-License-Identifier: Apache-2.0
#include "module/runs/size_rule.hpp"

#include <algorithm>

#include "module/core/error.hpp"
#include "module/core/size_text.hpp"

namespace poolwise {
namespace {

using namespace literals;

constexpr double kSecondsOfBandwidth = 25;
constexpr std::uint64_t kCacheFactor = 5;
constexpr BytesPerSecond kAssumedFlash{1024.0 * 1024 * 1024};
constexpr BytesPerSecond kAssumedRotating{200.0 * 1024 * 1024};

Bytes round_up(Bytes size, Bytes unit) {
    return Bytes{(size.count() + unit.count() - 1) / unit.count() * unit.count()};
}

Bytes round_down(Bytes size, Bytes unit) {
    return Bytes{size.count() / unit.count() * unit.count()};
}

Bytes total_peak(const std::vector<Candidate>& candidates, Bytes size) {
    Bytes total;
    for (const Candidate& candidate : candidates) total += peak_space(candidate, size);
    return total;
}

[[noreturn]] void refuse_space(Bytes size, Bytes needed, Bytes usable) {
    throw Error{ErrorCode::no_space,
                "volumes of " + format_size(size) + " need up to " + format_size(needed) +
                    ", but only " + format_size(usable) +
                    " are free above the reserve that a run leaves alone: give a smaller --size or "
                    "fewer candidates"};
}

/// The largest whole number of 64 MiB whose peak fits into `usable`.
Bytes largest_fit(const std::vector<Candidate>& candidates, Bytes usable) {
    const Bytes step = kSmallestVolume;
    Bytes fit = round_down(usable, step);
    while (fit >= step && total_peak(candidates, fit) > usable) {
        // The peak is nearly proportional to the size: jump, then creep.
        const double share = static_cast<double>(usable.count()) /
                             static_cast<double>(total_peak(candidates, fit).count());
        const auto jump =
            Bytes{static_cast<std::uint64_t>(static_cast<double>(fit.count()) * share)};
        fit = std::min(round_down(jump, step), fit - step);
    }
    return fit;
}

}  // namespace

Bytes free_space_floor(Bytes file_system_size) {
    return std::clamp(Bytes{file_system_size.count() / 10}, 1_GiB, 50_GiB);
}

Bytes peak_space(const Candidate& candidate, Bytes size) {
    if (candidate.format == Format::raw && candidate.snapshot == SnapshotKind::none) return size;
    // qcow2 metadata: an 8-byte L2 entry (16 with subclusters) and a 2-byte refcount per cluster.
    const std::uint64_t cluster =
        candidate.options.cluster_size.value_or(Bytes{64ULL << 10U}).count();
    const Bytes metadata = Bytes{size.count() / cluster * 18} + 4_MiB;
    const std::uint64_t copies = candidate.snapshot == SnapshotKind::none ? 1 : 2;
    return (size + metadata) * copies;
}

Bytes wanted_size(const std::vector<Candidate>& candidates, const SizeFacts& facts) {
    const BytesPerSecond bandwidth =
        facts.bandwidth.value_or(facts.rotational ? kAssumedRotating : kAssumedFlash);
    const Bytes by_bandwidth{static_cast<std::uint64_t>(bandwidth.count() * kSecondsOfBandwidth)};
    const bool cached = std::any_of(candidates.begin(), candidates.end(), [](const Candidate& c) {
        return c.layer == Layer::guest && !bypasses_host_cache(c.driver.cache);
    });
    const Bytes by_cache = cached ? facts.host_memory * kCacheFactor : Bytes{0};
    return round_up(std::max(by_bandwidth, by_cache), 1_GiB);
}

ChosenSize choose_size(const std::vector<Candidate>& candidates, std::optional<Bytes> given,
                       const SizeFacts& facts) {
    const Bytes wanted = wanted_size(candidates, facts);
    if (given) {
        if (*given < kSmallestVolume) {
            throw Error{ErrorCode::invalid_request,
                        "a test volume of " + format_size(*given) +
                            " is too small to measure: give at least 64 MiB"};
        }
        const Bytes size = round_up(*given, 1_MiB);
        const Bytes needed = total_peak(candidates, size);
        if (needed > facts.usable) refuse_space(size, needed, facts.usable);
        return {.size = size,
                .cache_sized = size < wanted,
                .reason = "as asked; the size rule wants " + format_size(wanted)};
    }
    if (total_peak(candidates, wanted) <= facts.usable) {
        const std::string basis = facts.bandwidth ? "25 s of this pool's measured bandwidth"
                                                  : "25 s of an assumed bandwidth";
        return {.size = wanted, .cache_sized = false, .reason = "by the size rule: " + basis};
    }
    const Bytes fit = largest_fit(candidates, facts.usable);
    if (fit < kSmallestVolume) {
        refuse_space(kSmallestVolume, total_peak(candidates, kSmallestVolume), facts.usable);
    }
    return {.size = fit,
            .cache_sized = true,
            .reason = "what fits above the reserve; the size rule wants " + format_size(wanted)};
}

}  // namespace poolwise
