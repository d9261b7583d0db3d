// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "module/core/run.hpp"
#include "module/ports/port.hpp"

namespace poolwise {

/// Files a guest boots from. They belong to poolwise: copies, never the node's own files.
struct GuestImage {
    std::string kernel_path;
    std::string initramfs_path;
    std::string tools_disk_path;
    ImageFacts facts;
};

class GuestImages : public Port {
public:
    /// The image for the node's newest kernel and present fio: from the cache, or built.
    /// @throws Error{unavailable} no readable kernel with its modules, no fio, no engine program.
    virtual GuestImage ensure() = 0;
};

}  // namespace poolwise
