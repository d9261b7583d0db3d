// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "module/core/candidate.hpp"
#include "module/core/pool.hpp"
#include "module/runs/block_state.hpp"
#include "module/runs/provisioner.hpp"

namespace poolwise {

/// The volumes of one candidate and the state of their blocks.
///
/// Not removed on destruction: removing is the Cleaner's work, which also sees what a dead process
/// left.
class CandidateDisk {
public:
    /// @param pool    libvirt's name of the pool.
    /// @param number  from 1, unique in the run.
    CandidateDisk(Candidate candidate, std::string pool, const std::string& run_id, unsigned number,
                  Bytes size, Provisioner& provisioner, Storage& storage);

    /// Creates the volume.
    /// @throws as Storage::create_volume().
    void provision();

    /// What the engine measures: the volume, or the overlay while there is an external snapshot.
    [[nodiscard]] const VolumeInfo& active() const { return overlay_ ? *overlay_ : *volume_; }

    void take_snapshot();
    void drop_snapshot();

    /// True if less than 99 % of the filled volume's space is allocated: reads would meet blocks
    /// that hold nothing. Asks the storage; call it after a fill.
    [[nodiscard]] bool has_holes() const;

    [[nodiscard]] const Candidate& candidate() const { return candidate_; }
    [[nodiscard]] const std::string& serial() const { return serial_; }
    /// Of the disk as the engine sees it; a VHD is a little larger than asked for.
    [[nodiscard]] Bytes size() const { return active().capacity; }
    /// What is used of it: as much as of every other disk of the run.
    [[nodiscard]] Bytes span() const { return span_; }

    BlockState state = BlockState::empty;
    bool zero_backed = false;  ///< what has_holes() said after the last fill

private:
    Candidate candidate_;
    std::string pool_;
    std::string base_name_;
    std::string overlay_name_;
    std::string carrier_;
    std::string serial_;
    Bytes span_;
    Provisioner& provisioner_;
    Storage& storage_;
    std::optional<VolumeInfo> volume_;
    std::optional<VolumeInfo> overlay_;
};

}  // namespace poolwise
