// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/module_closure.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "guest_runner/image/files.hpp"
#include "guest_runner/image/run_program.hpp"

namespace poolwise::guest_runner {
namespace {

std::string canonical_name(std::string name) {
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

/// depmod's files of one kernel.
class ModuleIndex {
public:
    explicit ModuleIndex(const std::filesystem::path& folder) : folder_{folder} {
        read_dependencies();
        read_builtins();
        read_soft_dependencies();
    }

    [[nodiscard]] bool is_file(const std::string& name) const { return files_.contains(name); }
    [[nodiscard]] bool is_builtin(const std::string& name) const {
        return builtins_.contains(name);
    }

    /// Adds a module after everything that must be loaded before it.
    void collect(const std::string& name, std::vector<std::filesystem::path>& order) {
        const auto file = files_.find(name);
        if (file == files_.end() || !visited_.insert(name).second) return;
        for (const std::string& before : soft_before_[name]) collect(before, order);
        for (const std::string& needed : needs_[name]) collect(needed, order);
        order.push_back(file->second);
        for (const std::string& after : soft_after_[name]) collect(after, order);
    }

private:
    // "path/a.ko: path/b.ko path/c.ko": c must be loaded first.
    void read_dependencies() {
        std::istringstream lines{read_file(folder_ / "modules.dep")};
        for (std::string line; std::getline(lines, line);) {
            const std::size_t colon = line.find(':');
            if (colon == std::string::npos) continue;
            const std::filesystem::path file = line.substr(0, colon);
            std::vector<std::string>& needed = needs_[module_name(file)];
            std::istringstream rest{line.substr(colon + 1)};
            for (std::string other; rest >> other;) needed.push_back(module_name(other));
            std::reverse(needed.begin(), needed.end());
            files_[module_name(file)] = folder_ / file;
        }
    }

    void read_builtins() {
        if (!std::filesystem::exists(folder_ / "modules.builtin")) return;
        std::istringstream lines{read_file(folder_ / "modules.builtin")};
        for (std::string line; std::getline(lines, line);) builtins_.insert(module_name(line));
    }

    // "softdep NAME pre: a b post: c". Words that name no module (aliases) find nothing later.
    void read_soft_dependencies() {
        if (!std::filesystem::exists(folder_ / "modules.softdep")) return;
        std::istringstream lines{read_file(folder_ / "modules.softdep")};
        for (std::string line; std::getline(lines, line);) {
            std::istringstream words{line};
            std::string word;
            std::string name;
            if (!(words >> word) || word != "softdep" || !(words >> name)) continue;
            name = canonical_name(name);
            auto* side = &soft_before_[name];
            while (words >> word) {
                if (word == "pre:") {
                    side = &soft_before_[name];
                } else if (word == "post:") {
                    side = &soft_after_[name];
                } else {
                    side->push_back(canonical_name(word));
                }
            }
        }
    }

    std::filesystem::path folder_;
    std::map<std::string, std::filesystem::path> files_;
    std::map<std::string, std::vector<std::string>> needs_;
    std::map<std::string, std::vector<std::string>> soft_before_;
    std::map<std::string, std::vector<std::string>> soft_after_;
    std::set<std::string> builtins_;
    std::set<std::string> visited_;
};

std::string unpack(const std::filesystem::path& file, const std::string& tool) {
    const auto program = find_program(tool);
    if (!program) {
        throw Error{ErrorCode::unavailable, "unpack the kernel module '" + file.string() +
                                                "': there is no program '" + tool +
                                                "'; install the package of that name"};
    }
    return output_of({.program = *program, .arguments = {"-dc", file.string()}, .environment = {}});
}

}  // namespace

std::string module_name(const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    return canonical_name(name.substr(0, name.find(".ko")));
}

std::vector<std::filesystem::path> module_closure(const std::filesystem::path& modules_dir,
                                                  const std::vector<WantedModule>& wanted) {
    ModuleIndex index{modules_dir};
    std::vector<std::filesystem::path> order;
    for (const WantedModule& module : wanted) {
        const std::string name = canonical_name(module.name);
        if (index.is_file(name)) {
            index.collect(name, order);
        } else if (module.required && !index.is_builtin(name)) {
            throw Error{ErrorCode::unavailable,
                        "collect the guest's kernel modules in '" + modules_dir.string() + "': '" +
                            module.name +
                            "' is neither a module nor built in; install a kernel that has it: "
                            "apt install linux-image-cloud-amd64"};
        }
    }
    return order;
}

std::string read_module(const std::filesystem::path& file) {
    const std::string extension = file.extension().string();
    if (extension == ".xz") return unpack(file, "xz");
    if (extension == ".zst") return unpack(file, "zstd");
    if (extension == ".gz") return unpack(file, "gzip");
    return read_file(file);
}

}  // namespace poolwise::guest_runner
