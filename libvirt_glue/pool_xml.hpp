// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "module/core/pool.hpp"

namespace poolwise::libvirt_glue {

/// A `dir` pool on an existing directory.
[[nodiscard]] std::string directory_pool_xml(const std::string& name, const std::string& path);

/// What libvirt tells about a pool beside its XML.
struct PoolState {
    bool active = false;
    bool autostart = false;
    bool persistent = true;
};

/// Reads libvirt's description of a pool, and says what can be measured on it, or why nothing.
/// @throws Error{hypervisor_failed} `xml` is not a pool.
[[nodiscard]] PoolInfo parse_pool_xml(const std::string& xml, const PoolState& state);

/// "pool 'X' is inactive: start it with `virsh pool-start X`", quoted for a shell where needed.
[[nodiscard]] std::string inactive_remark(const std::string& pool);

}  // namespace poolwise::libvirt_glue
