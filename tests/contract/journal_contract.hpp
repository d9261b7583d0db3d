// SPDX-License-Identifier: Apache-2.0
// What every Journal must do. Include it in a test, and instantiate JournalContract with a function
// that makes an empty journal.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "module/ports/journal.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::test {

using MakeJournal = std::function<std::shared_ptr<Journal>()>;

class JournalContract : public testing::TestWithParam<MakeJournal> {
protected:
    static JournalEntry volume(const std::string& run_id, const std::string& name) {
        return {.run_id = run_id, .kind = ObjectKind::volume, .name = name, .place = "fast"};
    }

    static std::vector<std::string> names(const std::vector<JournalEntry>& entries) {
        std::vector<std::string> found;
        for (const JournalEntry& entry : entries) found.push_back(entry.name);
        return found;
    }

    std::shared_ptr<Journal> journal_ = GetParam()();
};

TEST_P(JournalContract, BeginsWithNoEntries) {
    EXPECT_TRUE(journal_->open_entries().empty());
    EXPECT_TRUE(journal_->entries("aaaaaaaa").empty());
}

TEST_P(JournalContract, KeepsWhatIsIntended) {
    const std::int64_t id = journal_->intend({.id = 77,
                                              .run_id = "aaaaaaaa",
                                              .kind = ObjectKind::carrier,
                                              .name = "c'1",
                                              .place = "slow",
                                              .state = ObjectState::gone});

    const std::vector<JournalEntry> open = journal_->open_entries();

    ASSERT_EQ(open.size(), 1U);
    EXPECT_EQ(open[0].id, id);
    EXPECT_EQ(open[0].run_id, "aaaaaaaa");
    EXPECT_EQ(open[0].kind, ObjectKind::carrier);
    EXPECT_EQ(open[0].name, "c'1");
    EXPECT_EQ(open[0].place, "slow");
    EXPECT_EQ(open[0].state, ObjectState::intended);
}

TEST_P(JournalContract, KeepsEveryKind) {
    for (const auto& [kind, name] : kObjectKindNames) {
        journal_->intend({.run_id = "aaaaaaaa", .kind = kind, .name = std::string{name}});
    }

    const std::vector<JournalEntry> entries = journal_->entries("aaaaaaaa");

    ASSERT_EQ(entries.size(), kObjectKindNames.size());
    for (const JournalEntry& entry : entries) {
        EXPECT_EQ(enum_name(kObjectKindNames, entry.kind), entry.name);
    }
}

TEST_P(JournalContract, ShowsWhatIsNotGoneOldestFirst) {
    const std::int64_t first = journal_->intend(volume("aaaaaaaa", "first"));
    journal_->intend(volume("bbbbbbbb", "second"));
    const std::int64_t third = journal_->intend(volume("aaaaaaaa", "third"));
    journal_->settle(first, ObjectState::gone);
    journal_->settle(third, ObjectState::created);

    EXPECT_THAT(names(journal_->open_entries()), testing::ElementsAre("second", "third"));
    EXPECT_EQ(journal_->open_entries()[1].state, ObjectState::created);
}

TEST_P(JournalContract, ShowsAllOfARunTheGoneToo) {
    const std::int64_t first = journal_->intend(volume("aaaaaaaa", "first"));
    journal_->intend(volume("bbbbbbbb", "second"));
    journal_->intend(volume("aaaaaaaa", "third"));
    journal_->settle(first, ObjectState::created);
    journal_->settle(first, ObjectState::gone);

    const std::vector<JournalEntry> entries = journal_->entries("aaaaaaaa");

    EXPECT_THAT(names(entries), testing::ElementsAre("first", "third"));
    EXPECT_EQ(entries[0].state, ObjectState::gone);
}

TEST_P(JournalContract, TakesTheSameNameTwice) {
    const std::int64_t first = journal_->intend(volume("aaaaaaaa", "same"));
    const std::int64_t second = journal_->intend(volume("aaaaaaaa", "same"));
    journal_->settle(first, ObjectState::gone);

    ASSERT_EQ(journal_->open_entries().size(), 1U);
    EXPECT_EQ(journal_->open_entries()[0].id, second);
}

TEST_P(JournalContract, SettlesNoEntryThatIsNotThere) {
    EXPECT_EQ(code_of([&] { journal_->settle(1, ObjectState::gone); }), ErrorCode::not_found);
    EXPECT_EQ(code_of([&] { journal_->settle(-1, ObjectState::gone); }), ErrorCode::not_found);
}

}  // namespace poolwise::test
