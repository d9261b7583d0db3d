// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/carrier_xml.hpp"

#include <string_view>

#include "libvirt_glue/metadata.hpp"
#include "libvirt_glue/xml_text.hpp"
#include "module/core/error.hpp"
#include "module/core/names.hpp"

namespace poolwise::libvirt_glue {

namespace {

void append_os(pugi::xml_node domain) {
    auto type = domain.append_child("os").append_child("type");
    type.append_attribute("machine") = "pc";
    type.text() = "hvm";
}

void append_disk(pugi::xml_node domain, const std::string& path) {
    auto disk = domain.append_child("devices").append_child("disk");
    disk.append_attribute("type") = "file";
    disk.append_attribute("device") = "disk";
    auto driver = disk.append_child("driver");
    driver.append_attribute("name") = "qemu";
    driver.append_attribute("type") = "qcow2";
    disk.append_child("source").append_attribute("file") = path.c_str();
    auto target = disk.append_child("target");
    target.append_attribute("dev") = "vda";
    target.append_attribute("bus") = "virtio";
}

}  // namespace

std::string run_of_carrier(const std::string& carrier) {
    const std::string prefix = "poolwise-";
    std::string run = carrier.substr(0, carrier.rfind('-')).erase(0, prefix.size());
    if (!is_run_id(run) || !is_object_of(carrier, run)) {
        throw Error{ErrorCode::invalid_request,
                    "carrier '" + carrier + "': its name must be poolwise-<run>-<nn>"};
    }
    return run;
}

std::string carrier_xml(const std::string& carrier, const std::string& path) {
    pugi::xml_document document;
    auto domain = document.append_child("domain");
    domain.append_attribute("type") = "qemu";
    append_text(domain, "name", carrier);
    append_metadata(domain, run_of_carrier(carrier));
    auto memory = domain.append_child("memory");
    memory.append_attribute("unit") = "MiB";
    memory.text() = 64;
    append_text(domain, "vcpu", "1");
    append_os(domain);
    append_disk(domain, path);
    return to_text(document);
}

std::string snapshot_xml(const std::string& snapshot) {
    pugi::xml_document document;
    append_text(document.append_child("domainsnapshot"), "name", snapshot);
    return to_text(document);
}

}  // namespace poolwise::libvirt_glue
