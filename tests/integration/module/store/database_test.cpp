// SPDX-License-Identifier: Apache-2.0
#include "module/store/database.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "module/store/database_file.hpp"
#include "module/store/schema.hpp"
#include "module/store/sqlite_store.hpp"
#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class DatabaseFile : public testing::Test {
protected:
    static std::string content(const std::filesystem::path& path) {
        std::ifstream stream{path, std::ios::binary};
        return {std::istreambuf_iterator<char>{stream}, {}};
    }

    static unsigned mode(const std::filesystem::path& path) {
        struct stat status {};
        EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
        return status.st_mode & 07777U;
    }

    Error opening() const {
        return error_of([this] { SqliteStore{file_}; });
    }

    ScratchFolder folder_;
    std::filesystem::path file_ = folder_.path() / "poolwise.db";
};

TEST_F(DatabaseFile, IsForUsAloneInDirectoriesThatOthersMaySearch) {
    const std::filesystem::path deep = folder_.path() / "lib/poolwise/poolwise.db";
    const mode_t before = ::umask(0077);
    SqliteStore store{deep};
    ::umask(before);
    store.remember("key", "value");

    EXPECT_EQ(mode(folder_.path() / "lib"), 0711U);
    EXPECT_EQ(mode(folder_.path() / "lib/poolwise"), 0711U);
    EXPECT_EQ(mode(deep), 0600U);
    EXPECT_EQ(mode(deep.string() + "-wal"), 0600U);
}

TEST_F(DatabaseFile, LeavesTheModeOfAnExistingDirectory) {
    std::filesystem::permissions(folder_.path(), std::filesystem::perms{0750});
    SqliteStore{file_};

    EXPECT_EQ(mode(folder_.path()), 0750U);
}

TEST_F(DatabaseFile, SyncsEachCommitAndChecksForeignKeys) {
    SqliteStore{file_};
    Database database{file_};
    Statement journal_mode = database.prepare("PRAGMA journal_mode");
    journal_mode.step();

    EXPECT_EQ(journal_mode.text(0), "wal");
    EXPECT_EQ(database.number("PRAGMA synchronous"), 2);  // FULL
    EXPECT_EQ(database.number("PRAGMA foreign_keys"), 1);
    EXPECT_EQ(database.number("PRAGMA application_id"), kApplicationId);
}

TEST_F(DatabaseFile, ThatIsNoDatabaseIsRefusedAndLeftAsItIs) {
    const std::string text(5000, 'x');
    folder_.put("poolwise.db", text);

    const Error error = opening();

    EXPECT_EQ(error.code(), ErrorCode::store_failed);
    EXPECT_THAT(error.what(), AllOf(HasSubstr(file_.string()), HasSubstr("not a database"),
                                    HasSubstr("another path")));
    EXPECT_EQ(content(file_), text);
}

TEST_F(DatabaseFile, OfAnotherProgramIsRefusedAndLeftAsItIs) {
    folder_.put("poolwise.db", "");
    Database{file_}.execute("CREATE TABLE theirs (x)");
    const std::string before = content(file_);

    EXPECT_THAT(opening().what(), HasSubstr("database of another program"));
    EXPECT_EQ(content(file_), before);
}

TEST_F(DatabaseFile, OfANewerVersionIsRefusedByThatName) {
    SqliteStore{file_};
    Database{file_}.execute("PRAGMA user_version = 1000");

    const Error error = opening();

    EXPECT_EQ(error.code(), ErrorCode::store_failed);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("version 1000"), HasSubstr("newer poolwise")));
}

TEST_F(DatabaseFile, ThatIsDamagedIsReportedWithItsPath) {
    {
        SqliteStore store{file_};
        for (int i = 0; i < 200; ++i) store.remember(std::to_string(i), std::string(500, 'v'));
    }
    const auto size = std::filesystem::file_size(file_);
    ASSERT_GT(size, 40'000U);
    std::fstream stream{file_, std::ios::binary | std::ios::in | std::ios::out};
    stream.seekp(4096);
    stream << std::string(static_cast<std::size_t>(size) - 4096, '\xa5');
    stream.close();

    const Error error = error_of([&] { SqliteStore{file_}.recall("100"); });

    EXPECT_EQ(error.code(), ErrorCode::store_failed);
    EXPECT_THAT(error.what(), AllOf(HasSubstr(file_.string()), HasSubstr("damaged")));
}

TEST_F(DatabaseFile, ThatCannotBeMadeIsReportedWithTheReason) {
    const Error error = error_of([] { SqliteStore{"/proc/poolwise/poolwise.db"}; });

    EXPECT_EQ(error.code(), ErrorCode::store_failed);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("'/proc/poolwise'"), HasSubstr("No such file")));
}

TEST_F(DatabaseFile, ThatIsADirectoryIsRefused) {
    std::filesystem::create_directory(file_);

    EXPECT_EQ(opening().code(), ErrorCode::store_failed);
}

TEST_F(DatabaseFile, ForgetsATransactionThatWasNotCommitted) {
    SqliteStore store{file_};
    Database database{file_};
    {
        Transaction transaction{database};
        database.execute("INSERT INTO memory VALUES ('key', 'value')");
    }
    EXPECT_FALSE(store.recall("key"));
}

}  // namespace
}  // namespace poolwise::test
