// SPDX-License-Identifier: Apache-2.0
#include "module/host/direct_io_probe.hpp"

#include <array>
#include <cstddef>
#include <string>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

namespace poolwise {

bool direct_io_works(const std::filesystem::path& folder) {
    std::string name = (folder / ".poolwise-probe-XXXXXX").string();
    const int file = mkostemp(name.data(), O_CLOEXEC);
    if (file < 0) return false;
    // A second opening, because mkostemp() cleans up only after itself: where O_DIRECT is refused,
    // open() may have made the file all the same.
    const int direct = open(name.c_str(), O_WRONLY | O_DIRECT | O_CLOEXEC);
    unlink(name.c_str());
    close(file);
    if (direct < 0) return false;
    constexpr std::size_t kSize = 4096;  // the largest logical block of today's disks
    alignas(kSize) std::array<std::byte, kSize> block{};
    const ssize_t written = write(direct, block.data(), block.size());
    close(direct);
    return written == static_cast<ssize_t>(kSize);
}

}  // namespace poolwise
