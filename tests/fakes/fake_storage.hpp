// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "module/core/error.hpp"
#include "module/ports/storage.hpp"
#include "tests/fakes/planned_failures.hpp"

namespace poolwise::test {

/// Storage that works in memory: pools, volumes, carriers and snapshots are entries in maps, and
/// space is counted. Passes tests/contract/storage_contract.hpp. Safe from several threads.
class FakeStorage final : public Storage {
public:
    /// Adds a persistent pool; an active one with path and space can hold volumes.
    void add_pool(PoolInfo pool);

    /// Adds an active `dir` pool on /fake/<name>, with room for `space`.
    void add_directory_pool(const std::string& name, Bytes space);

    /// Makes create_directory_pool() find a directory there.
    void add_directory(const std::string& path);

    /// Every block of the volume at `path` has been written.
    void fill(const std::string& path);

    /// The next call throws `error` and does nothing; several queue up.
    void fail_next(Error error) { failures_.add(std::move(error)); }

    /// The next call of the named function throws `error` and does nothing.
    void fail_next(const std::string& function, Error error) {
        failures_.add(function, std::move(error));
    }

    /// Calls that changed something, in order: "create_volume poolwise-...-01.raw".
    [[nodiscard]] std::vector<std::string> history() const;
    [[nodiscard]] std::set<std::string> carriers() const;

    /// Names of the snapshots inside a volume.
    [[nodiscard]] std::set<std::string> snapshots(const VolumeRef& volume) const;

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
    struct Shelf {
        PoolInfo pool;
        std::map<std::string, VolumeInfo> volumes;
        std::map<std::string, std::set<std::string>> snapshots;  ///< by volume
    };

    void record(const std::string& function, const std::string& object);
    Shelf& active_shelf(const std::string& pool);
    VolumeInfo& volume_at(const VolumeRef& ref);

    mutable std::mutex mutex_;  ///< guards all below
    std::map<std::string, Shelf> shelves_;
    std::set<std::string> directories_;
    std::map<std::string, VolumeRef> carriers_;  ///< the volume that each holds
    PlannedFailures failures_;
    std::vector<std::string> history_;
};

}  // namespace poolwise::test
