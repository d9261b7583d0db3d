// SPDX-License-Identifier: Apache-2.0
#include "module/store/schema.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "module/core/error.hpp"

namespace poolwise {
namespace {

/// Statements, one by one because a prepared statement is one.
using Migration = std::span<const std::string_view>;

// Columns beside a document repeat a part of it, for SQL's where and order by. The journal refers
// to no run: what it protects exists in the pool whether or not the run is known.
constexpr std::array<std::string_view, 10> kFirstTables = {
    R"(CREATE TABLE runs (
           id TEXT PRIMARY KEY,
           state TEXT NOT NULL,
           severity TEXT NOT NULL,
           created_ms INTEGER NOT NULL,
           finished_ms INTEGER,
           document TEXT NOT NULL))",
    "CREATE INDEX runs_by_age ON runs (created_ms)",
    R"(CREATE TABLE samples (
           run TEXT NOT NULL REFERENCES runs (id),
           position INTEGER NOT NULL,
           round INTEGER NOT NULL,
           candidate TEXT NOT NULL,
           workload TEXT NOT NULL,
           void INTEGER NOT NULL,
           document TEXT NOT NULL,
           PRIMARY KEY (run, position)))",
    R"(CREATE TABLE raw_files (
           run TEXT NOT NULL,
           position INTEGER NOT NULL,
           fio_json TEXT NOT NULL,
           fio_messages TEXT NOT NULL,
           PRIMARY KEY (run, position),
           FOREIGN KEY (run, position) REFERENCES samples (run, position)))",
    R"(CREATE TABLE journal (
           id INTEGER PRIMARY KEY AUTOINCREMENT,
           run TEXT NOT NULL,
           kind TEXT NOT NULL,
           name TEXT NOT NULL,
           place TEXT NOT NULL,
           state TEXT NOT NULL))",
    "CREATE INDEX journal_by_run ON journal (run)",
    "CREATE INDEX journal_open ON journal (id) WHERE state <> 'gone'",
    "CREATE TABLE memory (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "INSERT INTO meta VALUES ('store_id', lower(hex(randomblob(8))))",
};

/// Number n leads from version n to n + 1. Only ever appended to.
constexpr std::array kMigrations{Migration{kFirstTables}};
constexpr auto kVersion = static_cast<std::int64_t>(kMigrations.size());

[[noreturn]] void refuse(const Database& database, const std::string& reason) {
    throw Error{ErrorCode::store_failed, "use store '" + database.path() + "': " + reason};
}

/// @return the version found, 0 for an empty file.
std::int64_t check_ours(Database& database) {
    const std::int64_t owner = database.number("PRAGMA application_id");
    const std::int64_t version = database.number("PRAGMA user_version");
    const bool empty = database.number("SELECT count(*) FROM sqlite_master") == 0;
    if (owner != kApplicationId && !(owner == 0 && version == 0 && empty)) {
        refuse(database, "it is the database of another program: give another path for the store");
    }
    if (version > kVersion) {
        refuse(database, "it has version " + std::to_string(version) +
                             ", written by a newer poolwise; this one knows " +
                             std::to_string(kVersion) + ": upgrade, or give another path");
    }
    return version;
}

}  // namespace

void migrate(Database& database) {
    if (check_ours(database) == kVersion) return;
    database.use_write_ahead_log();
    Transaction transaction{database};
    // Asked again inside: another process may have been faster.
    for (std::int64_t version = check_ours(database); version < kVersion; ++version) {
        for (const std::string_view sql : kMigrations[static_cast<std::size_t>(version)]) {
            database.execute(sql);
        }
    }
    // A pragma takes no parameters.
    database.execute("PRAGMA application_id = " + std::to_string(kApplicationId));
    database.execute("PRAGMA user_version = " + std::to_string(kVersion));
    transaction.commit();
}

}  // namespace poolwise
