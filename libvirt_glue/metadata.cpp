// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/metadata.hpp"

#include <pugixml.hpp>

#include "libvirt_glue/handle.hpp"

namespace poolwise::libvirt_glue {

void append_metadata(pugi::xml_node domain, std::string_view run_id) {
    auto run = domain.append_child("metadata").append_child("poolwise:run");
    run.append_attribute("xmlns:poolwise") = kMetadataNamespace;
    run.text() = std::string{run_id}.c_str();
}

std::optional<std::string> metadata_run_id(virDomainPtr domain) {
    char* raw = virDomainGetMetadata(domain, VIR_DOMAIN_METADATA_ELEMENT, kMetadataNamespace,
                                     VIR_DOMAIN_AFFECT_CURRENT);
    if (raw == nullptr) {
        if (virGetLastErrorCode() == VIR_ERR_NO_DOMAIN_METADATA) return std::nullopt;
        throw last_error("read a domain's metadata");
    }
    pugi::xml_document document;
    document.load_string(adopt_text(raw, "read a domain's metadata").c_str());
    return document.document_element().text().get();
}

}  // namespace poolwise::libvirt_glue
