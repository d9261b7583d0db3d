// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/carrier_calls.hpp"

#include "libvirt_glue/carrier_xml.hpp"
#include "libvirt_glue/listing.hpp"
#include "libvirt_glue/metadata.hpp"
#include "libvirt_glue/volume_calls.hpp"

namespace poolwise::libvirt_glue::carrier_calls {

namespace {

Domain look_up(virConnectPtr connection, const std::string& carrier) {
    return adopt_if_found<Domain>(virDomainLookupByName(connection, carrier.c_str()),
                                  "find carrier '" + carrier + "'");
}

/// @return nothing if the domain is gone. @throws Error{refused} it must not be touched.
Domain look_up_ours(virConnectPtr connection, const std::string& carrier) {
    Domain domain = look_up(connection, carrier);
    if (!domain) return domain;
    const std::string doing = "remove carrier '" + carrier + "'";
    const auto run = unless_gone([&domain] { return metadata_run_id(domain.get()); });
    if (!run) return Domain{};
    if (!*run) {
        throw Error{ErrorCode::refused, doing + ": the domain does not carry poolwise's metadata"};
    }
    if (checked(virDomainIsActive(domain.get()), doing) == 1) {
        throw Error{ErrorCode::refused, doing + ": it is running, which carriers never do"};
    }
    return domain;
}

void undefine(virDomainPtr domain, const std::string& carrier) {
    constexpr unsigned kFlags = VIR_DOMAIN_UNDEFINE_SNAPSHOTS_METADATA | VIR_DOMAIN_UNDEFINE_NVRAM;
    unless_gone([&] {
        return checked(virDomainUndefineFlags(domain, kFlags), "remove carrier '" + carrier + "'");
    });
}

}  // namespace

void create_snapshot(virConnectPtr connection, const VolumeRef& volume, const std::string& carrier,
                     const std::string& snapshot) {
    const std::string doing = "snapshot volume '" + volume.name + "' in pool '" + volume.pool + "'";
    const VolumeInfo image = volume_calls::require(connection, volume);
    if (image.format != Format::qcow2) {
        throw Error{ErrorCode::invalid_request,
                    doing + ": only qcow2 volumes hold internal snapshots"};
    }
    // Defining over an existing domain would change that domain without a word.
    if (look_up(connection, carrier)) {
        throw Error{ErrorCode::conflict,
                    doing + ": there already is a domain named '" + carrier + "'"};
    }
    const auto domain =
        adopt<Domain>(virDomainDefineXMLFlags(connection, carrier_xml(carrier, image.path).c_str(),
                                              VIR_DOMAIN_DEFINE_VALIDATE),
                      "define carrier '" + carrier + "'");
    try {
        static_cast<void>(adopt<DomainSnapshot>(
            virDomainSnapshotCreateXML(domain.get(), snapshot_xml(snapshot).c_str(), 0), doing));
    } catch (const Error&) {
        undefine(domain.get(), carrier);
        throw;
    }
}

void remove_snapshot(virConnectPtr connection, const std::string& carrier,
                     const std::string& snapshot) {
    const Domain domain = look_up_ours(connection, carrier);
    if (!domain) return;
    const std::string doing = "remove snapshot '" + snapshot + "' of carrier '" + carrier + "'";
    const auto found = adopt_if_found<DomainSnapshot>(
        virDomainSnapshotLookupByName(domain.get(), snapshot.c_str(), 0), doing);
    if (found) checked(virDomainSnapshotDelete(found.get(), 0), doing);
    undefine(domain.get(), carrier);
}

void remove(virConnectPtr connection, const std::string& carrier) {
    if (const Domain domain = look_up_ours(connection, carrier)) undefine(domain.get(), carrier);
}

}  // namespace poolwise::libvirt_glue::carrier_calls
