// SPDX-License-Identifier: Apache-2.0
#include "module/runs/provisioner.hpp"

#include "module/core/error.hpp"

namespace poolwise {
namespace {

/// The one snapshot that a candidate has.
constexpr const char* kSnapshotName = "poolwise";

}  // namespace

void Provisioner::create(ObjectKind kind, const std::string& name, const std::string& place,
                         const std::function<void()>& creation,
                         const std::function<bool()>& exists) {
    const std::int64_t entry =
        journal_.intend({.run_id = run_id_, .kind = kind, .name = name, .place = place});
    try {
        creation();
    } catch (const Error& error) {
        const bool known = error.code() != ErrorCode::timed_out;
        if (known && !exists()) journal_.settle(entry, ObjectState::gone);
        throw;
    }
    journal_.settle(entry, ObjectState::created);
}

void Provisioner::settle_gone(ObjectKind kind, const std::string& name) {
    for (const JournalEntry& entry : journal_.entries(run_id_)) {
        if (entry.kind == kind && entry.name == name && entry.state != ObjectState::gone) {
            journal_.settle(entry.id, ObjectState::gone);
        }
    }
}

PoolInfo Provisioner::create_pool(const std::string& name, const std::string& directory) {
    PoolInfo pool;
    create(
        ObjectKind::pool, name, directory,
        [&] { pool = storage_.create_directory_pool(name, directory); },
        [&] { return storage_.find_pool(name).has_value(); });
    return pool;
}

VolumeInfo Provisioner::create_volume(const VolumeSpec& spec) {
    VolumeInfo volume;
    create(
        ObjectKind::volume, spec.ref.name, spec.ref.pool,
        [&] { volume = storage_.create_volume(spec); },
        [&] { return storage_.find_volume(spec.ref).has_value(); });
    return volume;
}

void Provisioner::remove_volume(const VolumeRef& ref) {
    storage_.remove_volume(ref);
    settle_gone(ObjectKind::volume, ref.name);
}

void Provisioner::create_internal_snapshot(const VolumeRef& volume, const std::string& carrier) {
    create(
        ObjectKind::carrier, carrier, volume.name,
        [&] { storage_.create_internal_snapshot(volume, carrier, kSnapshotName); },
        [] { return true; });
}

void Provisioner::remove_internal_snapshot(const std::string& carrier) {
    storage_.remove_internal_snapshot(carrier, kSnapshotName);
    settle_gone(ObjectKind::carrier, carrier);
}

void Provisioner::start_guest(const GuestSpec& spec) {
    create(
        ObjectKind::guest, spec.name, "", [&] { guests_.start_guest(spec); },
        [&] { return guests_.guest_exists(spec.name); });
}

void Provisioner::destroy_guest(const std::string& name) {
    guests_.destroy_guest(name);
    settle_gone(ObjectKind::guest, name);
}

}  // namespace poolwise
