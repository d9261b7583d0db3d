// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace poolwise::guest_runner {

struct InstalledKernel {
    std::string release;            ///< "6.1.0-18-cloud-amd64"
    std::filesystem::path image;    ///< /boot/vmlinuz-<release>
    std::filesystem::path modules;  ///< /lib/modules/<release>
};

/// The newest installed kernel that can be read and has its modules. The running kernel does not
/// matter: after an upgrade its modules may be gone.
/// @throws Error{unavailable} there is none; says what was looked at and what to install.
[[nodiscard]] InstalledKernel find_newest_kernel(const std::filesystem::path& boot_dir,
                                                 const std::filesystem::path& modules_dir);

}  // namespace poolwise::guest_runner
