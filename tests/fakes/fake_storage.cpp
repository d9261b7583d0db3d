// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/fake_storage.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "module/core/names.hpp"

namespace poolwise::test {

namespace {

using Lock = std::lock_guard<std::mutex>;

std::string normal(const std::string& path) {
    std::string text = std::filesystem::path{path}.lexically_normal().string();
    if (text.size() > 1 && text.back() == '/') text.pop_back();
    return text;
}

void check_options(const VolumeSpec& spec) {
    Candidate candidate;
    candidate.format = spec.format;
    candidate.options = spec.options;
    check_candidate(candidate);
    if (spec.backing && spec.format != Format::qcow2) {
        throw Error{ErrorCode::invalid_request, "overlay '" + spec.ref.name + "' must be qcow2"};
    }
}

Bytes allocation_of(const VolumeSpec& spec) {
    const Preallocation how = spec.options.preallocation;
    const bool whole = how == Preallocation::falloc || how == Preallocation::full;
    return whole ? spec.capacity : Bytes{0};
}

void check_carrier_name(const std::string& carrier) {
    const std::size_t prefix = std::string_view{"poolwise-"}.size();
    const std::string run = carrier.size() > prefix ? carrier.substr(prefix, 8) : "";
    if (!is_object_of(carrier, run)) {
        throw Error{ErrorCode::invalid_request, "carrier '" + carrier + "' is not a name of ours"};
    }
}

}  // namespace

void FakeStorage::add_pool(PoolInfo pool) {
    const Lock lock{mutex_};
    const std::string name = pool.name;
    shelves_[name].pool = std::move(pool);
}

void FakeStorage::add_directory_pool(const std::string& name, Bytes space) {
    add_pool({.name = name,
              .type = "dir",
              .path = "/fake/" + name,
              .active = true,
              .autostart = true,
              .persistent = true,
              .capacity = space,
              .available = space,
              .formats = {Format::raw, Format::qcow2, Format::vmdk, Format::vpc},
              .remark = {}});
}

void FakeStorage::add_directory(const std::string& path) {
    const Lock lock{mutex_};
    directories_.insert(normal(path));
}

void FakeStorage::fill(const std::string& path) {
    const std::lock_guard lock{mutex_};
    for (auto& [name, shelf] : shelves_) {
        for (auto& [key, volume] : shelf.volumes) {
            if (volume.path == path) volume.allocation = volume.capacity;
        }
    }
}

std::vector<std::string> FakeStorage::history() const {
    const Lock lock{mutex_};
    return history_;
}

std::set<std::string> FakeStorage::carriers() const {
    const Lock lock{mutex_};
    std::set<std::string> names;
    for (const auto& entry : carriers_) names.insert(entry.first);
    return names;
}

std::set<std::string> FakeStorage::snapshots(const VolumeRef& volume) const {
    const Lock lock{mutex_};
    const auto shelf = shelves_.find(volume.pool);
    if (shelf == shelves_.end()) return {};
    const auto found = shelf->second.snapshots.find(volume.name);
    return found == shelf->second.snapshots.end() ? std::set<std::string>{} : found->second;
}

void FakeStorage::record(const std::string& function, const std::string& object) {
    history_.push_back(function + " " + object);
}

FakeStorage::Shelf& FakeStorage::active_shelf(const std::string& pool) {
    const auto found = shelves_.find(pool);
    if (found == shelves_.end()) {
        throw Error{ErrorCode::not_found, "find pool '" + pool + "': there is none"};
    }
    if (!found->second.pool.active) {
        throw Error{ErrorCode::conflict, "pool '" + pool + "' is inactive"};
    }
    return found->second;
}

VolumeInfo& FakeStorage::volume_at(const VolumeRef& ref) {
    Shelf& shelf = active_shelf(ref.pool);
    const auto found = shelf.volumes.find(ref.name);
    if (found == shelf.volumes.end()) {
        throw Error{ErrorCode::not_found, "find volume '" + ref.name + "': there is none"};
    }
    return found->second;
}

std::vector<PoolInfo> FakeStorage::pools() {
    const Lock lock{mutex_};
    failures_.throw_if_planned("pools");
    std::vector<PoolInfo> list;
    for (const auto& entry : shelves_) list.push_back(entry.second.pool);
    return list;
}

std::optional<PoolInfo> FakeStorage::find_pool(const std::string& name) {
    const Lock lock{mutex_};
    failures_.throw_if_planned("find_pool");
    const auto found = shelves_.find(name);
    if (found == shelves_.end()) return std::nullopt;
    return found->second.pool;
}

std::optional<PoolInfo> FakeStorage::find_pool_covering(const std::string& path) {
    const Lock lock{mutex_};
    failures_.throw_if_planned("find_pool_covering");
    for (const auto& entry : shelves_) {
        const PoolInfo& pool = entry.second.pool;
        if (!pool.path.empty() && normal(pool.path) == normal(path)) return pool;
    }
    return std::nullopt;
}

PoolInfo FakeStorage::create_directory_pool(const std::string& name, const std::string& path) {
    const Lock lock{mutex_};
    failures_.throw_if_planned("create_directory_pool");
    if (!directories_.contains(normal(path))) {
        throw Error{ErrorCode::not_found,
                    "create pool '" + name + "' on '" + path + "': no such directory"};
    }
    if (shelves_.contains(name)) {
        throw Error{ErrorCode::conflict, "create pool '" + name + "': the name is taken"};
    }
    constexpr Bytes kSpace{std::uint64_t{64} << 30U};
    PoolInfo pool{.name = name,
                  .type = "dir",
                  .path = normal(path),
                  .active = true,
                  .autostart = false,
                  .persistent = false,
                  .capacity = kSpace,
                  .available = kSpace,
                  .formats = {Format::raw, Format::qcow2, Format::vmdk, Format::vpc},
                  .remark = {}};
    shelves_[name].pool = pool;
    record("create_directory_pool", name);
    return pool;
}

void FakeStorage::remove_pool(const std::string& name) {
    const Lock lock{mutex_};
    failures_.throw_if_planned("remove_pool");
    const auto found = shelves_.find(name);
    if (found == shelves_.end()) return;
    if (found->second.pool.persistent) {
        throw Error{ErrorCode::refused, "remove pool '" + name + "': it is persistent"};
    }
    shelves_.erase(found);
    record("remove_pool", name);
}

VolumeInfo FakeStorage::create_volume(const VolumeSpec& spec) {
    const Lock lock{mutex_};
    failures_.throw_if_planned("create_volume");
    check_options(spec);
    Shelf& shelf = active_shelf(spec.ref.pool);
    if (shelf.volumes.contains(spec.ref.name)) {
        throw Error{ErrorCode::conflict,
                    "create volume '" + spec.ref.name + "': the name is taken"};
    }
    if (spec.backing) static_cast<void>(volume_at(*spec.backing));
    const Bytes allocation = allocation_of(spec);
    if (allocation > shelf.pool.available) {
        throw Error{ErrorCode::no_space, "create volume '" + spec.ref.name + "': pool too full"};
    }
    shelf.pool.available = shelf.pool.available - allocation;
    record("create_volume", spec.ref.name);
    return shelf.volumes[spec.ref.name] = {.ref = spec.ref,
                                           .path = shelf.pool.path + "/" + spec.ref.name,
                                           .format = spec.format,
                                           .capacity = spec.capacity,
                                           .allocation = allocation};
}

std::optional<VolumeInfo> FakeStorage::find_volume(const VolumeRef& ref) {
    const Lock lock{mutex_};
    failures_.throw_if_planned("find_volume");
    const Shelf& shelf = active_shelf(ref.pool);
    const auto found = shelf.volumes.find(ref.name);
    if (found == shelf.volumes.end()) return std::nullopt;
    return found->second;
}

std::vector<VolumeInfo> FakeStorage::volumes(const std::string& pool) {
    const Lock lock{mutex_};
    failures_.throw_if_planned("volumes");
    std::vector<VolumeInfo> list;
    for (const auto& entry : active_shelf(pool).volumes) list.push_back(entry.second);
    return list;
}

void FakeStorage::remove_volume(const VolumeRef& ref) {
    const Lock lock{mutex_};
    failures_.throw_if_planned("remove_volume");
    Shelf& shelf = active_shelf(ref.pool);
    const auto found = shelf.volumes.find(ref.name);
    if (found == shelf.volumes.end()) return;
    shelf.pool.available += found->second.allocation;
    shelf.volumes.erase(found);
    shelf.snapshots.erase(ref.name);
    record("remove_volume", ref.name);
}

void FakeStorage::create_internal_snapshot(const VolumeRef& volume, const std::string& carrier,
                                           const std::string& snapshot) {
    const Lock lock{mutex_};
    failures_.throw_if_planned("create_internal_snapshot");
    check_carrier_name(carrier);
    if (volume_at(volume).format != Format::qcow2) {
        throw Error{ErrorCode::invalid_request,
                    "snapshot volume '" + volume.name + "': it is not qcow2"};
    }
    if (carriers_.contains(carrier)) {
        throw Error{ErrorCode::conflict, "carrier '" + carrier + "': the name is taken"};
    }
    carriers_[carrier] = volume;
    shelves_[volume.pool].snapshots[volume.name].insert(snapshot);
    record("create_internal_snapshot", carrier);
}

void FakeStorage::remove_internal_snapshot(const std::string& carrier,
                                           const std::string& snapshot) {
    const Lock lock{mutex_};
    failures_.throw_if_planned("remove_internal_snapshot");
    const auto found = carriers_.find(carrier);
    if (found == carriers_.end()) return;
    shelves_[found->second.pool].snapshots[found->second.name].erase(snapshot);
    carriers_.erase(found);
    record("remove_internal_snapshot", carrier);
}

void FakeStorage::remove_carrier(const std::string& carrier) {
    const Lock lock{mutex_};
    failures_.throw_if_planned("remove_carrier");
    if (carriers_.erase(carrier) > 0) record("remove_carrier", carrier);
}

}  // namespace poolwise::test
