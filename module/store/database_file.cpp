// SPDX-License-Identifier: Apache-2.0
#include "module/store/database_file.hpp"

#include <cerrno>
#include <string>
#include <system_error>

#include <sys/stat.h>

#include <fcntl.h>
#include <unistd.h>

#include "module/core/error.hpp"

namespace poolwise {
namespace {

[[noreturn]] void fail(const char* what, const std::filesystem::path& path, int error) {
    throw Error{ErrorCode::store_failed, std::string{what} + " '" + path.string() +
                                             "': " + std::generic_category().message(error) +
                                             ": give a path for the store that can be written"};
}

class Descriptor {
public:
    explicit Descriptor(int number) : number_{number} {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const noexcept { return number_; }

private:
    int number_;
};

void ensure_directory(const std::filesystem::path& directory) {
    struct stat status {};
    if (directory.empty() || ::stat(directory.c_str(), &status) == 0) return;
    ensure_directory(directory.parent_path());
    if (::mkdir(directory.c_str(), 0711) == 0) {
        // mkdir() obeys the umask, which may have taken the search bits away.
        if (::chmod(directory.c_str(), 0711) != 0) fail("set mode of directory", directory, errno);
    } else if (errno != EEXIST) {
        fail("make directory", directory, errno);
    }
}

/// Without this, a power cut may forget a file whose content is safe on disk.
void sync_directory(const std::filesystem::path& directory) {
    const Descriptor opened{
        ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (opened.get() < 0 || ::fsync(opened.get()) != 0) fail("sync directory", directory, errno);
}

}  // namespace

void ensure_database_file(const std::filesystem::path& file) {
    ensure_directory(file.parent_path());
    const Descriptor created{
        ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)};
    if (created.get() >= 0) {
        sync_directory(file.parent_path());
    } else if (errno != EEXIST) {
        fail("create store", file, errno);
    }
}

}  // namespace poolwise
