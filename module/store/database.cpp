// SPDX-License-Identifier: Apache-2.0
#include "module/store/database.hpp"

#include <chrono>
#include <thread>

#include <sqlite3.h>

#include "module/core/error.hpp"

namespace poolwise {
namespace {

using namespace std::chrono_literals;

constexpr auto kBusyLimit = 5s;

std::string_view advice(int code) {
    switch (code & 0xff) {  // the low byte is the primary code of an extended one
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return "another process holds it; end that process and try again";
        case SQLITE_FULL:
            return "free space on its file system and try again";
        case SQLITE_IOERR:
            return "check free space and the kernel log of its file system";
        case SQLITE_CORRUPT:
            return "it is damaged; move it away (a new one is made) or restore it";
        case SQLITE_NOTADB:
            return "it is left as it is; give another path for the store";
        case SQLITE_READONLY:
        case SQLITE_PERM:
        case SQLITE_AUTH:
        case SQLITE_CANTOPEN:
            return "check the permissions of the file and its directory";
        default:
            return "please report this";
    }
}

}  // namespace

Statement::Statement(const Database& database, std::string_view sql) : database_{database} {
    sqlite3_stmt* raw = nullptr;
    const int code = sqlite3_prepare_v2(database.handle_.get(), sql.data(),
                                        static_cast<int>(sql.size()), &raw, nullptr);
    statement_.reset(raw);
    if (code != SQLITE_OK) database.fail(code);
}

bool Statement::step() {
    const int code = sqlite3_step(statement_.get());
    if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail(code);
    return code == SQLITE_ROW;
}

std::string_view Statement::text(int column) const {
    // JUSTIFICATION: SQLite hands text out as unsigned char; the pointer comes before the length,
    // as its manual asks.
    const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
    const int size = sqlite3_column_bytes(statement_.get(), column);
    return data == nullptr ? std::string_view{}
                           : std::string_view{data, static_cast<std::size_t>(size)};
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}

void Statement::bind(int index, std::string_view value) {
    // JUSTIFICATION: SQLITE_TRANSIENT (copy it) is a C cast in SQLite's header; this is its value.
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    const auto copy_it = reinterpret_cast<sqlite3_destructor_type>(-1);
    // An empty view may hold a null pointer, which would bind NULL instead of "".
    const char* data = value.empty() ? "" : value.data();
    const int code =
        sqlite3_bind_text64(statement_.get(), index, data, value.size(), copy_it, SQLITE_UTF8);
    if (code != SQLITE_OK) database_.fail(code);
}

void Statement::bind(int index, std::int64_t value) {
    const int code = sqlite3_bind_int64(statement_.get(), index, value);
    if (code != SQLITE_OK) database_.fail(code);
}

void Statement::bind(int index, std::optional<std::int64_t> value) {
    if (value) bind(index, *value);  // a parameter that is not bound is NULL
}

void Statement::Finalizer::operator()(sqlite3_stmt* statement) const noexcept {
    static_cast<void>(sqlite3_finalize(statement));  // repeats the error that step() threw
}

Database::Database(const std::filesystem::path& file) : path_{file.string()} {
    sqlite3* raw = nullptr;
    const int code = sqlite3_open_v2(
        path_.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
        nullptr);
    handle_.reset(raw);
    if (code != SQLITE_OK) fail(code);
    const auto limit = std::chrono::milliseconds{kBusyLimit}.count();
    sqlite3_busy_timeout(raw, static_cast<int>(limit));
    execute("PRAGMA foreign_keys = ON");
    execute("PRAGMA synchronous = FULL");  // in WAL mode: synced at each commit
}

std::int64_t Database::number(std::string_view sql) {
    Statement statement = prepare(sql);
    statement.step();
    return statement.integer(0);
}

std::int64_t Database::last_row_id() const noexcept {
    return sqlite3_last_insert_rowid(handle_.get());
}

int Database::changes() const noexcept {
    return sqlite3_changes(handle_.get());
}

void Database::use_write_ahead_log() {
    // The busy timeout does not cover this change of mode: two processes that open a new file at
    // the same moment get SQLITE_BUSY at once.
    const auto deadline = std::chrono::steady_clock::now() + kBusyLimit;
    for (;;) {
        const int code =
            sqlite3_exec(handle_.get(), "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
        if (code == SQLITE_OK) return;
        const bool busy = (code & 0xff) == SQLITE_BUSY;
        if (!busy || std::chrono::steady_clock::now() > deadline) fail(code);
        std::this_thread::sleep_for(10ms);
    }
}

void Database::fail(int code) const {
    // The handle's own text says more, but only while it still speaks of this failure.
    const bool current = handle_ && sqlite3_extended_errcode(handle_.get()) == code;
    const std::string reason = current ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(code);
    throw Error{ErrorCode::store_failed,
                "use store '" + path_ + "': " + reason + ": " + std::string{advice(code)}};
}

void Database::Closer::operator()(sqlite3* database) const noexcept {
    static_cast<void>(sqlite3_close_v2(database));
}

Transaction::Transaction(Database& database) : database_{database} {
    database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
    if (!open_) return;
    try {
        database_.execute("ROLLBACK");
    } catch (const Error&) {
        // SQLite has rolled back by itself (disk full, I/O error); what matters was thrown already.
    }
}

void Transaction::commit() {
    database_.execute("COMMIT");
    open_ = false;
}

}  // namespace poolwise
