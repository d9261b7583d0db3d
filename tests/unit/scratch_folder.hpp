// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include <stdlib.h>

namespace poolwise::test {

/// A folder of the test's own, open to others for reading, gone at the end.
class ScratchFolder {
public:
    explicit ScratchFolder(const std::filesystem::path& parent = "/tmp") {
        std::string name = (parent / "poolwise-test-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error{"no scratch folder " + name};
        path_ = name;
        std::filesystem::permissions(path_, std::filesystem::perms{0755});
    }
    ~ScratchFolder() {
        std::error_code failed;
        std::filesystem::remove_all(path_, failed);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    /// Writes a file in it, with the folders on the way, and returns its path.
    std::filesystem::path put(const std::filesystem::path& name, std::string_view content) const {
        const std::filesystem::path file = path_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream stream{file, std::ios::binary};
        stream << content;
        return file;
    }

    /// Makes a folder in it and returns its path.
    std::filesystem::path subfolder(const std::filesystem::path& name) const {
        std::filesystem::create_directories(path_ / name);
        return path_ / name;
    }

    /// Makes a symlink in it; `target` is relative to the folder.
    void link(const std::filesystem::path& name, const std::filesystem::path& target) const {
        const std::filesystem::path place = path_ / name;
        std::filesystem::create_directories(place.parent_path());
        std::filesystem::create_symlink(path_ / target, place);
    }

private:
    std::filesystem::path path_;
};

}  // namespace poolwise::test
