// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/event_loop.hpp"

#include <csignal>
#include <mutex>
#include <thread>

#include "libvirt_glue/handle.hpp"

namespace poolwise::libvirt_glue {

namespace {

void ignore_error(void* /*context*/, virErrorPtr /*error*/) {}

// libvirt writes to its socket with write(): a daemon that goes away at that moment would end this
// process. Somebody else's handler stays.
void survive_broken_pipes() {
    if (const auto before = std::signal(SIGPIPE, SIG_IGN); before != SIG_DFL) {
        static_cast<void>(std::signal(SIGPIPE, before));
    }
}

void set_up() {
    survive_broken_pipes();
    // An empty function, not null: null would bring back libvirt's own, which prints to stderr.
    virSetErrorFunc(nullptr, ignore_error);
    if (virInitialize() < 0 || virEventRegisterDefaultImpl() < 0) {
        throw Error{ErrorCode::unavailable, last_error("set up libvirt").what()};
    }
    // Detached: a callback that hangs must not hold the process.
    std::thread{[] {
        while (virEventRunDefaultImpl() == 0) {
        }
    }}.detach();
}

}  // namespace

void ensure_event_loop() {
    static std::once_flag once;
    std::call_once(once, set_up);
}

}  // namespace poolwise::libvirt_glue
