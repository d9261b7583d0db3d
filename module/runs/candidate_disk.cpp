// SPDX-License-Identifier: Apache-2.0
#include "module/runs/candidate_disk.hpp"

#include "module/core/names.hpp"

namespace poolwise {

CandidateDisk::CandidateDisk(Candidate candidate, std::string pool, const std::string& run_id,
                             unsigned number, Bytes size, Provisioner& provisioner,
                             Storage& storage)
    : candidate_{std::move(candidate)},
      pool_{std::move(pool)},
      base_name_{object_name(run_id, number) + "." +
                 std::string{enum_name(kFormatNames, candidate_.format)}},
      overlay_name_{object_name(run_id, number) + "-overlay.qcow2"},
      carrier_{object_name(run_id, number)},
      serial_{disk_serial(run_id, number)},
      span_{size},
      provisioner_{provisioner},
      storage_{storage} {}

void CandidateDisk::provision() {
    volume_ = provisioner_.create_volume({.ref = {.pool = pool_, .name = base_name_},
                                          .format = candidate_.format,
                                          .options = candidate_.options,
                                          .capacity = span_,
                                          .backing = std::nullopt});
}

void CandidateDisk::take_snapshot() {
    if (candidate_.snapshot == SnapshotKind::internal) {
        provisioner_.create_internal_snapshot(volume_->ref, carrier_);
        return;
    }
    overlay_ = provisioner_.create_volume({.ref = {.pool = pool_, .name = overlay_name_},
                                           .format = Format::qcow2,
                                           .options = {},
                                           .capacity = volume_->capacity,
                                           .backing = volume_->ref});
}

void CandidateDisk::drop_snapshot() {
    if (candidate_.snapshot == SnapshotKind::internal) {
        provisioner_.remove_internal_snapshot(carrier_);
        return;
    }
    provisioner_.remove_volume(overlay_->ref);
    overlay_.reset();
}

bool CandidateDisk::has_holes() const {
    const auto volume = storage_.find_volume(volume_->ref);
    return volume && volume->allocation.count() < span_.count() / 100 * 99;
}

}  // namespace poolwise
