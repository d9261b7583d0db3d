// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace poolwise::libvirt_glue {

/// The run in a carrier's name, "poolwise-<run>-<nn>".
/// @throws Error{invalid_request} if the name is not one of ours.
[[nodiscard]] std::string run_of_carrier(const std::string& carrier);

/// A domain that is defined and never started: libvirt takes internal snapshots of domains only,
/// so this one carries the qcow2 image at `path` and nothing else.
[[nodiscard]] std::string carrier_xml(const std::string& carrier, const std::string& path);

[[nodiscard]] std::string snapshot_xml(const std::string& snapshot);

}  // namespace poolwise::libvirt_glue
