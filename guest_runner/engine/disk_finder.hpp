// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "module/core/measurement.hpp"
#include "module/core/units.hpp"

namespace poolwise::guest_runner {

/// The disk a job may use.
struct Disk {
    std::string path;
    std::string stat_path;  ///< the kernel's counters of it; empty for a regular file

    /// nullopt for a regular file.
    [[nodiscard]] std::optional<BlockCounters> counters() const;
};

/// Finds the one disk with this serial, waiting up to `patience` for it to appear.
///
/// @param sys_block, dev  "/sys/block" and "/dev", or what a test puts there.
/// @throws Error{refused} unless exactly one disk has the serial, and the size.
[[nodiscard]] Disk find_disk_by_serial(const std::string& serial, Bytes size,
                                       std::chrono::milliseconds patience,
                                       const std::string& sys_block = "/sys/block",
                                       const std::string& dev = "/dev");

/// Checks a file or block device on the host.
/// @throws Error{refused} unless it is one of these and has exactly this size.
[[nodiscard]] Disk check_disk_at(const std::string& path, Bytes size);

}  // namespace poolwise::guest_runner
