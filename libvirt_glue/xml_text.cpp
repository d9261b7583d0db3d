// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/xml_text.hpp"

#include <sstream>

#include "module/core/error.hpp"

namespace poolwise::libvirt_glue {

void append_text(pugi::xml_node parent, const char* name, const std::string& text) {
    parent.append_child(name).text() = text.c_str();
}

void append_bytes(pugi::xml_node parent, const char* name, Bytes size) {
    auto node = parent.append_child(name);
    node.append_attribute("unit") = "bytes";
    node.text() = static_cast<unsigned long long>(size.count());
}

Bytes read_bytes(pugi::xml_node node) {
    return Bytes{node.text().as_ullong()};
}

std::string to_text(const pugi::xml_document& document) {
    std::ostringstream text;
    document.save(text, "  ", pugi::format_default | pugi::format_no_declaration);
    return text.str();
}

pugi::xml_node parse_root(pugi::xml_document& document, const std::string& xml, const char* root) {
    // pugixml keeps what it read of a text that breaks off.
    const bool whole{document.load_string(xml.c_str())};
    const pugi::xml_node node = document.child(root);
    if (!whole || !node) {
        throw Error{ErrorCode::hypervisor_failed,
                    "read libvirt's XML: no element '" + std::string{root} + "' in '" + xml + "'"};
    }
    return node;
}

}  // namespace poolwise::libvirt_glue
