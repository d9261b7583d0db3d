// SPDX-License-Identifier: Apache-2.0
#include "module/store/sqlite_store.hpp"
#include "tests/contract/journal_contract.hpp"
#include "tests/contract/run_store_contract.hpp"
#include "tests/fakes/fake_journal.hpp"
#include "tests/fakes/fake_run_store.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace poolwise::test {
namespace {

struct ScratchStore {
    ScratchFolder folder;
    SqliteStore store{folder.path() / "poolwise.db"};
};

/// A store in a folder that lives as long as the store.
std::shared_ptr<SqliteStore> make_sqlite_store() {
    const auto scratch = std::make_shared<ScratchStore>();
    return {scratch, &scratch->store};
}

INSTANTIATE_TEST_SUITE_P(Sqlite, RunStoreContract, testing::Values(make_sqlite_store));
INSTANTIATE_TEST_SUITE_P(Fake, RunStoreContract,
                         testing::Values([] { return std::make_shared<FakeRunStore>(); }));
INSTANTIATE_TEST_SUITE_P(Sqlite, JournalContract, testing::Values(make_sqlite_store));
INSTANTIATE_TEST_SUITE_P(Fake, JournalContract,
                         testing::Values([] { return std::make_shared<FakeJournal>(); }));

TEST(FakeRunStore, FailsOnceWhereItIsTold) {
    FakeRunStore store;
    store.fail_next(Error{ErrorCode::store_failed, "told"});

    EXPECT_EQ(code_of([&] { store.remember("key", "value"); }), ErrorCode::store_failed);
    EXPECT_FALSE(store.recall("key"));
}

TEST(FakeJournal, FailsOnceWhereItIsTold) {
    FakeJournal journal;
    journal.fail_next(Error{ErrorCode::store_failed, "told"});

    EXPECT_EQ(code_of([&] { journal.intend({}); }), ErrorCode::store_failed);
    EXPECT_TRUE(journal.open_entries().empty());
}

}  // namespace
}  // namespace poolwise::test
