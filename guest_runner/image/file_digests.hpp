// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace poolwise::guest_runner {

/// SHA-256 of files, remembered in an index file, so that an unchanged file is read only once.
///
/// "Unchanged" means the same device, inode, size and times. Losing the index costs time, never
/// correctness; several processes may use it at once.
class FileDigests {
public:
    /// An index that is absent or damaged is an empty one.
    explicit FileDigests(std::filesystem::path index);

    /// @throws Error{unavailable} the file cannot be read.
    [[nodiscard]] std::string digest_of(const std::filesystem::path& file);

    /// Writes the index if it has changed: only the files asked for since construction.
    /// @throws Error{unavailable} it cannot be written.
    void save();

private:
    struct Entry {
        std::string stamp;
        std::string digest;

        friend bool operator==(const Entry&, const Entry&) = default;
    };
    std::filesystem::path index_;
    std::map<std::string, Entry> known_;
    std::map<std::string, Entry> used_;
};

}  // namespace poolwise::guest_runner
