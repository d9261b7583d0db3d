// SPDX-License-Identifier: Apache-2.0
// SQLite's handles with owners. Private to store; the only place that knows SQLite's error codes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace poolwise {

/// A prepared statement with its values bound. Ends before its Database does.
class Statement {
public:
    /// Moves to the next row.
    /// @return false after the last one.
    bool step();

    /// Valid until the next step().
    [[nodiscard]] std::string_view text(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;

private:
    friend class Database;
    Statement(const class Database& database, std::string_view sql);

    void bind(int index, std::string_view value);
    void bind(int index, std::int64_t value);
    void bind(int index, std::optional<std::int64_t> value);

    struct Finalizer {
        void operator()(sqlite3_stmt* statement) const noexcept;
    };
    const Database& database_;
    std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
};

/// One connection; one thread at a time. Another process that writes is waited for, 5 s at most.
///
/// Every function throws Error{store_failed} with the file's path and what to do.
class Database {
public:
    /// Opens an existing file.
    explicit Database(const std::filesystem::path& file);

    /// A statement whose parameters are `values`, in order: texts and whole numbers;
    /// an unset optional is NULL.
    template <typename... Values>
    [[nodiscard]] Statement prepare(std::string_view sql, const Values&... values) {
        Statement statement{*this, sql};
        int index = 0;
        (statement.bind(++index, values), ...);
        return statement;
    }

    /// Runs a statement to its end; rows are dropped.
    template <typename... Values>
    void execute(std::string_view sql, const Values&... values) {
        Statement statement = prepare(sql, values...);
        while (statement.step()) {
        }
    }

    /// The first column of the first row. Precondition: there is one.
    [[nodiscard]] std::int64_t number(std::string_view sql);

    [[nodiscard]] std::int64_t last_row_id() const noexcept;
    /// Rows that the last statement changed.
    [[nodiscard]] int changes() const noexcept;

    /// Makes commits durable and readers independent of writers. Not within a transaction.
    void use_write_ahead_log();

    [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
    friend class Statement;
    [[noreturn]] void fail(int code) const;

    struct Closer {
        void operator()(sqlite3* database) const noexcept;
    };
    std::string path_;
    std::unique_ptr<sqlite3, Closer> handle_;
};

/// Takes the write lock at once, so that what is read inside stays true until commit(). Rolls back
/// unless committed.
class Transaction {
public:
    explicit Transaction(Database& database);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    void commit();

private:
    Database& database_;
    bool open_ = true;
};

}  // namespace poolwise
