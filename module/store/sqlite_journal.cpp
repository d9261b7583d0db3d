// SPDX-License-Identifier: Apache-2.0
// The journal's half of SqliteStore.
#include "module/store/database.hpp"
#include "module/store/sqlite_store.hpp"

namespace poolwise {
namespace {

template <typename Enum, std::size_t N>
Enum stored_enum(const Database& database, const EnumNames<Enum, N>& names, std::string_view text) {
    if (const auto value = enum_value(names, text)) return *value;
    throw Error{ErrorCode::store_failed, "read the journal in '" + database.path() +
                                             "': unknown word '" + std::string{text} +
                                             "': the file was changed by another program"};
}

std::vector<JournalEntry> read_entries(const Database& database, Statement rows) {
    std::vector<JournalEntry> entries;
    while (rows.step()) {
        entries.push_back({.id = rows.integer(0),
                           .run_id = std::string{rows.text(1)},
                           .kind = stored_enum(database, kObjectKindNames, rows.text(2)),
                           .name = std::string{rows.text(3)},
                           .place = std::string{rows.text(4)},
                           .state = stored_enum(database, kObjectStateNames, rows.text(5))});
    }
    return entries;
}

}  // namespace

std::int64_t SqliteStore::intend(const JournalEntry& entry) {
    const std::lock_guard lock{mutex_};
    database_->execute("INSERT INTO journal VALUES (NULL, ?, ?, ?, ?, ?)", entry.run_id,
                       enum_name(kObjectKindNames, entry.kind), entry.name, entry.place,
                       enum_name(kObjectStateNames, ObjectState::intended));
    return database_->last_row_id();
}

void SqliteStore::settle(std::int64_t id, ObjectState state) {
    const std::lock_guard lock{mutex_};
    database_->execute("UPDATE journal SET state = ? WHERE id = ?",
                       enum_name(kObjectStateNames, state), id);
    if (database_->changes() == 0) {
        throw Error{ErrorCode::not_found,
                    "settle journal entry '" + std::to_string(id) + "': no such entry"};
    }
}

std::vector<JournalEntry> SqliteStore::open_entries() {
    const std::lock_guard lock{mutex_};
    return read_entries(*database_,
                        database_->prepare("SELECT id, run, kind, name, place, state FROM journal "
                                           "WHERE state <> 'gone' ORDER BY id"));
}

std::vector<JournalEntry> SqliteStore::entries(const std::string& run_id) {
    const std::lock_guard lock{mutex_};
    return read_entries(*database_,
                        database_->prepare("SELECT id, run, kind, name, place, state FROM journal "
                                           "WHERE run = ? ORDER BY id",
                                           run_id));
}

}  // namespace poolwise
