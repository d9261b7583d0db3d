// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/engine/private_folder.hpp"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include <sys/stat.h>

#include <signal.h>
#include <unistd.h>

#include "module/core/error.hpp"

namespace poolwise::guest_runner {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "poolwise-engine-";
constexpr std::string_view kRandom = "XXXXXX";

/// Of "poolwise-engine-<pid>-XXXXXX"; 0 if that is not what `name` looks like.
pid_t owner_of(std::string_view name) {
    if (!name.starts_with(kPrefix)) return 0;
    name.remove_prefix(kPrefix.size());
    pid_t pid = 0;
    const auto [end, failed] = std::from_chars(name.data(), name.data() + name.size(), pid);
    const std::string_view rest{end, static_cast<std::size_t>(name.data() + name.size() - end)};
    const bool ours = failed == std::errc{} && pid > 0 && rest.starts_with('-') &&
                      rest.size() == 1 + kRandom.size();
    return ours ? pid : 0;
}

bool was_left_behind(const fs::path& path) {
    const pid_t owner = owner_of(path.filename().string());
    struct stat status {};
    if (owner == 0 || ::lstat(path.c_str(), &status) != 0) return false;
    return S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() && ::kill(owner, 0) != 0 &&
           errno == ESRCH;
}

/// What cannot be removed is left for another time: the job at hand does not need it gone.
void remove_left_behind(const fs::path& parent) {
    std::error_code failed;
    std::vector<fs::path> left;
    for (fs::directory_iterator at{parent, failed}, end; !failed && at != end;
         at.increment(failed)) {
        if (was_left_behind(at->path())) left.push_back(at->path());
    }
    for (const fs::path& path : left) fs::remove_all(path, failed);
}

}  // namespace

PrivateFolder::PrivateFolder(const std::string& parent)
    : path_{parent + "/" + std::string{kPrefix} + std::to_string(::getpid()) + "-" +
            std::string{kRandom}} {
    remove_left_behind(parent);
    if (::mkdtemp(path_.data()) == nullptr) {
        throw Error{ErrorCode::unavailable,
                    "make a folder in '" + parent + "': " + std::strerror(errno)};
    }
}

PrivateFolder::~PrivateFolder() {
    std::error_code ignored;  // it lies in memory and goes with it
    fs::remove_all(path_, ignored);
}

}  // namespace poolwise::guest_runner
