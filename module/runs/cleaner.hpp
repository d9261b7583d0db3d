// SPDX-License-Identifier: Apache-2.0
// Removes what runs created, as the journal says, and nothing else.
#pragma once

#include <string>
#include <vector>

#include "module/ports/guest_host.hpp"
#include "module/ports/journal.hpp"
#include "module/ports/storage.hpp"

namespace poolwise {

/// Works off open journal entries, newest first. An object is removed only if the journal names it,
/// its name is one that this run makes, and, for domains, it carries our metadata.
class Cleaner {
public:
    Cleaner(Storage& storage, GuestHost& guests, Journal& journal)
        : storage_{storage}, guests_{guests}, journal_{journal} {}

    /// Removes everything that is left of a run. One failure does not stop the others.
    /// @return what could not be removed, and why; empty = nothing is left.
    [[nodiscard]] std::vector<std::string> clean_run(const std::string& run_id);

    /// What clean_run() would remove, in words, in that order.
    [[nodiscard]] std::vector<std::string> open_objects(const std::string& run_id);

private:
    [[nodiscard]] std::vector<JournalEntry> open_newest_first(const std::string& run_id);
    void remove(const JournalEntry& entry);
    void remove_volume(const JournalEntry& entry);

    Storage& storage_;
    GuestHost& guests_;
    Journal& journal_;
};

/// "volume 'poolwise-abcdefgh-01.raw' in pool 'default'".
[[nodiscard]] std::string describe(const JournalEntry& entry);

}  // namespace poolwise
