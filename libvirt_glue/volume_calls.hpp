// SPDX-License-Identifier: Apache-2.0
// libvirt's calls on volumes. They block: run them on a Caller's thread only. Private to this
// folder.
#pragma once

#include <optional>
#include <vector>

#include "libvirt_glue/handle.hpp"
#include "module/core/pool.hpp"

namespace poolwise::libvirt_glue::volume_calls {

/// Creates a volume, whole or not at all: one that a failed call left behind is deleted, unless
/// somebody else had it before.
/// @throws as Storage::create_volume().
[[nodiscard]] VolumeInfo create(virConnectPtr connection, const VolumeSpec& spec);

/// @throws Error{not_found} no such volume; {conflict} its pool is inactive.
[[nodiscard]] VolumeInfo require(virConnectPtr connection, const VolumeRef& ref);
[[nodiscard]] std::optional<VolumeInfo> find(virConnectPtr connection, const VolumeRef& ref);

/// Volumes of formats we know; one that vanishes meanwhile is left out.
[[nodiscard]] std::vector<VolumeInfo> list(virConnectPtr connection, const std::string& pool);

/// Gone is not an error. @throws Error{not_found} no such pool.
void remove(virConnectPtr connection, const VolumeRef& ref);

}  // namespace poolwise::libvirt_glue::volume_calls
