// SPDX-License-Identifier: Apache-2.0
#include "module/store/sqlite_store.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "module/codec/run_codec.hpp"
#include "module/codec/sample_codec.hpp"
#include "module/store/database.hpp"
#include "module/store/database_file.hpp"
#include "module/store/schema.hpp"

namespace poolwise {
namespace {

std::int64_t milliseconds(std::chrono::system_clock::time_point time) {
    using std::chrono::milliseconds;
    return std::chrono::floor<milliseconds>(time.time_since_epoch()).count();
}

std::optional<std::int64_t> finished_ms(const Run& run) {
    if (!run.finished) return std::nullopt;
    return milliseconds(*run.finished);
}

Origin stored_in(const Database& database) {
    return {database.path(), ErrorCode::store_failed};
}

std::optional<RunState> stored_state(Database& database, const std::string& id) {
    Statement row = database.prepare("SELECT state FROM runs WHERE id = ?", id);
    if (!row.step()) return std::nullopt;
    return enum_value(kRunStateNames, row.text(0));
}

[[noreturn]] void refuse_unknown_run(const std::string& doing, const std::string& id) {
    throw Error{ErrorCode::not_found, doing + " run '" + id + "': no such run in the store"};
}

}  // namespace

SqliteStore::SqliteStore(const std::filesystem::path& file) {
    ensure_database_file(file);
    database_ = std::make_unique<Database>(file);
    migrate(*database_);
}

SqliteStore::~SqliteStore() = default;

void SqliteStore::add_run(const Run& run) {
    const std::string document = write_run(run);
    const std::lock_guard lock{mutex_};
    Transaction transaction{*database_};
    if (stored_state(*database_, run.id)) {
        throw Error{ErrorCode::conflict, "store run '" + run.id + "': the id is taken"};
    }
    database_->execute("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?)", run.id,
                       enum_name(kRunStateNames, run.state),
                       enum_name(kSeverityNames, run.severity), milliseconds(run.created),
                       finished_ms(run), document);
    transaction.commit();
}

void SqliteStore::update_run(const Run& run) {
    const std::string document = write_run(run);
    const std::lock_guard lock{mutex_};
    Transaction transaction{*database_};
    const std::optional<RunState> before = stored_state(*database_, run.id);
    if (!before) refuse_unknown_run("update", run.id);
    if (*before != run.state && !may_follow(*before, run.state)) {
        throw Error{ErrorCode::conflict, "update run '" + run.id + "': it is " +
                                             std::string{enum_name(kRunStateNames, *before)} +
                                             " and cannot become " +
                                             std::string{enum_name(kRunStateNames, run.state)}};
    }
    database_->execute(
        "UPDATE runs SET state = ?, severity = ?, created_ms = ?, finished_ms = ?, "
        "document = ? WHERE id = ?",
        enum_name(kRunStateNames, run.state), enum_name(kSeverityNames, run.severity),
        milliseconds(run.created), finished_ms(run), document, run.id);
    transaction.commit();
}

std::optional<Run> SqliteStore::find_run(const std::string& id) {
    const std::lock_guard lock{mutex_};
    Statement row = database_->prepare("SELECT document FROM runs WHERE id = ?", id);
    if (!row.step()) return std::nullopt;
    return parse_run(row.text(0), stored_in(*database_));
}

std::vector<Run> SqliteStore::runs(std::size_t limit) {
    constexpr std::size_t kLargest = std::numeric_limits<std::int64_t>::max();
    const std::lock_guard lock{mutex_};
    Statement row =
        database_->prepare("SELECT document FROM runs ORDER BY created_ms DESC, rowid DESC LIMIT ?",
                           static_cast<std::int64_t>(std::min(limit, kLargest)));
    std::vector<Run> found;
    while (row.step()) found.push_back(parse_run(row.text(0), stored_in(*database_)));
    return found;
}

void SqliteStore::add_sample(const std::string& run_id, const Sample& sample, const RawFiles& raw) {
    const std::string document = write_sample(sample);
    const std::int64_t position = sample.position;
    const std::lock_guard lock{mutex_};
    Transaction transaction{*database_};
    if (!stored_state(*database_, run_id)) refuse_unknown_run("add a sample to", run_id);
    if (database_->prepare("SELECT 1 FROM samples WHERE run = ? AND position = ?", run_id, position)
            .step()) {
        throw Error{ErrorCode::conflict, "add a sample to run '" + run_id + "': position " +
                                             std::to_string(position) + " is taken"};
    }
    database_->execute("INSERT INTO samples VALUES (?, ?, ?, ?, ?, ?, ?)", run_id, position,
                       std::int64_t{sample.round}, sample.candidate, sample.workload,
                       std::int64_t{sample.is_void()}, document);
    database_->execute("INSERT INTO raw_files VALUES (?, ?, ?, ?)", run_id, position, raw.fio_json,
                       raw.fio_messages);
    transaction.commit();
}

std::vector<Sample> SqliteStore::samples(const std::string& run_id) {
    const std::lock_guard lock{mutex_};
    Statement row =
        database_->prepare("SELECT document FROM samples WHERE run = ? ORDER BY position", run_id);
    std::vector<Sample> found;
    while (row.step()) found.push_back(parse_sample(row.text(0), stored_in(*database_)));
    return found;
}

std::optional<RawFiles> SqliteStore::raw_files(const std::string& run_id, unsigned position) {
    const std::lock_guard lock{mutex_};
    Statement row = database_->prepare(
        "SELECT fio_json, fio_messages FROM raw_files WHERE run = ? AND position = ?", run_id,
        std::int64_t{position});
    if (!row.step()) return std::nullopt;
    return RawFiles{std::string{row.text(0)}, std::string{row.text(1)}};
}

void SqliteStore::remember(const std::string& key, const std::string& value) {
    const std::lock_guard lock{mutex_};
    database_->execute(
        "INSERT INTO memory VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        key, value);
}

std::optional<std::string> SqliteStore::recall(const std::string& key) {
    const std::lock_guard lock{mutex_};
    Statement row = database_->prepare("SELECT value FROM memory WHERE key = ?", key);
    if (!row.step()) return std::nullopt;
    return std::string{row.text(0)};
}

std::string SqliteStore::store_id() {
    const std::lock_guard lock{mutex_};
    Statement row = database_->prepare("SELECT value FROM meta WHERE key = 'store_id'");
    row.step();
    return std::string{row.text(0)};
}

}  // namespace poolwise
