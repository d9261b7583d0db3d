// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "module/core/enum_text.hpp"
#include "module/ports/port.hpp"

namespace poolwise {

enum class ObjectKind { pool, volume, guest, carrier };
inline constexpr EnumNames<ObjectKind, 4> kObjectKindNames{{{ObjectKind::pool, "pool"},
                                                            {ObjectKind::volume, "volume"},
                                                            {ObjectKind::guest, "guest"},
                                                            {ObjectKind::carrier, "carrier"}}};

/// intended: about to be created, or of unknown outcome. created: it exists. gone: it was removed,
/// or never came to be.
enum class ObjectState { intended, created, gone };
inline constexpr EnumNames<ObjectState, 3> kObjectStateNames{{{ObjectState::intended, "intended"},
                                                              {ObjectState::created, "created"},
                                                              {ObjectState::gone, "gone"}}};

struct JournalEntry {
    std::int64_t id = 0;  ///< given by intend()
    std::string run_id;
    ObjectKind kind = ObjectKind::volume;
    std::string name;
    std::string place;  ///< volume: its pool; pool: its directory; carrier: its volume
    ObjectState state = ObjectState::intended;
};

/// Everything we create, written down durably before it is created. Implemented by
/// store::SqliteStore and tests/fakes; safe from several threads.
class Journal : public Port {
public:
    /// Returns when the intent is on disk.
    /// @return the entry's id.
    virtual std::int64_t intend(const JournalEntry& entry) = 0;
    virtual void settle(std::int64_t id, ObjectState state) = 0;

    /// Entries that are not gone, oldest first.
    virtual std::vector<JournalEntry> open_entries() = 0;
    /// All entries of a run, oldest first.
    virtual std::vector<JournalEntry> entries(const std::string& run_id) = 0;
};

}  // namespace poolwise
