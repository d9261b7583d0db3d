// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "module/core/pool.hpp"

namespace poolwise::libvirt_glue {

/// Whether the whole capacity is taken from the pool at creation.
[[nodiscard]] bool is_fully_allocated(const VolumeSpec& spec) noexcept;

/// @throws Error{invalid_request} options that the format lacks, or that an overlay cannot have.
void check_volume_spec(const VolumeSpec& spec);

/// The volume to create. Sizes are in bytes; qcow2 always has compat 1.1.
/// @param backing  the volume that spec.backing names, if it names one.
[[nodiscard]] std::string volume_xml(const VolumeSpec& spec,
                                     const std::optional<VolumeInfo>& backing);

/// Reads libvirt's description of a volume.
/// @return nothing for formats that are never measured (ISO images, folders, ...).
/// @throws Error{hypervisor_failed} `xml` is not a volume.
[[nodiscard]] std::optional<VolumeInfo> parse_volume_xml(const std::string& pool,
                                                         const std::string& xml);

}  // namespace poolwise::libvirt_glue
