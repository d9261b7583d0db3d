// SPDX-License-Identifier: Apache-2.0
#include "module/host/mount_table.hpp"

#include <algorithm>
#include <sstream>

namespace poolwise {
namespace {

bool is_octal(char digit) {
    return digit >= '0' && digit <= '7';
}

/// The kernel writes blanks and backslashes in paths as "\040".
std::string unescape(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1]) &&
            is_octal(text[i + 2]) && is_octal(text[i + 3])) {
            result.push_back(static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                                               (text[i + 3] - '0')));
            i += 3;
        } else {
            result.push_back(text[i]);
        }
    }
    return result;
}

/// "rw,relatime" and "rw,discard" -> "rw,relatime,discard".
std::string merge_options(const std::string& of_mount, const std::string& of_file_system) {
    std::vector<std::string> merged;
    for (const std::string& options : {of_mount, of_file_system}) {
        std::istringstream words{options};
        for (std::string word; std::getline(words, word, ',');) {
            if (std::find(merged.begin(), merged.end(), word) == merged.end()) {
                merged.push_back(word);
            }
        }
    }
    std::string text;
    for (const std::string& word : merged) text += (text.empty() ? "" : ",") + word;
    return text;
}

// "36 35 98:0 /root /mount/point rw,noatime master:1 - ext4 /dev/sda1 rw,errors=continue"
std::optional<Mount> parse_line(const std::string& line) {
    std::istringstream words{line};
    std::string skipped;
    std::string mount_point;
    std::string options;
    if (!(words >> skipped >> skipped >> skipped >> skipped >> mount_point >> options)) {
        return std::nullopt;
    }
    while (words >> skipped && skipped != "-") {
    }
    Mount mount;
    std::string super_options;
    if (!(words >> mount.file_system >> mount.source >> super_options)) return std::nullopt;
    mount.mount_point = unescape(mount_point);
    mount.options = unescape(merge_options(options, super_options));
    mount.source = unescape(mount.source);
    return mount;
}

bool is_under(std::string_view path, std::string_view mount_point) {
    if (mount_point == "/") return path.starts_with('/');
    return path.starts_with(mount_point) &&
           (path.size() == mount_point.size() || path[mount_point.size()] == '/');
}

}  // namespace

std::vector<Mount> parse_mounts(std::string_view mountinfo) {
    std::vector<Mount> mounts;
    std::istringstream lines{std::string{mountinfo}};
    for (std::string line; std::getline(lines, line);) {
        if (auto mount = parse_line(line)) mounts.push_back(std::move(*mount));
    }
    return mounts;
}

std::optional<Mount> find_mount(const std::vector<Mount>& mounts, std::string_view path) {
    const Mount* found = nullptr;
    for (const Mount& mount : mounts) {
        if (!is_under(path, mount.mount_point)) continue;
        if (found == nullptr || mount.mount_point.size() >= found->mount_point.size()) {
            found = &mount;
        }
    }
    if (found == nullptr) return std::nullopt;
    return *found;
}

}  // namespace poolwise
