// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "module/ports/journal.hpp"
#include "module/ports/run_store.hpp"

namespace poolwise {

class Database;

/// Runs, samples and the journal in one SQLite file.
///
/// Several processes may use the same file at the same time; each waits up to 5 s for another's
/// write. Every call that writes returns when its change is on disk. Safe from several threads;
/// calls block, and wait for each other. Beside what the ports say, every call throws
/// Error{store_failed} with the file's path and what to do: disk full, damaged, locked, not ours.
class SqliteStore final : public RunStore, public Journal {
public:
    /// Opens the store; makes the file (0600), and directories that are missing (0711).
    /// A file that is not ours, or newer than this program, is refused and left as it is.
    explicit SqliteStore(const std::filesystem::path& file);
    ~SqliteStore() override;

    void add_run(const Run& run) override;
    void update_run(const Run& run) override;
    std::optional<Run> find_run(const std::string& id) override;
    std::vector<Run> runs(std::size_t limit) override;

    /// @throws Error{not_found} no such run; {conflict} the run has a sample at that position.
    void add_sample(const std::string& run_id, const Sample& sample, const RawFiles& raw) override;
    std::vector<Sample> samples(const std::string& run_id) override;
    std::optional<RawFiles> raw_files(const std::string& run_id, unsigned position) override;

    void remember(const std::string& key, const std::string& value) override;
    std::optional<std::string> recall(const std::string& key) override;
    std::string store_id() override;

    /// The entry is recorded as `intended`, whatever its state and id say.
    std::int64_t intend(const JournalEntry& entry) override;
    /// @throws Error{not_found} no such entry.
    void settle(std::int64_t id, ObjectState state) override;
    std::vector<JournalEntry> open_entries() override;
    std::vector<JournalEntry> entries(const std::string& run_id) override;

private:
    std::mutex mutex_;  ///< held for the whole of each call: it guards the connection
    std::unique_ptr<Database> database_;
};

}  // namespace poolwise
