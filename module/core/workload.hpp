// SPDX-License-Identifier: Apache-2.0
// One fio job as data.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "module/core/enum_text.hpp"
#include "module/core/units.hpp"

namespace poolwise {

/// fio's `rw=`; `rw` and `randrw` mix by Workload::read_percent.
enum class Access { read, write, rw, randread, randwrite, randrw };
inline constexpr EnumNames<Access, 6> kAccessNames{{{Access::read, "read"},
                                                    {Access::write, "write"},
                                                    {Access::rw, "rw"},
                                                    {Access::randread, "randread"},
                                                    {Access::randwrite, "randwrite"},
                                                    {Access::randrw, "randrw"}}};

[[nodiscard]] constexpr bool reads(Access access) noexcept {
    return access != Access::write && access != Access::randwrite;
}
[[nodiscard]] constexpr bool writes(Access access) noexcept {
    return access != Access::read && access != Access::randread;
}

/// fdatasync: one after each write. osync: the disk is opened O_SYNC.
enum class Sync { none, fdatasync, osync };
inline constexpr EnumNames<Sync, 3> kSyncNames{
    {{Sync::none, "none"}, {Sync::fdatasync, "fdatasync"}, {Sync::osync, "osync"}}};

/// What a workload asks of a snapshot candidate's blocks. `first_write` starts from the filled
/// state with one fresh snapshot and touches each block once; `rewrite` writes blocks that were
/// written since the snapshot. Candidates without a snapshot run both in their filled state.
enum class Phase { any, first_write, rewrite };
inline constexpr EnumNames<Phase, 3> kPhaseNames{
    {{Phase::any, "any"}, {Phase::first_write, "first_write"}, {Phase::rewrite, "rewrite"}}};

struct Workload {
    std::string id;     ///< [a-z0-9-], at most 40 bytes; also fio's job name
    std::string title;  ///< for people
    Access access = Access::randread;
    Bytes block_size{4096};
    unsigned iodepth = 1;
    unsigned jobs = 1;
    unsigned read_percent = 50;  ///< only for rw and randrw
    Sync sync = Sync::none;
    Phase phase = Phase::any;
    std::chrono::seconds ramp{0};                 ///< not counted
    std::optional<std::chrono::seconds> runtime;  ///< unset = bounded by size, each block once
    unsigned size_percent = 100;                  ///< of the volume, when bounded by size
    std::optional<Iops> rate;                     ///< fio's rate_iops

    friend bool operator==(const Workload&, const Workload&) = default;
};

/// @throws Error{invalid_request} naming the workload, the field and the legal range.
void check_workload(const Workload& workload);

}  // namespace poolwise
