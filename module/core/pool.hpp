// SPDX-License-Identifier: Apache-2.0
// libvirt's storage pools and volumes as values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "module/core/candidate.hpp"
#include "module/core/units.hpp"

namespace poolwise {

struct PoolInfo {
    std::string name;
    std::string type;  ///< libvirt's word: "dir", "logical", "fs", "netfs", ...
    std::string path;  ///< target path; empty where the type has none
    bool active = false;
    bool autostart = false;
    bool persistent = true;
    Bytes capacity;               ///< 0 while inactive
    Bytes available;              ///< 0 while inactive
    std::vector<Format> formats;  ///< what can be measured on it; empty with a reason
    std::string remark;           ///< why nothing (or not everything) can be measured on it

    friend bool operator==(const PoolInfo&, const PoolInfo&) = default;
};

struct VolumeRef {
    std::string pool;
    std::string name;

    friend bool operator==(const VolumeRef&, const VolumeRef&) = default;
};

/// A volume to make. `backing` makes it a qcow2 overlay on another volume.
struct VolumeSpec {
    VolumeRef ref;
    Format format = Format::raw;
    FormatOptions options;
    Bytes capacity;
    std::optional<VolumeRef> backing;
};

struct VolumeInfo {
    VolumeRef ref;
    std::string path;
    Format format = Format::raw;
    Bytes capacity;    ///< as the guest sees it
    Bytes allocation;  ///< used in the pool

    friend bool operator==(const VolumeInfo&, const VolumeInfo&) = default;
};

}  // namespace poolwise
