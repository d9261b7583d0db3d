// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/libvirt_storage.hpp"

#include "libvirt_glue/carrier_calls.hpp"
#include "libvirt_glue/pool_calls.hpp"
#include "libvirt_glue/volume_calls.hpp"
#include "libvirt_glue/volume_xml.hpp"

namespace poolwise::libvirt_glue {

// Every lambda here captures by value: it may outlive this object and the caller's stack.

LibvirtStorage::LibvirtStorage(Caller& main, Caller& cleanup, StorageDeadlines deadlines)
    : main_{main}, cleanup_{cleanup}, deadlines_{deadlines} {}

std::vector<PoolInfo> LibvirtStorage::pools() {
    return main_.call("list storage pools", deadlines_.look_up, pool_calls::list);
}

std::optional<PoolInfo> LibvirtStorage::find_pool(const std::string& name) {
    return main_.call("find pool '" + name + "'", deadlines_.look_up,
                      [name](virConnectPtr libvirt) { return pool_calls::find(libvirt, name); });
}

std::optional<PoolInfo> LibvirtStorage::find_pool_covering(const std::string& path) {
    return main_.call(
        "find the pool on '" + path + "'", deadlines_.look_up,
        [path](virConnectPtr libvirt) { return pool_calls::find_covering(libvirt, path); });
}

PoolInfo LibvirtStorage::create_directory_pool(const std::string& name, const std::string& path) {
    return main_.call(
        "create pool '" + name + "' on '" + path + "'", deadlines_.change,
        [name, path](virConnectPtr libvirt) {
            return pool_calls::create_directory_pool(libvirt, name, path);
        },
        [](virConnectPtr libvirt, const PoolInfo& late) {
            pool_calls::remove(libvirt, late.name);
        });
}

void LibvirtStorage::remove_pool(const std::string& name) {
    cleanup_.call("remove pool '" + name + "'", deadlines_.change,
                  [name](virConnectPtr libvirt) { pool_calls::remove(libvirt, name); });
}

VolumeInfo LibvirtStorage::create_volume(const VolumeSpec& spec) {
    check_volume_spec(spec);
    const bool written = spec.options.preallocation == Preallocation::full;
    return main_.call(
        "create volume '" + spec.ref.name + "' in pool '" + spec.ref.pool + "'",
        written ? deadlines_.wipe : deadlines_.change,
        [spec](virConnectPtr libvirt) { return volume_calls::create(libvirt, spec); },
        [](virConnectPtr libvirt, const VolumeInfo& late) {
            volume_calls::remove(libvirt, late.ref);
        });
}

std::optional<VolumeInfo> LibvirtStorage::find_volume(const VolumeRef& ref) {
    return main_.call("find volume '" + ref.name + "' in pool '" + ref.pool + "'",
                      deadlines_.look_up,
                      [ref](virConnectPtr libvirt) { return volume_calls::find(libvirt, ref); });
}

std::vector<VolumeInfo> LibvirtStorage::volumes(const std::string& pool) {
    return main_.call("list volumes of pool '" + pool + "'", deadlines_.look_up,
                      [pool](virConnectPtr libvirt) { return volume_calls::list(libvirt, pool); });
}

void LibvirtStorage::remove_volume(const VolumeRef& ref) {
    cleanup_.call("remove volume '" + ref.name + "' in pool '" + ref.pool + "'", deadlines_.change,
                  [ref](virConnectPtr libvirt) { volume_calls::remove(libvirt, ref); });
}

void LibvirtStorage::create_internal_snapshot(const VolumeRef& volume, const std::string& carrier,
                                              const std::string& snapshot) {
    main_.call(
        "snapshot volume '" + volume.name + "' in pool '" + volume.pool + "'", deadlines_.change,
        [volume, carrier, snapshot](virConnectPtr libvirt) {
            carrier_calls::create_snapshot(libvirt, volume, carrier, snapshot);
        },
        [carrier, snapshot](virConnectPtr libvirt) {
            carrier_calls::remove_snapshot(libvirt, carrier, snapshot);
        });
}

void LibvirtStorage::remove_internal_snapshot(const std::string& carrier,
                                              const std::string& snapshot) {
    cleanup_.call("remove snapshot '" + snapshot + "' of carrier '" + carrier + "'",
                  deadlines_.change, [carrier, snapshot](virConnectPtr libvirt) {
                      carrier_calls::remove_snapshot(libvirt, carrier, snapshot);
                  });
}

void LibvirtStorage::remove_carrier(const std::string& carrier) {
    cleanup_.call("remove carrier '" + carrier + "'", deadlines_.change,
                  [carrier](virConnectPtr libvirt) { carrier_calls::remove(libvirt, carrier); });
}

}  // namespace poolwise::libvirt_glue
