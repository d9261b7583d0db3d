// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/file_digests.hpp"

#include <sstream>

#include <sys/stat.h>

#include <time.h>

#include "guest_runner/image/files.hpp"
#include "guest_runner/image/sha256.hpp"

namespace poolwise::guest_runner {
namespace {

/// The change time is in it because package managers and `cp -p` set the modification time back.
std::string stamp_of(const struct stat& status) {
    std::ostringstream text;
    text << status.st_dev << ':' << status.st_ino << ':' << status.st_size << ':'
         << status.st_mtim.tv_sec << '.' << status.st_mtim.tv_nsec << ':' << status.st_ctim.tv_sec
         << '.' << status.st_ctim.tv_nsec;
    return text.str();
}

/// Kernels stamp files with the time of the last timer tick: a file changed a moment ago may be
/// changed again under the same stamp.
bool is_settled(const struct stat& status) {
    return status.st_ctim.tv_sec + 2 < time(nullptr);
}

}  // namespace

FileDigests::FileDigests(std::filesystem::path index) : index_{std::move(index)} {
    if (!std::filesystem::exists(index_)) return;
    std::istringstream lines{read_file(index_)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields{line};
        Entry entry;
        std::string path;
        fields >> entry.digest >> entry.stamp;
        fields.get();
        if (std::getline(fields, path) && entry.digest.size() == 64) known_[path] = entry;
    }
}

std::string FileDigests::digest_of(const std::filesystem::path& file) {
    struct stat status {};
    if (stat(file.c_str(), &status) != 0) throw file_error("read", file);
    const std::string stamp = stamp_of(status);
    if (const auto known = known_.find(file.string());
        known != known_.end() && known->second.stamp == stamp) {
        used_[file.string()] = known->second;
        return known->second.digest;
    }
    Sha256 hash;
    read_pieces(file, [&hash](std::string_view piece) { hash.update(piece); });
    std::string digest = hash.finish();
    if (is_settled(status)) used_[file.string()] = {stamp, digest};
    return digest;
}

void FileDigests::save() {
    if (used_ == known_) return;
    std::string text;
    for (const auto& [path, entry] : used_) {
        text += entry.digest + ' ' + entry.stamp + ' ' + path + '\n';
    }
    replace_file(index_, text, 0644);
    known_ = used_;
}

}  // namespace poolwise::guest_runner
