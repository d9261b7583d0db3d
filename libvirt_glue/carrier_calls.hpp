// SPDX-License-Identifier: Apache-2.0
// libvirt's calls on carrier domains and their snapshots. They block: run them on a Caller's thread
// only. Private to this folder.
#pragma once

#include <string>

#include "libvirt_glue/handle.hpp"
#include "module/core/pool.hpp"

namespace poolwise::libvirt_glue::carrier_calls {

/// Defines the carrier and takes the snapshot; if that fails, the carrier is gone again.
/// @throws Error{not_found} no such volume; {invalid_request} it is not qcow2; {conflict} the
///         carrier's name is taken, or a running domain uses the volume.
void create_snapshot(virConnectPtr connection, const VolumeRef& volume, const std::string& carrier,
                     const std::string& snapshot);

/// Deletes the snapshot from the image and undefines the carrier; either being gone is not an
/// error. @throws Error{refused} as remove().
void remove_snapshot(virConnectPtr connection, const std::string& carrier,
                     const std::string& snapshot);

/// Undefines the carrier; its snapshots stay in the image. Gone is not an error.
/// @throws Error{refused} the domain does not carry our metadata, or runs.
void remove(virConnectPtr connection, const std::string& carrier);

}  // namespace poolwise::libvirt_glue::carrier_calls
