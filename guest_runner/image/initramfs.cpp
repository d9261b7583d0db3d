// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/initramfs.hpp"

#include "guest_runner/image/cpio_writer.hpp"
#include "guest_runner/image/file_tree.hpp"
#include "guest_runner/image/files.hpp"
#include "guest_runner/image/module_closure.hpp"

namespace poolwise::guest_runner {
namespace {

/// "ext4.ko.xz" -> "ext4.ko": modules are unpacked here, the guest has no tools for it.
std::string unpacked_name(const std::filesystem::path& module) {
    const std::string name = module.filename().string();
    return name.substr(0, name.find(".ko")) + ".ko";
}

FileTree plan(const std::filesystem::path& engine, const ElfClosure& engine_needs,
              const std::vector<std::filesystem::path>& modules) {
    FileTree tree;
    for (const char* folder : {"proc", "sys", "dev", "run", "tmp", "tools", kInitramfsModules}) {
        tree.add_directory(folder);
    }
    tree.add_program("init", engine, engine_needs);
    std::string list;
    for (const std::filesystem::path& module : modules) {
        const std::string name = unpacked_name(module);
        tree.add_content(std::filesystem::path{kInitramfsModules} / name, read_module(module),
                         0644);
        list += name + '\n';
    }
    tree.add_content(kInitramfsModuleList, list, 0644);
    return tree;
}

}  // namespace

std::string build_initramfs(const std::filesystem::path& engine, const ElfClosure& engine_needs,
                            const std::vector<std::filesystem::path>& modules) {
    const FileTree tree = plan(engine, engine_needs, modules);
    CpioWriter archive;
    for (const auto& [path, node] : tree.nodes()) {
        if (node.is_directory) {
            archive.add_directory(path, node.permissions);
        } else if (node.source.empty()) {
            archive.add_file(path, node.content, node.permissions);
        } else {
            archive.add_file(path, read_file(node.source), node.permissions);
        }
    }
    // The kernel opens it before /init runs; without it the engine starts with no standard output.
    archive.add_character_device("dev/console", 0600, 5, 1);
    return archive.finish();
}

}  // namespace poolwise::guest_runner
