// SPDX-License-Identifier: Apache-2.0
// exit_probe URI: connects, says "ready", waits for a line, makes a call with a deadline of 1 s and
// returns from main: 0 if the call timed out, 1 if anything else happened.
#include <iostream>
#include <string>

#include "libvirt_glue/libvirt_storage.hpp"
#include "module/core/error.hpp"

int main(int count, char** words) {
    using namespace poolwise;
    if (count != 2) return 1;
    libvirt_glue::Caller main_caller{words[1]};
    libvirt_glue::Caller cleanup{words[1]};
    libvirt_glue::LibvirtStorage storage{main_caller, cleanup, {.look_up = Seconds{1}}};
    static_cast<void>(storage.pools());
    std::cout << "ready" << std::endl;
    std::string line;
    std::getline(std::cin, line);
    try {
        static_cast<void>(storage.pools());
    } catch (const Error& error) {
        return error.code() == ErrorCode::timed_out ? 0 : 1;
    }
    return 1;
}
