// SPDX-License-Identifier: Apache-2.0
// Block devices as /sys shows them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "module/core/node_facts.hpp"
#include "module/ports/node.hpp"

namespace poolwise {

struct DeviceNumber {
    unsigned device_major = 0;  ///< 0: no block device (tmpfs, overlay, btrfs, network)
    unsigned device_minor = 0;
};

/// The disk with this number; for a partition the disk it is on. nullopt: no block device.
/// @param sys  "/sys", or a tree that looks like it.
[[nodiscard]] std::optional<BackingDevice> find_block_device(const std::filesystem::path& sys,
                                                             DeviceNumber number);

/// The number of the device that a mount names as its source, for file systems (btrfs) whose
/// files carry an anonymous one.
[[nodiscard]] std::optional<DeviceNumber> number_of_source(const std::filesystem::path& sys,
                                                           const std::string& source);

/// nullopt: no such disk, or its statistics are switched off (queue/iostats).
[[nodiscard]] std::optional<Node::DeviceActivity> read_device_activity(
    const std::filesystem::path& sys, const std::string& name);

}  // namespace poolwise
