// SPDX-License-Identifier: Apache-2.0
// Several processes on one store, and processes that die.
#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <sys/mount.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include "module/store/database.hpp"
#include "module/store/sqlite_store.hpp"
#include "tests/integration/module/store/child_process.hpp"
#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// Lets one process wait for another.
class Signal {
public:
    Signal() {
        if (::pipe(ends_.data()) != 0) throw std::runtime_error{"pipe failed"};
    }
    ~Signal() {
        ::close(ends_[0]);
        ::close(ends_[1]);
    }
    Signal(const Signal&) = delete;
    Signal& operator=(const Signal&) = delete;

    void give() const { ASSERT_EQ(::write(ends_[1], "x", 1), 1); }
    void take() const {
        char byte = 0;
        ASSERT_EQ(::read(ends_[0], &byte, 1), 1);
    }

private:
    std::array<int, 2> ends_{};
};

class StoreProcesses : public testing::Test {
protected:
    static poolwise::Run run(const std::string& id) {
        poolwise::Run made;
        made.id = id;
        return made;
    }

    ScratchFolder folder_;
    std::filesystem::path file_ = folder_.path() / "poolwise.db";
};

TEST_F(StoreProcesses, AnIntentIsReadableAfterItsProcessWasKilledAtOnce) {
    const Signal intended;
    ChildProcess child{[&] {
        SqliteStore store{file_};
        store.intend({.run_id = "aaaaaaaa", .name = "poolwise-aaaaaaaa-01", .place = "fast"});
        intended.give();
        ::pause();
        return 0;
    }};
    intended.take();
    child.kill();

    const std::vector<JournalEntry> open = SqliteStore{file_}.open_entries();

    ASSERT_EQ(open.size(), 1U);
    EXPECT_EQ(open[0].name, "poolwise-aaaaaaaa-01");
    EXPECT_EQ(open[0].state, ObjectState::intended);
}

TEST_F(StoreProcesses, AChangeIsWholeOrAbsentAfterAKillAtAnyMoment) {
    SqliteStore{file_}.add_run(run("aaaaaaaa"));
    unsigned before = 0;
    // More than ten only where the machine is too slow for a single write in that time.
    for (int attempt = 0; attempt < 10 || (before == 0 && attempt < 300); ++attempt) {
        const Signal begun;
        ChildProcess child{[&]() -> int {
            SqliteStore theirs{file_};
            begun.give();
            for (unsigned position = before + 1;; ++position) {
                Sample sample;
                sample.position = position;
                theirs.add_sample("aaaaaaaa", sample, {"json", "messages"});
            }
        }};
        begun.take();
        std::this_thread::sleep_for(std::chrono::milliseconds{3 * attempt + 1});
        child.kill();

        SqliteStore store{file_};
        const auto samples = static_cast<unsigned>(store.samples("aaaaaaaa").size());
        EXPECT_GE(samples, before);
        EXPECT_EQ(store.raw_files("aaaaaaaa", samples).has_value(), samples > 0);
        EXPECT_FALSE(store.raw_files("aaaaaaaa", samples + 1));
        before = samples;
    }
    EXPECT_GT(before, 0U);
}

TEST_F(StoreProcesses, MayOpenANewFileAtTheSameMoment) {
    std::vector<std::unique_ptr<ChildProcess>> children;
    for (int i = 0; i < 8; ++i) {
        children.push_back(std::make_unique<ChildProcess>([&, i] {
            SqliteStore store{file_};
            store.remember("child", std::to_string(i));
            return 0;
        }));
    }
    for (const auto& child : children) EXPECT_EQ(child->wait(), 0);

    EXPECT_TRUE(SqliteStore{file_}.recall("child"));
}

TEST_F(StoreProcesses, MayWriteAtTheSameTime) {
    constexpr int kEach = 50;
    const auto add_runs = [this](const std::string& prefix) {
        SqliteStore store{file_};
        for (int i = 0; i < kEach; ++i) {
            poolwise::Run added = run(prefix + std::to_string(i));
            store.add_run(added);
            added.state = RunState::preparing;
            store.update_run(added);
        }
    };
    ChildProcess child{[&] {
        add_runs("theirs");
        return 0;
    }};
    add_runs("ours");

    EXPECT_EQ(child.wait(), 0);
    EXPECT_EQ(SqliteStore{file_}.runs(1000).size(), 2U * kEach);
}

TEST_F(StoreProcesses, SeeEachOthersChanges) {
    SqliteStore ours{file_};
    SqliteStore theirs{file_};
    theirs.add_run(run("aaaaaaaa"));
    const std::int64_t entry = ours.intend({.run_id = "aaaaaaaa", .name = "volume"});
    theirs.settle(entry, ObjectState::gone);

    EXPECT_TRUE(ours.find_run("aaaaaaaa"));
    EXPECT_TRUE(ours.open_entries().empty());
}

TEST_F(StoreProcesses, WaitForEachOthersWrites) {
    SqliteStore store{file_};
    Database other{file_};
    auto transaction = std::make_unique<Transaction>(other);
    std::jthread later{[&] {
        std::this_thread::sleep_for(200ms);
        transaction.reset();
    }};

    EXPECT_NO_THROW(store.remember("key", "value"));
}

TEST_F(StoreProcesses, GiveUpOnAWriteThatNeverEnds) {
    SqliteStore store{file_};
    store.remember("key", "before");
    Database other{file_};
    const Transaction endless{other};

    const auto start = std::chrono::steady_clock::now();
    const Error error = error_of([&] { store.remember("key", "after"); });
    const auto waited = std::chrono::steady_clock::now() - start;

    EXPECT_EQ(error.code(), ErrorCode::store_failed);
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr(file_.string()), HasSubstr("locked"),
                                             HasSubstr("another process")));
    EXPECT_GE(waited, 4500ms);
    EXPECT_EQ(store.recall("key"), "before");  // reading needs no turn
}

/// Fills a store on a file system of 1 MiB. @return the exit status of the child that does it.
int fill_small_file_system(const std::filesystem::path& folder) {
    SqliteStore store{folder / "poolwise.db"};
    poolwise::Run run;
    run.id = "aaaaaaaa";
    store.add_run(run);
    const RawFiles large{std::string(50'000, 'j'), ""};
    Sample sample;
    for (sample.position = 1; sample.position < 1000; ++sample.position) {
        try {
            store.add_sample("aaaaaaaa", sample, large);
        } catch (const Error& error) {
            const std::string text = error.what();
            const bool told = error.code() == ErrorCode::store_failed &&
                              text.find(folder.string()) != std::string::npos &&
                              text.find("free space") != std::string::npos;
            const bool intact = store.samples("aaaaaaaa").size() == sample.position - 1 &&
                                !store.raw_files("aaaaaaaa", sample.position);
            return (told ? 0 : 1) + (intact ? 0 : 2);
        }
    }
    return 4;
}

TEST_F(StoreProcesses, SayThatTheDiskIsFullAndKeepWhatWasStored) {
    constexpr int kNotPermitted = 77;
    ChildProcess child{[&] {
        // In a mount namespace of the child's own: gone with it, seen by nobody else.
        const char* folder = folder_.path().c_str();
        if (::unshare(CLONE_NEWNS) != 0 ||
            ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            ::mount("tmpfs", folder, "tmpfs", 0, "size=1m") != 0) {
            return kNotPermitted;
        }
        return fill_small_file_system(folder_.path());
    }};

    const int status = child.wait();

    if (status == kNotPermitted) GTEST_SKIP() << "may not mount a small file system here";
    EXPECT_EQ(status, 0) << "1: wrong error, 2: lost or half-stored data, 4: never full";
}

}  // namespace
}  // namespace poolwise::test
