// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "module/core/pool.hpp"
#include "module/ports/port.hpp"

namespace poolwise {

/// Pools, volumes and snapshots.
///
/// Calls block, each up to its own deadline, and are safe from several threads. A call past its
/// deadline throws Error{timed_out}: its outcome is unknown, and whatever it still creates is
/// removed when it comes back, if this process lives; if not, recovery looks the object up by the
/// journal. Implemented by libvirt_glue::LibvirtStorage and tests/fakes/fake_storage.hpp, which
/// pass the same tests/contract/storage_contract.hpp.
class Storage : public Port {
public:
    /// Every pool of the node, inactive ones and those that cannot be measured included.
    virtual std::vector<PoolInfo> pools() = 0;
    virtual std::optional<PoolInfo> find_pool(const std::string& name) = 0;

    /// The pool whose target directory covers `path`, both resolved by realpath; inactive pools
    /// count too.
    virtual std::optional<PoolInfo> find_pool_covering(const std::string& path) = 0;

    /// Makes and starts a transient `dir` pool on an existing directory.
    /// @throws Error{not_found} no such directory; {conflict} name taken.
    virtual PoolInfo create_directory_pool(const std::string& name, const std::string& path) = 0;

    /// Stops a transient pool; its directory and files stay. One that is gone is not an error.
    virtual void remove_pool(const std::string& name) = 0;

    /// Allocates a volume that did not exist before; never smaller than asked.
    /// @throws Error{not_found} no such pool or backing volume; {conflict} name taken, pool
    ///         inactive; {no_space} pool too full; {invalid_request} options the format lacks.
    virtual VolumeInfo create_volume(const VolumeSpec& spec) = 0;

    virtual std::optional<VolumeInfo> find_volume(const VolumeRef& ref) = 0;
    virtual std::vector<VolumeInfo> volumes(const std::string& pool) = 0;

    /// Removes a volume. One that is already gone is not an error.
    virtual void remove_volume(const VolumeRef& ref) = 0;

    /// Takes an internal snapshot of a qcow2 volume that no domain uses, through a defined, never
    /// started carrier domain called `carrier`, which exists from here until
    /// remove_internal_snapshot().
    virtual void create_internal_snapshot(const VolumeRef& volume, const std::string& carrier,
                                          const std::string& snapshot) = 0;

    /// Deletes the snapshot and undefines the carrier. Either being gone is not an error.
    virtual void remove_internal_snapshot(const std::string& carrier,
                                          const std::string& snapshot) = 0;

    /// Undefines a carrier domain and forgets its snapshots' metadata; gone is not an error.
    /// @throws Error{refused} if the domain does not carry our metadata or runs.
    virtual void remove_carrier(const std::string& carrier) = 0;
};

}  // namespace poolwise
