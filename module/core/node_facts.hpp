// SPDX-License-Identifier: Apache-2.0
// What preflight finds out about the node and about the place where a pool keeps its volumes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "module/core/enum_text.hpp"
#include "module/core/units.hpp"

namespace poolwise {

enum class Accelerator { kvm, tcg };
inline constexpr EnumNames<Accelerator, 2> kAcceleratorNames{
    {{Accelerator::kvm, "kvm"}, {Accelerator::tcg, "tcg"}}};

struct NodeFacts {
    std::string hostname;
    std::string kernel;  ///< release of the running kernel
    std::string cpu_model;
    unsigned cores = 0;
    Bytes memory;
    std::string governor;  ///< of CPU 0; empty where the kernel has none
    std::string libvirt;   ///< version of the daemon, "9.0.0"
    std::string qemu;      ///< version of the emulator, "7.2.22"
    std::string fio;       ///< version line of the node's fio, "fio-3.33"; empty if absent

    friend bool operator==(const NodeFacts&, const NodeFacts&) = default;
};

/// The block device under a path, as the kernel describes it. Fields are empty where unknown.
struct BackingDevice {
    std::string name;  ///< "vda", "md0": the whole disk or the topmost virtual device
    std::string model;
    bool rotational = false;
    std::string scheduler;    ///< the active one
    std::string write_cache;  ///< "write back" or "write through"
    Bytes logical_block{512};
    Bytes physical_block{512};
    std::string busy_with;  ///< "md resync", "md check", ...; empty if nothing

    friend bool operator==(const BackingDevice&, const BackingDevice&) = default;
};

struct PathFacts {
    std::string path;
    std::string file_system;  ///< "ext4"
    std::string mount_point;
    std::string mount_options;
    Bytes size;
    Bytes free;              ///< available to an unprivileged user
    bool direct_io = false;  ///< O_DIRECT opens and writes there; tried, not assumed
    std::optional<BackingDevice> device;

    friend bool operator==(const PathFacts&, const PathFacts&) = default;
};

/// A guest of somebody else's that runs now.
struct ForeignGuest {
    std::string name;

    friend bool operator==(const ForeignGuest&, const ForeignGuest&) = default;
};

}  // namespace poolwise
