// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include "module/ports/storage.hpp"

namespace poolwise::test {

/// A storage and the surroundings that the contract needs; the destructor removes them.
class StorageSubject {
public:
    StorageSubject() = default;
    StorageSubject(const StorageSubject&) = delete;
    StorageSubject& operator=(const StorageSubject&) = delete;
    virtual ~StorageSubject() = default;

    /// Why this subject cannot be tested here; empty if it can.
    virtual std::string trouble() { return {}; }

    virtual Storage& storage() = 0;
    virtual std::string pool() = 0;            ///< an active pool of type dir
    virtual std::string inactive_pool() = 0;   ///< exists, is not started
    virtual std::string free_directory() = 0;  ///< exists, no pool covers it

    /// False where volumes are entries in a list rather than files: no preallocation, no snapshots.
    virtual bool makes_images() = 0;
};

using MakeStorageSubject = std::function<std::unique_ptr<StorageSubject>()>;

/// Keeps addresses out of the tests' names.
inline void PrintTo(const MakeStorageSubject& /*make*/, std::ostream* out) {
    *out << "subject";
}

}  // namespace poolwise::test
