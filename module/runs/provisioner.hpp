// SPDX-License-Identifier: Apache-2.0
// Creates a run's objects, each written to the journal before it is created.
#pragma once

#include <functional>
#include <string>

#include "module/ports/guest_host.hpp"
#include "module/ports/journal.hpp"
#include "module/ports/storage.hpp"

namespace poolwise {

/// Removal of what is left in the end is the Cleaner's work; here are only the removals that a run
/// needs in between.
class Provisioner {
public:
    Provisioner(std::string run_id, Storage& storage, GuestHost& guests, Journal& journal)
        : run_id_{std::move(run_id)}, storage_{storage}, guests_{guests}, journal_{journal} {}

    PoolInfo create_pool(const std::string& name, const std::string& directory);
    VolumeInfo create_volume(const VolumeSpec& spec);
    void remove_volume(const VolumeRef& ref);
    void create_internal_snapshot(const VolumeRef& volume, const std::string& carrier);
    void remove_internal_snapshot(const std::string& carrier);
    void start_guest(const GuestSpec& spec);
    void destroy_guest(const std::string& name);

private:
    /// Intent, creation, outcome. A failed creation leaves the entry open unless `exists` says that
    /// nothing came of it: an unknown outcome is looked up by whoever cleans.
    void create(ObjectKind kind, const std::string& name, const std::string& place,
                const std::function<void()>& creation, const std::function<bool()>& exists);
    void settle_gone(ObjectKind kind, const std::string& name);

    std::string run_id_;
    Storage& storage_;
    GuestHost& guests_;
    Journal& journal_;
};

}  // namespace poolwise
