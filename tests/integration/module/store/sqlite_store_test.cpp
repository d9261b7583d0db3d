// SPDX-License-Identifier: Apache-2.0
// What SqliteStore does beyond the contracts of its ports: tests/contract/store_contract_test.cpp.
#include "module/store/sqlite_store.hpp"

#include <chrono>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "module/store/database.hpp"
#include "tests/unit/module/codec/random_records.hpp"
#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::test {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

class SqliteStoreFile : public testing::Test {
protected:
    static poolwise::Run run(const std::string& id) {
        auto made = RandomRecords{7, Filling::complete}.make<poolwise::Run>();
        made.id = id;
        made.state = RunState::queued;
        return made;
    }

    ScratchFolder folder_;
    std::filesystem::path file_ = folder_.path() / "poolwise.db";
};

TEST_F(SqliteStoreFile, KeepsEverythingWhenItIsOpenedAgain) {
    const poolwise::Run stored = run("aaaaaaaa");
    const auto sample = RandomRecords{1, Filling::complete}.make<Sample>();
    std::string store_id;
    std::int64_t entry = 0;
    {
        SqliteStore store{file_};
        store.add_run(stored);
        store.add_sample("aaaaaaaa", sample, {"json", "messages"});
        store.remember("key", "value");
        entry = store.intend({.run_id = "aaaaaaaa", .name = "volume"});
        store_id = store.store_id();
    }

    SqliteStore again{file_};

    EXPECT_TRUE(*again.find_run("aaaaaaaa") == stored);
    ASSERT_EQ(again.samples("aaaaaaaa").size(), 1U);
    EXPECT_TRUE(again.samples("aaaaaaaa")[0] == sample);
    EXPECT_EQ(again.raw_files("aaaaaaaa", sample.position)->fio_messages, "messages");
    EXPECT_EQ(again.recall("key"), "value");
    EXPECT_EQ(again.open_entries().at(0).id, entry);
    EXPECT_EQ(again.store_id(), store_id);
}

TEST_F(SqliteStoreFile, HasAnIdOfItsOwn) {
    SqliteStore one{file_};
    SqliteStore other{folder_.path() / "other.db"};

    EXPECT_NE(one.store_id(), other.store_id());
}

TEST_F(SqliteStoreFile, NeverUsesAJournalIdTwice) {
    SqliteStore store{file_};
    const std::int64_t first = store.intend({.run_id = "aaaaaaaa", .name = "volume"});
    Database{file_}.execute("DELETE FROM journal");

    EXPECT_GT(store.intend({.run_id = "aaaaaaaa", .name = "volume"}), first);
}

TEST_F(SqliteStoreFile, RepeatsInColumnsWhatSqlNeeds) {
    SqliteStore store{file_};
    poolwise::Run stored = run("aaaaaaaa");
    stored.created = std::chrono::system_clock::time_point{1500ms};
    stored.finished.reset();
    store.add_run(stored);
    Sample sample;
    sample.position = 3;
    sample.void_reasons = {"the depth was not reached"};
    store.add_sample("aaaaaaaa", sample, {});
    Database database{file_};

    EXPECT_EQ(database.number("SELECT count(*) FROM runs WHERE id = 'aaaaaaaa' AND state = 'queued'"
                              " AND created_ms = 1500 AND finished_ms IS NULL"),
              1);
    EXPECT_EQ(database.number("SELECT void FROM samples WHERE position = 3"), 1);
}

TEST_F(SqliteStoreFile, BlamesItselfForADocumentThatItCannotRead) {
    SqliteStore store{file_};
    store.add_run(run("aaaaaaaa"));
    Database{file_}.execute("UPDATE runs SET document = '{\"id\": 5}'");

    const Error error = error_of([&] { static_cast<void>(store.find_run("aaaaaaaa")); });

    EXPECT_EQ(error.code(), ErrorCode::store_failed);
    EXPECT_THAT(error.what(), AllOf(HasSubstr(file_.string()), HasSubstr("'/id'")));
}

TEST_F(SqliteStoreFile, ListsTwoThousandRuns) {
    constexpr int kRuns = 2000;
    poolwise::Run typical = run("");
    typical.plan.emplace().samples.assign(
        4, {.round = 1, .position = 1, .candidate = "guest-qcow2", .workload = "rand-read-4k"});
    {
        SqliteStore store{file_};
        typical.id = "first";
        store.add_run(typical);
        Database database{file_};
        Transaction transaction{database};
        for (int i = 1; i < kRuns; ++i) {  // one transaction: 2,000 syncs are not the subject
            database.execute(
                "INSERT INTO runs SELECT ?, state, severity, created_ms + ?, finished_ms, document "
                "FROM runs WHERE id = 'first'",
                "run" + std::to_string(i), std::int64_t{i});
        }
        transaction.commit();
    }
    SqliteStore store{file_};

    EXPECT_EQ(store.runs(20).size(), 20U);
    EXPECT_EQ(store.runs(kRuns).size(), static_cast<std::size_t>(kRuns));
}

}  // namespace
}  // namespace poolwise::test
