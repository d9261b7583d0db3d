// SPDX-License-Identifier: Apache-2.0
#include "module/runs/cleaner.hpp"

#include <algorithm>

#include "module/core/error.hpp"
#include "module/core/names.hpp"

namespace poolwise {

std::string describe(const JournalEntry& entry) {
    std::string text{enum_name(kObjectKindNames, entry.kind)};
    text += " '" + entry.name + "'";
    if (entry.kind == ObjectKind::volume) text += " in pool '" + entry.place + "'";
    if (entry.kind == ObjectKind::pool) text += " on '" + entry.place + "'";
    return text;
}

std::vector<JournalEntry> Cleaner::open_newest_first(const std::string& run_id) {
    std::vector<JournalEntry> entries = journal_.entries(run_id);
    std::erase_if(entries, [](const JournalEntry& e) { return e.state == ObjectState::gone; });
    std::reverse(entries.begin(), entries.end());
    return entries;
}

std::vector<std::string> Cleaner::open_objects(const std::string& run_id) {
    std::vector<std::string> objects;
    for (const JournalEntry& entry : open_newest_first(run_id)) objects.push_back(describe(entry));
    return objects;
}

std::vector<std::string> Cleaner::clean_run(const std::string& run_id) {
    std::vector<std::string> failures;
    for (const JournalEntry& entry : open_newest_first(run_id)) {
        try {
            remove(entry);
            journal_.settle(entry.id, ObjectState::gone);
        } catch (const Error& error) {
            failures.push_back(describe(entry) + ": " + error.what());
        }
    }
    return failures;
}

void Cleaner::remove(const JournalEntry& entry) {
    if (!is_object_of(entry.name, entry.run_id)) {
        throw Error{ErrorCode::refused,
                    "its name is not one of run '" + entry.run_id + "': it is left alone"};
    }
    switch (entry.kind) {
        case ObjectKind::guest:
            guests_.destroy_guest(entry.name);
            return;
        case ObjectKind::carrier:
            storage_.remove_carrier(entry.name);
            return;
        case ObjectKind::volume:
            remove_volume(entry);
            return;
        case ObjectKind::pool:
            storage_.remove_pool(entry.name);
            return;
    }
}

void Cleaner::remove_volume(const JournalEntry& entry) {
    // A transient pool is gone after a restart of the node while its files stay: it is made again,
    // and stopped when its own, older, entry is reached.
    if (!storage_.find_pool(entry.place)) {
        const std::vector<JournalEntry> entries = journal_.entries(entry.run_id);
        const auto pool = std::find_if(entries.begin(), entries.end(), [&](const JournalEntry& e) {
            return e.kind == ObjectKind::pool && e.name == entry.place;
        });
        if (pool != entries.end() && is_object_of(pool->name, entry.run_id)) {
            static_cast<void>(storage_.create_directory_pool(pool->name, pool->place));
        }
    }
    storage_.remove_volume({.pool = entry.place, .name = entry.name});
}

}  // namespace poolwise
