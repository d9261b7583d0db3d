// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "guest_runner/image/elf_closure.hpp"

namespace poolwise::guest_runner {

/// What an image will hold, before it is written: paths without a leading slash, in order, each
/// after its parents.
class FileTree {
public:
    struct Node {
        unsigned permissions = 0;
        bool is_directory = false;
        std::filesystem::path source;  ///< copy of this file; empty: `content`
        std::string content;
    };

    void add_directory(const std::filesystem::path& path);
    void add_copy(const std::filesystem::path& path, const std::filesystem::path& source,
                  unsigned permissions);
    void add_content(const std::filesystem::path& path, std::string content, unsigned permissions);

    /// A program with its loader where it expects it and its libraries in /lib, one of the folders
    /// that a loader without a cache looks into.
    void add_program(const std::filesystem::path& path, const std::filesystem::path& program,
                     const ElfClosure& needs);

    [[nodiscard]] const std::map<std::string, Node>& nodes() const { return nodes_; }

private:
    void add_parents(const std::filesystem::path& path);

    std::map<std::string, Node> nodes_;
};

}  // namespace poolwise::guest_runner
