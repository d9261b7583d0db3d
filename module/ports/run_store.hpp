// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "module/core/run.hpp"
#include "module/core/sample.hpp"
#include "module/ports/port.hpp"

namespace poolwise {

/// Runs and samples, durable. Implemented by store::SqliteStore and tests/fakes/fake_run_store.hpp,
/// which pass the same tests/contract/run_store_contract.hpp; safe from several threads.
class RunStore : public Port {
public:
    /// @throws Error{conflict} the id is taken.
    virtual void add_run(const Run& run) = 0;
    /// Replaces the stored record.
    /// @throws Error{not_found}; Error{conflict} if the state may not follow the stored one.
    virtual void update_run(const Run& run) = 0;
    virtual std::optional<Run> find_run(const std::string& id) = 0;
    /// Newest first.
    virtual std::vector<Run> runs(std::size_t limit) = 0;

    virtual void add_sample(const std::string& run_id, const Sample& sample,
                            const RawFiles& raw) = 0;
    /// In the order measured.
    virtual std::vector<Sample> samples(const std::string& run_id) = 0;
    virtual std::optional<RawFiles> raw_files(const std::string& run_id, unsigned position) = 0;

    /// Small facts kept between runs: the accelerator that boots, a pool's bandwidth.
    virtual void remember(const std::string& key, const std::string& value) = 0;
    virtual std::optional<std::string> recall(const std::string& key) = 0;

    /// Identifies this store in the node-wide lock.
    virtual std::string store_id() = 0;
};

}  // namespace poolwise
