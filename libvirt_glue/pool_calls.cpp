// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/pool_calls.hpp"

#include <filesystem>
#include <system_error>

#include <sys/statvfs.h>

#include "libvirt_glue/listing.hpp"
#include "libvirt_glue/pool_xml.hpp"

namespace poolwise::libvirt_glue::pool_calls {

namespace {

namespace fs = std::filesystem;

Pool look_up(virConnectPtr connection, const std::string& name) {
    return adopt_if_found<Pool>(virStoragePoolLookupByName(connection, name.c_str()),
                                "find pool '" + name + "'");
}

void ask_file_system_for_space(PoolInfo& pool) {
    struct statvfs space {};
    if (!pool.active || pool.formats.empty() || statvfs(pool.path.c_str(), &space) != 0) return;
    pool.capacity = Bytes{space.f_frsize * space.f_blocks};
    // Without root's reserve: a guest's QEMU cannot write into it.
    pool.available = Bytes{space.f_frsize * space.f_bavail};
}

std::optional<fs::path> real_path(const std::string& path) {
    std::error_code failure;
    fs::path real = fs::canonical(path, failure);
    if (failure) return std::nullopt;
    return real;
}

}  // namespace

Pool require(virConnectPtr connection, const std::string& name) {
    Pool pool = look_up(connection, name);
    if (!pool) {
        throw Error{ErrorCode::not_found,
                    "find pool '" + name + "': libvirt has no pool of that name"};
    }
    return pool;
}

Pool require_active(virConnectPtr connection, const std::string& name) {
    Pool pool = require(connection, name);
    if (checked(virStoragePoolIsActive(pool.get()), "look at pool '" + name + "'") == 0) {
        throw Error{ErrorCode::conflict, inactive_remark(name)};
    }
    return pool;
}

PoolInfo describe(virStoragePoolPtr pool) {
    const std::string doing = "look at pool '" + std::string{virStoragePoolGetName(pool)} + "'";
    PoolState state;
    int autostart = 0;
    state.active = checked(virStoragePoolIsActive(pool), doing) == 1;
    state.persistent = checked(virStoragePoolIsPersistent(pool), doing) == 1;
    checked(virStoragePoolGetAutostart(pool, &autostart), doing);
    state.autostart = autostart == 1;
    PoolInfo info = parse_pool_xml(adopt_text(virStoragePoolGetXMLDesc(pool, 0), doing), state);
    ask_file_system_for_space(info);
    return info;
}

std::vector<PoolInfo> list(virConnectPtr connection) {
    virStoragePoolPtr* raw = nullptr;
    const int count =
        checked(virConnectListAllStoragePools(connection, &raw, 0), "list storage pools");
    std::vector<PoolInfo> pools;
    for (const Pool& pool : adopt_list<Pool>(raw, count)) {
        if (auto info = unless_gone([&pool] { return describe(pool.get()); })) {
            pools.push_back(*std::move(info));
        }
    }
    return pools;
}

std::optional<PoolInfo> find(virConnectPtr connection, const std::string& name) {
    const Pool pool = look_up(connection, name);
    if (!pool) return std::nullopt;
    return unless_gone([&pool] { return describe(pool.get()); });
}

std::optional<PoolInfo> find_covering(virConnectPtr connection, const std::string& path) {
    const auto wanted = real_path(path);
    if (!wanted) return std::nullopt;
    for (PoolInfo& pool : list(connection)) {
        if (!pool.path.empty() && real_path(pool.path) == wanted) return std::move(pool);
    }
    return std::nullopt;
}

PoolInfo create_directory_pool(virConnectPtr connection, const std::string& name,
                               const std::string& path) {
    const std::string doing = "create pool '" + name + "' on '" + path + "'";
    const auto directory = real_path(path);
    if (!directory || !fs::is_directory(*directory)) {
        throw Error{ErrorCode::not_found, doing + ": no such directory"};
    }
    // No flag: building would create the directory or change its mode and owner.
    const auto pool =
        adopt<Pool>(virStoragePoolCreateXML(
                        connection, directory_pool_xml(name, directory->string()).c_str(), 0),
                    doing);
    return describe(pool.get());
}

void remove(virConnectPtr connection, const std::string& name) {
    const std::string doing = "remove pool '" + name + "'";
    const Pool pool = look_up(connection, name);
    if (!pool) return;
    const auto persistent =
        unless_gone([&] { return checked(virStoragePoolIsPersistent(pool.get()), doing); });
    if (!persistent) return;
    if (*persistent == 1) {
        throw Error{ErrorCode::refused, doing + ": it is persistent, so poolwise did not make it"};
    }
    unless_gone([&] { return checked(virStoragePoolDestroy(pool.get()), doing); });
}

}  // namespace poolwise::libvirt_glue::pool_calls
