// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace poolwise::guest_runner {

/// A folder of this process's own under `parent`, removed with all that is in it: by the
/// destructor, or, where the process was killed, by the next one that is made there.
class PrivateFolder {
public:
    /// @throws Error{unavailable}
    explicit PrivateFolder(const std::string& parent);
    ~PrivateFolder();
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;

    [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
    std::string path_;
};

}  // namespace poolwise::guest_runner
