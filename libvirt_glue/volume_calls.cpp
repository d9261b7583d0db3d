// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/volume_calls.hpp"

#include "libvirt_glue/listing.hpp"
#include "libvirt_glue/pool_calls.hpp"
#include "libvirt_glue/volume_xml.hpp"
#include "module/core/size_text.hpp"

namespace poolwise::libvirt_glue::volume_calls {

namespace {

std::string named(const VolumeRef& ref) {
    return "volume '" + ref.name + "' in pool '" + ref.pool + "'";
}

Volume look_up(virStoragePoolPtr pool, const VolumeRef& ref) {
    return adopt_if_found<Volume>(virStorageVolLookupByName(pool, ref.name.c_str()),
                                  "find " + named(ref));
}

std::optional<VolumeInfo> describe(virStorageVolPtr volume, const std::string& pool) {
    const VolumeRef ref{pool, virStorageVolGetName(volume)};
    return parse_volume_xml(
        pool, adopt_text(virStorageVolGetXMLDesc(volume, 0), "look at " + named(ref)));
}

void check_name_is_free(virStoragePoolPtr pool, const VolumeRef& ref) {
    if (look_up(pool, ref)) {
        throw Error{ErrorCode::conflict, "create " + named(ref) + ": the name is taken"};
    }
}

void check_space(virStoragePoolPtr pool, const VolumeSpec& spec) {
    if (!is_fully_allocated(spec)) return;
    const Bytes available = pool_calls::describe(pool).available;
    if (available >= spec.capacity) return;
    throw Error{ErrorCode::no_space, "create " + named(spec.ref) + ": it takes " +
                                         format_size(spec.capacity) + ", the pool has " +
                                         format_size(available) + " left"};
}

// VIR_STORAGE_VOL_CREATE_VALIDATE is not used: libvirt 9.0 knows the flag and then refuses it
// ("unsupported flags (0x4)").
unsigned creation_flags(const VolumeSpec& spec) {
    const bool metadata =
        spec.format == Format::qcow2 && spec.options.preallocation != Preallocation::none;
    return metadata ? unsigned{VIR_STORAGE_VOL_CREATE_PREALLOC_METADATA} : 0U;
}

VolumeInfo make(virStoragePoolPtr pool, const VolumeSpec& spec, const std::string& xml) {
    const std::string doing = "create " + named(spec.ref);
    const auto volume =
        adopt<Volume>(virStorageVolCreateXML(pool, xml.c_str(), creation_flags(spec)), doing);
    if (spec.options.preallocation == Preallocation::full) {
        checked(virStorageVolWipe(volume.get(), 0), "write zeros to " + named(spec.ref));
    }
    const auto made = describe(volume.get(), spec.ref.pool);
    if (!made || made->format != spec.format || made->capacity < spec.capacity) {
        throw Error{ErrorCode::hypervisor_failed,
                    doing + ": libvirt made something else than the " + format_size(spec.capacity) +
                        " that were asked for"};
    }
    return *made;
}

void remove_from(virStoragePoolPtr pool, const VolumeRef& ref) {
    const Volume volume = look_up(pool, ref);
    if (!volume) return;
    unless_gone(
        [&] { return checked(virStorageVolDelete(volume.get(), 0), "remove " + named(ref)); });
}

// A failed create may have left the volume, listed or not.
void remove_remains(virStoragePoolPtr pool, const VolumeRef& ref) {
    static_cast<void>(virStoragePoolRefresh(pool, 0));  // refused while another volume is built
    remove_from(pool, ref);
}

}  // namespace

VolumeInfo create(virConnectPtr connection, const VolumeSpec& spec) {
    check_volume_spec(spec);
    const Pool pool = pool_calls::require_active(connection, spec.ref.pool);
    check_name_is_free(pool.get(), spec.ref);
    check_space(pool.get(), spec);
    std::optional<VolumeInfo> backing;
    if (spec.backing) backing = require(connection, *spec.backing);
    try {
        return make(pool.get(), spec, volume_xml(spec, backing));
    } catch (const Error& failure) {
        // A conflict means that somebody else's file of that name is there, whatever libvirt lists.
        if (failure.code() == ErrorCode::conflict) throw;
        try {
            remove_remains(pool.get(), spec.ref);
        } catch (const Error& left) {
            throw Error{failure.code(), failure.what() + std::string{"; and "} + left.what()};
        }
        throw;
    }
}

VolumeInfo require(virConnectPtr connection, const VolumeRef& ref) {
    if (auto volume = find(connection, ref)) return *std::move(volume);
    throw Error{ErrorCode::not_found, "find " + named(ref) + ": there is none"};
}

std::optional<VolumeInfo> find(virConnectPtr connection, const VolumeRef& ref) {
    const Pool pool = pool_calls::require_active(connection, ref.pool);
    const Volume volume = look_up(pool.get(), ref);
    if (!volume) return std::nullopt;
    return unless_gone([&] { return describe(volume.get(), ref.pool); }).value_or(std::nullopt);
}

std::vector<VolumeInfo> list(virConnectPtr connection, const std::string& pool_name) {
    const Pool pool = pool_calls::require_active(connection, pool_name);
    virStorageVolPtr* raw = nullptr;
    const int count = checked(virStoragePoolListAllVolumes(pool.get(), &raw, 0),
                              "list volumes of pool '" + pool_name + "'");
    std::vector<VolumeInfo> volumes;
    for (const Volume& volume : adopt_list<Volume>(raw, count)) {
        auto info = unless_gone([&] { return describe(volume.get(), pool_name); });
        if (info && *info) volumes.push_back(**std::move(info));
    }
    return volumes;
}

void remove(virConnectPtr connection, const VolumeRef& ref) {
    const Pool pool = pool_calls::require_active(connection, ref.pool);
    remove_from(pool.get(), ref);
}

}  // namespace poolwise::libvirt_glue::volume_calls
