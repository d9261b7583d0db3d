// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/files.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

namespace poolwise::guest_runner {
namespace {

class Descriptor {
public:
    explicit Descriptor(int number) : number_{number} {}
    ~Descriptor() {
        if (number_ >= 0) close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    [[nodiscard]] int get() const { return number_; }

private:
    int number_;
};

/// Removes a file unless it is kept.
class DraftFile {
public:
    explicit DraftFile(std::string path) : path_{std::move(path)} {}
    ~DraftFile() {
        if (!path_.empty()) unlink(path_.c_str());
    }
    DraftFile(const DraftFile&) = delete;
    DraftFile& operator=(const DraftFile&) = delete;

    void keep() { path_.clear(); }

private:
    std::string path_;
};

void write_to(int descriptor, std::string_view content, mode_t mode,
              const std::filesystem::path& path) {
    while (!content.empty()) {
        const ssize_t written = write(descriptor, content.data(), content.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) throw file_error("write", path);
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    if (fchmod(descriptor, mode) != 0) throw file_error("set the mode of", path);
}

}  // namespace

Error file_error(std::string_view doing, const std::filesystem::path& path) {
    const std::string reason = std::generic_category().message(errno);
    return Error{ErrorCode::unavailable,
                 std::string{doing} + " '" + path.string() + "': " + reason};
}

void read_pieces(const std::filesystem::path& path,
                 const std::function<void(std::string_view)>& consume) {
    const Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (file.get() < 0) throw file_error("read", path);
    std::vector<char> buffer(std::size_t{256} * 1024);
    while (true) {
        const ssize_t size = read(file.get(), buffer.data(), buffer.size());
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) throw file_error("read", path);
        if (size == 0) return;
        consume({buffer.data(), static_cast<std::size_t>(size)});
    }
}

std::string read_file(const std::filesystem::path& path) {
    std::string content;
    read_pieces(path, [&content](std::string_view piece) { content += piece; });
    return content;
}

void write_file(const std::filesystem::path& path, std::string_view content, mode_t mode) {
    const Descriptor file{open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)};
    if (file.get() < 0) throw file_error("create", path);
    write_to(file.get(), content, mode, path);
}

void replace_file(const std::filesystem::path& path, std::string_view content, mode_t mode) {
    std::string name = path.string() + ".XXXXXX";
    const Descriptor file{mkostemp(name.data(), O_CLOEXEC)};
    if (file.get() < 0) throw file_error("create a draft of", path);
    DraftFile draft{name};
    write_to(file.get(), content, mode, path);
    if (rename(name.c_str(), path.c_str()) != 0) throw file_error("replace", path);
    draft.keep();
}

}  // namespace poolwise::guest_runner
