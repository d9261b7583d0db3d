// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/file_tree.hpp"

#include <utility>

namespace poolwise::guest_runner {

void FileTree::add_directory(const std::filesystem::path& path) {
    add_parents(path);
    nodes_[path.string()] = {
        .permissions = 0755, .is_directory = true, .source = {}, .content = {}};
}

void FileTree::add_copy(const std::filesystem::path& path, const std::filesystem::path& source,
                        unsigned permissions) {
    add_parents(path);
    nodes_[path.string()] = {.permissions = permissions, .source = source, .content = {}};
}

void FileTree::add_content(const std::filesystem::path& path, std::string content,
                           unsigned permissions) {
    add_parents(path);
    nodes_[path.string()] = {
        .permissions = permissions, .source = {}, .content = std::move(content)};
}

void FileTree::add_program(const std::filesystem::path& path, const std::filesystem::path& program,
                           const ElfClosure& needs) {
    add_copy(path, program, 0755);
    if (needs.loader) add_copy(needs.loader->relative_path(), *needs.loader, 0755);
    for (const SharedLibrary& library : needs.libraries) {
        add_copy(std::filesystem::path{"lib"} / library.name, library.file, 0644);
    }
}

void FileTree::add_parents(const std::filesystem::path& path) {
    const std::filesystem::path parent = path.parent_path();
    if (!parent.empty() && !nodes_.contains(parent.string())) add_directory(parent);
}

}  // namespace poolwise::guest_runner
