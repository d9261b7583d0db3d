// SPDX-License-Identifier: Apache-2.0
// The few things that every XML file of this folder needs.
#pragma once

#include <string>

#include <pugixml.hpp>

#include "module/core/units.hpp"

namespace poolwise::libvirt_glue {

/// Appends <name>text</name>; escaping is pugixml's.
void append_text(pugi::xml_node parent, const char* name, const std::string& text);

/// Appends <name unit='bytes'>count</name>.
void append_bytes(pugi::xml_node parent, const char* name, Bytes size);

/// Reads what libvirt wrote as <name unit='bytes'>; 0 if it is absent.
[[nodiscard]] Bytes read_bytes(pugi::xml_node node);

[[nodiscard]] std::string to_text(const pugi::xml_document& document);

/// @throws Error{hypervisor_failed} if `xml`, which came from libvirt, has no element `root`.
[[nodiscard]] pugi::xml_node parse_root(pugi::xml_document& document, const std::string& xml,
                                        const char* root);

}  // namespace poolwise::libvirt_glue
