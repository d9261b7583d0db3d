// SPDX-License-Identifier: Apache-2.0
// What every RunStore must do. Include it in a test, and instantiate RunStoreContract with a
// function that makes an empty store.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "module/ports/run_store.hpp"
#include "tests/unit/module/codec/random_records.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::test {

using MakeRunStore = std::function<std::shared_ptr<RunStore>()>;

class RunStoreContract : public testing::TestWithParam<MakeRunStore> {
protected:
    /// A run with all its parts, of the given age.
    static poolwise::Run run(const std::string& id, std::chrono::seconds created,
                             RunState state = RunState::queued) {
        auto made =
            RandomRecords{std::hash<std::string>{}(id), Filling::complete}.make<poolwise::Run>();
        made.id = id;
        made.state = state;
        made.created = std::chrono::system_clock::time_point{created};
        return made;
    }

    static Sample sample(unsigned position) {
        auto made = RandomRecords{position, Filling::complete}.make<Sample>();
        made.position = position;
        return made;
    }

    std::vector<std::string> listed(std::size_t limit) {
        std::vector<std::string> ids;
        for (const poolwise::Run& found : store_->runs(limit)) ids.push_back(found.id);
        return ids;
    }

    std::shared_ptr<RunStore> store_ = GetParam()();
};

TEST_P(RunStoreContract, GivesBackARunAsItWas) {
    const poolwise::Run stored = run("aaaaaaaa", std::chrono::seconds{1});
    store_->add_run(stored);

    const auto found = store_->find_run("aaaaaaaa");

    ASSERT_TRUE(found);
    EXPECT_TRUE(*found == stored);
}

TEST_P(RunStoreContract, FindsNoRunThatWasNotAdded) {
    EXPECT_FALSE(store_->find_run("aaaaaaaa"));
    EXPECT_TRUE(store_->runs(10).empty());
    EXPECT_TRUE(store_->samples("aaaaaaaa").empty());
    EXPECT_FALSE(store_->raw_files("aaaaaaaa", 1));
}

TEST_P(RunStoreContract, RefusesAnIdThatIsTaken) {
    const poolwise::Run first = run("aaaaaaaa", std::chrono::seconds{1});
    poolwise::Run second = first;
    second.error = "another";
    store_->add_run(first);

    EXPECT_EQ(code_of([&] { store_->add_run(second); }), ErrorCode::conflict);
    EXPECT_TRUE(*store_->find_run("aaaaaaaa") == first);
}

TEST_P(RunStoreContract, ReplacesARunWhereItsStateMayFollow) {
    poolwise::Run changed = run("aaaaaaaa", std::chrono::seconds{1});
    store_->add_run(changed);
    changed.remarks.push_back({"emulated", "no KVM here"});
    store_->update_run(changed);
    changed.state = RunState::preparing;
    changed.finished.reset();
    store_->update_run(changed);

    EXPECT_TRUE(*store_->find_run("aaaaaaaa") == changed);
}

TEST_P(RunStoreContract, ObeysTheTableOfTransitions) {
    unsigned number = 0;
    for (const auto& [from, from_name] : kRunStateNames) {
        for (const auto& [to, to_name] : kRunStateNames) {
            SCOPED_TRACE(std::string{from_name} + " to " + std::string{to_name});
            poolwise::Run changed =
                run("run" + std::to_string(++number), std::chrono::seconds{1}, from);
            store_->add_run(changed);
            changed.state = to;
            if (from == to || may_follow(from, to)) {
                EXPECT_NO_THROW(store_->update_run(changed));
                EXPECT_EQ(store_->find_run(changed.id)->state, to);
            } else {
                EXPECT_EQ(code_of([&] { store_->update_run(changed); }), ErrorCode::conflict);
                EXPECT_EQ(store_->find_run(changed.id)->state, from);
            }
        }
    }
}

TEST_P(RunStoreContract, UpdatesNoRunThatIsNotThere) {
    EXPECT_EQ(code_of([&] { store_->update_run(run("aaaaaaaa", std::chrono::seconds{1})); }),
              ErrorCode::not_found);
    EXPECT_FALSE(store_->find_run("aaaaaaaa"));
}

TEST_P(RunStoreContract, ListsTheNewestFirstUpToTheLimit) {
    store_->add_run(run("middle", std::chrono::seconds{20}));
    store_->add_run(run("oldest", std::chrono::seconds{10}));
    store_->add_run(run("newest", std::chrono::seconds{30}));
    store_->add_run(run("newest-too", std::chrono::seconds{30}));

    EXPECT_THAT(listed(100), testing::ElementsAre("newest-too", "newest", "middle", "oldest"));
    EXPECT_THAT(listed(2), testing::ElementsAre("newest-too", "newest"));
    EXPECT_TRUE(listed(0).empty());
    EXPECT_EQ(listed(std::numeric_limits<std::size_t>::max()).size(), 4U);
}

TEST_P(RunStoreContract, GivesBackSamplesInTheOrderMeasured) {
    store_->add_run(run("aaaaaaaa", std::chrono::seconds{1}));
    store_->add_run(run("bbbbbbbb", std::chrono::seconds{2}));
    store_->add_sample("aaaaaaaa", sample(10), {});
    store_->add_sample("aaaaaaaa", sample(2), {});
    store_->add_sample("bbbbbbbb", sample(2), {});

    const std::vector<Sample> found = store_->samples("aaaaaaaa");

    ASSERT_EQ(found.size(), 2U);
    EXPECT_TRUE(found[0] == sample(2));
    EXPECT_TRUE(found[1] == sample(10));
}

TEST_P(RunStoreContract, KeepsRawFilesByteForByte) {
    const RawFiles raw{"fio: warning\n{\"jobs\": []}\n", std::string{"bytes \xff\0 end", 12}};
    store_->add_run(run("aaaaaaaa", std::chrono::seconds{1}));
    store_->add_sample("aaaaaaaa", sample(1), raw);

    EXPECT_EQ(store_->raw_files("aaaaaaaa", 1), raw);
    EXPECT_FALSE(store_->raw_files("aaaaaaaa", 2));
}

TEST_P(RunStoreContract, RefusesASampleOfAnUnknownRunOrAtATakenPosition) {
    EXPECT_EQ(code_of([&] { store_->add_sample("aaaaaaaa", sample(1), {}); }),
              ErrorCode::not_found);
    store_->add_run(run("aaaaaaaa", std::chrono::seconds{1}));
    store_->add_sample("aaaaaaaa", sample(1), {"first", ""});

    EXPECT_EQ(code_of([&] {
                  store_->add_sample("aaaaaaaa", sample(1), {"second", ""});
              }),
              ErrorCode::conflict);
    EXPECT_EQ(store_->raw_files("aaaaaaaa", 1)->fio_json, "first");
}

TEST_P(RunStoreContract, RemembersTheLastValueOfAKey) {
    EXPECT_FALSE(store_->recall("accelerator"));
    store_->remember("accelerator", "kvm");
    store_->remember("accelerator", "tcg");
    store_->remember("", "");

    EXPECT_EQ(store_->recall("accelerator"), "tcg");
    EXPECT_EQ(store_->recall(""), "");
}

TEST_P(RunStoreContract, HasOneIdForItsLife) {
    const std::string id = store_->store_id();

    EXPECT_FALSE(id.empty());
    EXPECT_EQ(store_->store_id(), id);
}

TEST_P(RunStoreContract, TakesCallsFromSeveralThreads) {
    constexpr unsigned kThreads = 4;
    constexpr unsigned kEach = 10;
    store_->add_run(run("aaaaaaaa", std::chrono::seconds{1}));
    {
        std::vector<std::jthread> threads;
        for (unsigned thread = 0; thread < kThreads; ++thread) {
            threads.emplace_back([this, thread] {
                for (unsigned i = 1; i <= kEach; ++i) {
                    store_->add_sample("aaaaaaaa", sample(thread * kEach + i), {});
                    static_cast<void>(store_->find_run("aaaaaaaa"));
                }
            });
        }
    }
    EXPECT_EQ(store_->samples("aaaaaaaa").size(), kThreads * kEach);
}

}  // namespace poolwise::test
