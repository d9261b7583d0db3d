// SPDX-License-Identifier: Apache-2.0
// The mark that we put on every domain we make. Only a domain that carries it is ever ended.
#pragma once

#include <optional>
#include <string>
#include <string_view>

// libvirt's own handle type, named here so that users of this header need no libvirt headers.
using virDomainPtr = struct _virDomain*;

namespace pugi {
class xml_node;
}

namespace poolwise::libvirt_glue {

/// Namespace of our metadata element, <poolwise:run xmlns:poolwise="...">RUN</poolwise:run>.
inline constexpr const char* kMetadataNamespace = "https://poolwise.example/domain/1";

/// Adds <metadata> with our element to a <domain>.
void append_metadata(pugi::xml_node domain, std::string_view run_id);

/// The run that a domain belongs to; nothing if it does not carry our element. Makes a libvirt
/// call: only on a Caller's thread.
/// @throws Error{hypervisor_failed}, or {not_found} if the domain is gone.
[[nodiscard]] std::optional<std::string> metadata_run_id(virDomainPtr domain);

}  // namespace poolwise::libvirt_glue
