// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/tools_disk.hpp"

#include <cstdint>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "guest_runner/image/file_tree.hpp"
#include "guest_runner/image/files.hpp"
#include "guest_runner/image/run_program.hpp"

namespace poolwise::guest_runner {
namespace {

constexpr std::uint64_t kBlockSize = 4096;
constexpr std::uint64_t kInodeSize = 256;
constexpr std::uint64_t kReservedInodes = 11;
constexpr const char* kFileSystemId = "70776f6f-6c77-4973-8000-746f6f6c7300";
constexpr const char* kExtendedOptions =
    "hash_seed=70776f6f-6c77-4973-8000-746f6f6c7301,root_owner=0:0,lazy_itable_init=0,nodiscard";
// The tools print a warning without their configuration, but an administrator's must not matter.
const std::vector<std::string> kEnvironment{"MKE2FS_CONFIG=/dev/null", "E2FSPROGS_FAKE_TIME=1"};

std::filesystem::path tool(const std::string& name) {
    if (const auto program = find_program(name)) return *program;
    throw Error{ErrorCode::unavailable, "build the guest's tools disk: there is no program '" +
                                            name + "'; install it: apt install e2fsprogs"};
}

FileTree plan(const std::filesystem::path& fio, const ElfClosure& fio_needs) {
    FileTree tree;
    for (const char* folder : {"proc", "sys", "dev", "run", "tmp"}) tree.add_directory(folder);
    tree.add_program("usr/bin/fio", fio, fio_needs);
    return tree;
}

std::uint64_t blocks_for(std::uint64_t bytes) {
    return (bytes + kBlockSize - 1) / kBlockSize;
}

std::uint64_t inodes_for(const FileTree& tree) {
    return tree.nodes().size() + kReservedInodes + 1;
}

/// Content, plus one block per node for a directory or an extent tree, plus the metadata: super
/// block, descriptors, bitmaps and lost+found, for each 128 MiB.
std::uint64_t image_blocks(const FileTree& tree) {
    std::uint64_t blocks = blocks_for(inodes_for(tree) * kInodeSize);
    for (const auto& [path, node] : tree.nodes()) {
        if (node.is_directory) {
            ++blocks;
            continue;
        }
        std::error_code failed;
        const std::uint64_t size = std::filesystem::file_size(node.source, failed);
        if (failed) {
            throw Error{ErrorCode::unavailable,
                        "read '" + node.source.string() + "': " + failed.message()};
        }
        blocks += blocks_for(size) + 1;
    }
    return blocks + 32 * (blocks / 32768 + 1);
}

void make_file_system(const FileTree& tree, const std::filesystem::path& image) {
    static_cast<void>(output_of({.program = tool("mke2fs"),
                                 .arguments = {"-q",           "-F",
                                               "-t",           "ext4",
                                               "-b",           std::to_string(kBlockSize),
                                               "-I",           std::to_string(kInodeSize),
                                               "-N",           std::to_string(inodes_for(tree)),
                                               "-m",           "0",
                                               "-O",           "none,extent,filetype,sparse_super",
                                               "-U",           kFileSystemId,
                                               "-E",           kExtendedOptions,
                                               image.string(), std::to_string(image_blocks(tree))},
                                 .environment = kEnvironment}));
}

std::string quoted(const std::string& path) {
    if (path.find_first_of("\"\n") != std::string::npos) {
        throw Error{ErrorCode::unavailable, "build the guest's tools disk: the path '" + path +
                                                "' has a character that debugfs cannot take"};
    }
    return '"' + path + '"';
}

std::string script_for(const FileTree& tree) {
    std::ostringstream script;
    script << "set_current_time @1\n";
    for (const auto& [path, node] : tree.nodes()) {
        if (node.is_directory) {
            script << "mkdir " << quoted(path) << '\n';
            continue;
        }
        script << "write " << quoted(node.source.string()) << ' ' << quoted(path) << '\n'
               << "set_inode_field " << quoted(path) << " mode 0100" << std::oct << node.permissions
               << '\n';
    }
    return script.str();
}

/// debugfs exits with 0 whatever its commands did, and greets on standard error.
void check_messages(const std::string& messages) {
    std::istringstream lines{messages};
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.starts_with("debugfs ")) continue;
        throw Error{ErrorCode::unavailable, "build the guest's tools disk: debugfs says: " + line};
    }
}

void fill(const FileTree& tree, const std::filesystem::path& image) {
    const std::filesystem::path script = image.string() + ".script";
    write_file(script, script_for(tree), 0600);
    const ProgramResult result =
        run_program({.program = tool("debugfs"),
                     .arguments = {"-w", "-f", script.string(), image.string()},
                     .environment = kEnvironment});
    std::filesystem::remove(script);
    check_messages(result.messages);
}

}  // namespace

void build_tools_disk(const std::filesystem::path& fio, const ElfClosure& fio_needs,
                      const std::filesystem::path& image) {
    const FileTree tree = plan(fio, fio_needs);
    write_file(image, "", 0644);
    make_file_system(tree, image);
    fill(tree, image);
}

}  // namespace poolwise::guest_runner
