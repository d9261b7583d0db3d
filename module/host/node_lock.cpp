// SPDX-License-Identifier: Apache-2.0
#include "module/host/node_lock.hpp"

#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include <sys/file.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <unistd.h>

#include "module/core/error.hpp"

namespace poolwise {
namespace {

class FileLock : public NodeLock {
public:
    explicit FileLock(int file) : file_{file} {}
    ~FileLock() override { close(file_); }

    [[nodiscard]] int file() const { return file_; }

private:
    int file_;
};

Error lock_error(ErrorCode code, const std::filesystem::path& path, const std::string& reason) {
    return Error{code, "take the node's lock '" + path.string() + "': " + reason};
}

Error system_error(const std::filesystem::path& path) {
    return lock_error(ErrorCode::unavailable, path, std::generic_category().message(errno));
}

/// The folder is writable by everybody: no following of symlinks, and no O_CREAT on a file that
/// exists (fs.protected_regular refuses that for files of others).
int open_lock_file(const std::filesystem::path& path) {
    constexpr int kFlags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    while (true) {
        const int existing = open(path.c_str(), kFlags);
        if (existing >= 0 || errno != ENOENT) return existing;
        // Any user may have to take the lock after this one.
        const int created = open(path.c_str(), kFlags | O_CREAT | O_EXCL, 0666);
        if (created >= 0) {
            static_cast<void>(fchmod(created, 0666));
            return created;
        }
        if (errno != EEXIST) return created;
    }
}

/// Anybody could have written it: short, and printable only.
std::string read_holder(int file) {
    std::array<char, 200> buffer{};
    const ssize_t size = pread(file, buffer.data(), buffer.size(), 0);
    std::string holder;
    for (const char c : std::string_view{buffer.data(), size > 0 ? static_cast<size_t>(size) : 0}) {
        if (c == '\n') break;
        holder.push_back(c >= ' ' && c <= '~' ? c : '?');
    }
    return holder.empty() ? "an unnamed holder" : holder;
}

void write_holder(int file, const std::filesystem::path& path, const std::string& holder) {
    const std::string line = holder + '\n';
    if (ftruncate(file, 0) != 0 || pwrite(file, line.data(), line.size(), 0) < 0) {
        throw system_error(path);
    }
}

}  // namespace

std::unique_ptr<NodeLock> lock_node(const std::filesystem::path& path, const std::string& holder) {
    const int file = open_lock_file(path);
    if (file < 0) throw system_error(path);
    auto lock = std::make_unique<FileLock>(file);
    struct stat status {};
    if (fstat(file, &status) != 0) throw system_error(path);
    if (!S_ISREG(status.st_mode) || status.st_nlink != 1) {
        throw lock_error(ErrorCode::unavailable, path, "it is not a plain file; remove it");
    }
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) throw system_error(path);
        throw lock_error(ErrorCode::conflict, path,
                         "this node is being measured by '" + read_holder(file) +
                             "'; wait for its end or cancel it");
    }
    write_holder(file, path, holder);
    return lock;
}

}  // namespace poolwise
