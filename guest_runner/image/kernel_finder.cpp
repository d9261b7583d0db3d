// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/kernel_finder.hpp"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "module/core/error.hpp"

namespace poolwise::guest_runner {
namespace {

constexpr std::string_view kImagePrefix = "vmlinuz-";

// Newest first.
std::vector<std::string> releases(const std::filesystem::path& boot_dir) {
    std::vector<std::string> result;
    std::error_code absent;  // no folder, no kernel: the caller's sentence covers it
    for (const auto& entry : std::filesystem::directory_iterator{boot_dir, absent}) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(kImagePrefix)) result.push_back(name.substr(kImagePrefix.size()));
    }
    std::sort(result.begin(), result.end(), [](const std::string& a, const std::string& b) {
        return strverscmp(a.c_str(), b.c_str()) > 0;
    });
    return result;
}

bool is_readable(const std::filesystem::path& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file >= 0) close(file);
    return file >= 0;
}

}  // namespace

InstalledKernel find_newest_kernel(const std::filesystem::path& boot_dir,
                                   const std::filesystem::path& modules_dir) {
    std::string looked_at;
    for (const std::string& release : releases(boot_dir)) {
        InstalledKernel kernel{release, boot_dir / (std::string{kImagePrefix} + release),
                               modules_dir / release};
        std::string problem;
        if (!is_readable(kernel.modules / "modules.dep")) {
            problem = "has no modules in '" + kernel.modules.string() + "'";
        } else if (!is_readable(kernel.image)) {
            problem = "is not readable (chmod 0644 makes it so)";
        } else {
            return kernel;
        }
        looked_at += "; '" + kernel.image.string() + "' " + problem;
    }
    if (looked_at.empty()) looked_at = "; there is no '" + std::string{kImagePrefix} + "*'";
    throw Error{ErrorCode::unavailable,
                "find a kernel for the guest in '" + boot_dir.string() + "': none is usable" +
                    looked_at + "; install one with: apt install linux-image-cloud-amd64"};
}

}  // namespace poolwise::guest_runner
