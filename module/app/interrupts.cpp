// SPDX-License-Identifier: Apache-2.0
#include "module/app/interrupts.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "module/core/error.hpp"

namespace poolwise {
namespace {

sigset_t ending_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, number);
    return signals;
}

int checked(int descriptor) {
    if (descriptor >= 0) return descriptor;
    throw Error{ErrorCode::unavailable, "listen for signals: " + std::string{std::strerror(errno)}};
}

}  // namespace

Interrupts::Interrupts() {
    const sigset_t signals = ending_signals();
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
    const int heard = checked(signalfd(-1, &signals, SFD_CLOEXEC));
    wake_ = checked(eventfd(0, EFD_CLOEXEC));
    thread_ = std::thread{[this, heard] { listen(heard); }};
}

void Interrupts::listen(int heard) {
    std::array<pollfd, 2> waits{pollfd{heard, POLLIN, 0}, pollfd{wake_, POLLIN, 0}};
    while ((waits[1].revents & POLLIN) == 0) {
        if (poll(waits.data(), waits.size(), -1) < 0) continue;  // EINTR
        signalfd_siginfo info{};
        const bool signalled =
            (waits[0].revents & POLLIN) != 0 && read(heard, &info, sizeof info) == sizeof info;
        if (signalled) source_.request_stop();
    }
    close(heard);
}

Interrupts::~Interrupts() {
    const std::uint64_t one = 1;
    static_cast<void>(write(wake_, &one, sizeof one));
    thread_.join();
    close(wake_);
    // One that came after the thread ended would kill the process as soon as it is let through.
    const sigset_t signals = ending_signals();
    const timespec now{};
    while (sigtimedwait(&signals, nullptr, &now) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace poolwise
