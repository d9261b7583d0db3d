// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "module/core/error.hpp"
#include "module/ports/journal.hpp"
#include "tests/fakes/planned_failures.hpp"

namespace poolwise::test {

/// A journal in memory; safe from several threads. Ids are 1, 2, 3, ...
class FakeJournal : public Journal {
public:
    /// The next call that no earlier plan is for throws `error` and does nothing.
    void fail_next(Error error) { failures_.add(std::move(error)); }

    std::int64_t intend(const JournalEntry& entry) override {
        const auto guard = enter();
        entries_.push_back(entry);
        entries_.back().id = static_cast<std::int64_t>(entries_.size());
        entries_.back().state = ObjectState::intended;
        return entries_.back().id;
    }

    void settle(std::int64_t id, ObjectState state) override {
        const auto guard = enter();
        if (id < 1 || std::cmp_greater(id, entries_.size())) {
            throw Error{ErrorCode::not_found,
                        "settle journal entry '" + std::to_string(id) + "': no such entry"};
        }
        entries_[static_cast<std::size_t>(id - 1)].state = state;
    }

    std::vector<JournalEntry> open_entries() override {
        return select([](const JournalEntry& entry) { return entry.state != ObjectState::gone; });
    }

    std::vector<JournalEntry> entries(const std::string& run_id) override {
        return select([&](const JournalEntry& entry) { return entry.run_id == run_id; });
    }

private:
    /// The lock, unless this call is planned to fail.
    std::unique_lock<std::mutex> enter() {
        failures_.throw_if_planned();
        return std::unique_lock{mutex_};
    }

    template <typename Predicate>
    std::vector<JournalEntry> select(Predicate wanted) {
        const auto guard = enter();
        std::vector<JournalEntry> found;
        for (const JournalEntry& entry : entries_) {
            if (wanted(entry)) found.push_back(entry);
        }
        return found;
    }

    std::mutex mutex_;
    std::vector<JournalEntry> entries_;
    PlannedFailures failures_;
};

}  // namespace poolwise::test
