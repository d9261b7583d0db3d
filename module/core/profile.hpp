// SPDX-License-Identifier: Apache-2.0
// A profile: workloads, fill, repeats, statistic and guest shape. A JSON file in etc/profiles.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "module/core/candidate.hpp"
#include "module/core/enum_text.hpp"
#include "module/core/units.hpp"
#include "module/core/workload.hpp"

namespace poolwise {

enum class FillData { none, random, zeros };
inline constexpr EnumNames<FillData, 3> kFillDataNames{
    {{FillData::none, "none"}, {FillData::random, "random"}, {FillData::zeros, "zeros"}}};

/// once: when the volume is made. each_sample: before every sample of candidates without a
/// snapshot (a snapshot candidate is always filled once, before its snapshot).
enum class FillWhen { once, each_sample };
inline constexpr EnumNames<FillWhen, 2> kFillWhenNames{
    {{FillWhen::once, "once"}, {FillWhen::each_sample, "each_sample"}}};

/// interleaved: rounds of every candidate x workload, shuffled. source: candidate after candidate,
/// workloads as listed, as published comparisons were run.
enum class Order { interleaved, source };
inline constexpr EnumNames<Order, 2> kOrderNames{
    {{Order::interleaved, "interleaved"}, {Order::source, "source"}}};

struct GuestShape {
    std::optional<unsigned> vcpus;  ///< unset: min(4, host cores / 2) under KVM, 1 under TCG
    Bytes memory{512ULL << 20U};

    friend bool operator==(const GuestShape&, const GuestShape&) = default;
};

struct Profile {
    std::string name;         ///< [a-z0-9-]
    std::string description;  ///< one sentence
    std::string source;       ///< what it reproduces, and what it cannot; may be empty
    std::vector<Workload> workloads;
    FillData fill = FillData::random;
    FillWhen fill_when = FillWhen::once;
    Order order = Order::interleaved;
    unsigned rounds = 5;
    std::optional<unsigned> snapshot_rounds;  ///< rounds of snapshot candidates, if different
    bool drop_host_cache = false;             ///< before each sample
    std::optional<Bytes> volume_size;         ///< unset: the size rule (module/runs/planner.hpp)
    DiskDriver driver;
    GuestShape guest;

    friend bool operator==(const Profile&, const Profile&) = default;
};

/// @throws Error{invalid_request} naming the profile, the workload, the field and the reason.
void check_profile(const Profile& profile);

}  // namespace poolwise
