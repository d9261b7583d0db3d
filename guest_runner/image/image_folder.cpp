// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/image_folder.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "guest_runner/image/files.hpp"

namespace poolwise::guest_runner {
namespace {

constexpr mode_t kSearchable = 0711;
constexpr std::size_t kKeptImages = 2;
constexpr std::size_t kHashLength = 64;
constexpr std::string_view kDraftPrefix = ".draft-";
constexpr std::array kImageFiles{kKernelFile, kInitramfsFile, kToolsDiskFile, kFioVersionFile};

bool is_searchable_by_others(const std::filesystem::path& folder) {
    struct stat status {};
    if (stat(folder.c_str(), &status) != 0) throw file_error("look at", folder);
    return (status.st_mode & S_IXOTH) != 0;
}

void flush(const std::filesystem::path& path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) throw file_error("open", path);
    const int failed = fsync(descriptor);
    close(descriptor);
    if (failed != 0) throw file_error("write", path);
}

bool is_image_name(const std::string& name) {
    return name.size() == kHashLength &&
           name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

void make_state_dir(const std::filesystem::path& state_dir) {
    std::filesystem::path made;
    for (const std::filesystem::path& part : std::filesystem::absolute(state_dir)) {
        made /= part;
        if (mkdir(made.c_str(), kSearchable) == 0) {
            if (chmod(made.c_str(), kSearchable) != 0) throw file_error("set the mode of", made);
        } else if (errno != EEXIST) {
            throw file_error("make the folder", made);
        }
        if (!is_searchable_by_others(made)) {
            throw Error{ErrorCode::unavailable,
                        "keep guest images in '" + state_dir.string() + "': the folder '" +
                            made.string() +
                            "' is closed to the user that QEMU runs as; open it with chmod o+x, "
                            "or choose another place"};
        }
    }
}

std::filesystem::path make_draft(const std::filesystem::path& state_dir) {
    std::string draft = (state_dir / kDraftPrefix).string() + "XXXXXX";
    if (mkdtemp(draft.data()) == nullptr) throw file_error("make a folder in", state_dir);
    if (chmod(draft.c_str(), kSearchable) != 0) throw file_error("set the mode of", draft);
    return draft;
}

bool is_complete(const std::filesystem::path& image) {
    return std::all_of(kImageFiles.begin(), kImageFiles.end(), [&image](const char* name) {
        std::error_code absent;
        const auto size = std::filesystem::file_size(image / name, absent);
        return !absent && size > 0;
    });
}

void publish(const std::filesystem::path& draft, const std::filesystem::path& image) {
    for (const char* name : kImageFiles) flush(draft / name);
    flush(draft);
    if (!is_complete(image)) std::filesystem::remove_all(image);
    if (rename(draft.c_str(), image.c_str()) == 0) return;
    if (!is_complete(image)) throw file_error("put the guest image in", image);
    std::filesystem::remove_all(draft);
}

void mark_used(const std::filesystem::path& image) {
    // Another user's image cannot be marked; it is as good.
    static_cast<void>(utimensat(AT_FDCWD, image.c_str(), nullptr, 0));
}

void remove_old_images(const std::filesystem::path& state_dir) {
    using Clock = std::filesystem::file_time_type::clock;
    std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> images;
    for (const auto& entry : std::filesystem::directory_iterator{state_dir}) {
        const std::string name = entry.path().filename().string();
        std::error_code gone;  // another process may be cleaning too
        const auto used = entry.last_write_time(gone);
        if (gone) continue;
        if (is_image_name(name)) images.emplace_back(used, entry.path());
        if (name.starts_with(kDraftPrefix) && used < Clock::now() - std::chrono::hours{1}) {
            std::filesystem::remove_all(entry.path(), gone);
        }
    }
    std::sort(images.rbegin(), images.rend());
    for (std::size_t i = kKeptImages; i < images.size(); ++i) {
        std::error_code gone;
        std::filesystem::remove_all(images[i].second, gone);
    }
}

}  // namespace poolwise::guest_runner
