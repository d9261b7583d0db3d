// SPDX-License-Identifier: Apache-2.0
#include "module/app/locations.hpp"

namespace poolwise {

Installation find_installation() {
    const std::filesystem::path prefix =
        std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
    return {.engine = prefix / "libexec/poolwise/poolwise_engine",
            .profiles = prefix / "share/poolwise/profiles"};
}

}  // namespace poolwise
