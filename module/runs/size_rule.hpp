// SPDX-License-Identifier: Apache-2.0
// How large test volumes are, and how much of a pool they may take. Pure rules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "module/core/candidate.hpp"
#include "module/core/node_facts.hpp"
#include "module/core/units.hpp"

namespace poolwise {

inline constexpr Bytes kSmallestVolume{64ULL << 20U};

/// Space that a run always leaves free: a tenth of the file system, 1 GiB at least and 50 GiB at
/// most. Customers' disks grow meanwhile; a full file system stops their guests.
[[nodiscard]] Bytes free_space_floor(Bytes file_system_size);

/// The most space that `candidate` takes at any time: a volume of `size`, format overhead, and
/// twice that with a snapshot, whose every block is written again.
[[nodiscard]] Bytes peak_space(const Candidate& candidate, Bytes size);

struct SizeFacts {
    Bytes host_memory;
    Bytes usable;  ///< free space above the floor, for all candidates of the pool together
    std::optional<BytesPerSecond> bandwidth;  ///< of the pool, measured in an earlier run
    bool rotational = false;
};

struct ChosenSize {
    Bytes size;
    bool cache_sized = false;  ///< smaller than the rule asks for
    std::string reason;
};

/// What the size rule asks for: at least five times the host's memory where a candidate goes
/// through the host's page cache, and at least 25 s of the pool's bandwidth; without a measured
/// bandwidth 1 GiB/s is assumed, 200 MiB/s on rotating disks. Sources: StorPerf asks for 5x all
/// caches, kbench for 25 s of bandwidth.
[[nodiscard]] Bytes wanted_size(const std::vector<Candidate>& candidates, const SizeFacts& facts);

/// The size of each candidate's volume in one pool.
/// @param given  a size from the user or the profile; taken as it is.
/// @throws Error{invalid_request} below 64 MiB; {no_space} a given size, or the smallest one, does
///         not fit above the floor: the message has both numbers.
[[nodiscard]] ChosenSize choose_size(const std::vector<Candidate>& candidates,
                                     std::optional<Bytes> given, const SizeFacts& facts);

}  // namespace poolwise
