// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "libvirt_glue/caller.hpp"
#include "module/ports/storage.hpp"

namespace poolwise::libvirt_glue {

/// How long a call may take before it is given up.
struct StorageDeadlines {
    Seconds look_up{10};
    Seconds change{120};  ///< create or remove a volume, pool or snapshot
    Seconds wipe{600};    ///< create a volume that is written in full
};

/// Storage on the node's libvirt.
///
/// Pools of type `dir`, `fs` and `netfs` can be measured; others are listed with the reason why
/// not. Volumes of other formats than raw and qcow2 are not shown. Safe from several threads.
/// Removals go through a second connection, so that they still work when the first one hangs.
class LibvirtStorage final : public Storage {
public:
    /// Both callers must outlive this object; they may be one and the same.
    LibvirtStorage(Caller& main, Caller& cleanup, StorageDeadlines deadlines = {});

    std::vector<PoolInfo> pools() override;
    std::optional<PoolInfo> find_pool(const std::string& name) override;
    std::optional<PoolInfo> find_pool_covering(const std::string& path) override;
    PoolInfo create_directory_pool(const std::string& name, const std::string& path) override;
    void remove_pool(const std::string& name) override;

    VolumeInfo create_volume(const VolumeSpec& spec) override;
    std::optional<VolumeInfo> find_volume(const VolumeRef& ref) override;
    std::vector<VolumeInfo> volumes(const std::string& pool) override;
    void remove_volume(const VolumeRef& ref) override;

    void create_internal_snapshot(const VolumeRef& volume, const std::string& carrier,
                                  const std::string& snapshot) override;
    void remove_internal_snapshot(const std::string& carrier, const std::string& snapshot) override;
    void remove_carrier(const std::string& carrier) override;

private:
    Caller& main_;
    Caller& cleanup_;
    StorageDeadlines deadlines_;
};

}  // namespace poolwise::libvirt_glue
