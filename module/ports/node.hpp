// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "module/core/measurement.hpp"
#include "module/core/node_facts.hpp"
#include "module/ports/port.hpp"

namespace poolwise {

/// Holds the node-wide lock until destroyed.
class NodeLock : public Port {};

/// The node itself, as its kernel describes it. Nothing here changes the node but the lock file,
/// a probe file of try_direct_io() (removed at once) and drop_caches().
class Node : public Port {
public:
    /// Without libvirt's and QEMU's versions, which come from GuestHost.
    virtual NodeFacts facts() = 0;

    /// @throws Error{not_found} no such path.
    virtual PathFacts path_facts(const std::string& path) = 0;

    virtual CpuTimes cpu_times() = 0;

    /// Time the device has been busy and requests now in flight; nullopt where it is unknown.
    struct DeviceActivity {
        Seconds busy{0};  ///< since boot
        std::uint64_t in_flight = 0;
    };
    virtual std::optional<DeviceActivity> device_activity(const std::string& device_name) = 0;

    /// Writes back and drops the page cache.
    /// @throws Error{unavailable} not permitted here, with the reason.
    virtual void drop_caches() = 0;

    /// Takes /run/lock/poolwise.lock without waiting.
    /// @param holder  written into the file: store and run.
    /// @throws Error{conflict} somebody measures already; names the holder.
    virtual std::unique_ptr<NodeLock> lock(const std::string& holder) = 0;

    /// The first parent directory of `path` that an unprivileged process cannot search, if any:
    /// QEMU runs as one and could not open the volume.
    virtual std::optional<std::string> unsearchable_parent(const std::string& path) = 0;

    /// 64 random bits.
    virtual std::uint64_t random_bits() = 0;
};

}  // namespace poolwise
