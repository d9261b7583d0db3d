// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "module/app/commands/commands.hpp"
#include "module/app/composition.hpp"

namespace poolwise {

int build_image(const CommonOptions& common) {
    Composition composition{common.uri, common.state_folder, find_installation()};
    RunPorts ports = composition.ports();
    const Seconds start = ports.clock.now();
    const GuestImage image = ports.images.ensure();
    const Seconds took = ports.clock.now() - start;
    std::cout << "image " << image.facts.hash.substr(0, 12) << ": kernel " << image.facts.kernel
              << ", " << image.facts.fio << ", ready in " << static_cast<long>(took.count() * 1000)
              << " ms\n"
              << image.kernel_path << '\n'
              << image.initramfs_path << '\n'
              << image.tools_disk_path << '\n';
    return 0;
}

}  // namespace poolwise
