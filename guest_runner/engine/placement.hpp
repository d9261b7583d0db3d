// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace poolwise::guest_runner {

enum class Place { host, guest };

/// Where the engine runs, and with what.
struct Placement {
    Place place = Place::host;
    std::vector<std::string> fio;  ///< the words that start fio; its arguments follow
    std::string scratch;           ///< a folder in memory, for what fio reads and writes
};

}  // namespace poolwise::guest_runner
