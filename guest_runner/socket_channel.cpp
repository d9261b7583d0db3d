// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/socket_channel.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include <sys/socket.h>

#include <poll.h>
#include <unistd.h>

#include "module/core/error.hpp"

namespace poolwise::guest_runner {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void throw_gone(const char* doing, int error) {
    throw Error{ErrorCode::guest_failed, std::string{doing} + ": the engine's process is gone (" +
                                             std::strerror(error) + ")"};
}

/// False when the time is up.
bool wait_for(int socket, short events, Clock::time_point deadline) {
    for (;;) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd entry{socket, events, 0};
        const int ready = ::poll(&entry, 1, static_cast<int>(std::clamp<long>(left, 0, 1 << 30)));
        if (ready > 0) return true;
        if (ready == 0) return false;
        if (errno != EINTR) throw_gone("wait for the engine", errno);
    }
}

}  // namespace

SocketChannel::~SocketChannel() {
    ::close(socket_);
}

std::size_t SocketChannel::read(std::span<char> buffer, std::chrono::milliseconds timeout) {
    if (!wait_for(socket_, POLLIN, Clock::now() + timeout)) return 0;
    const ssize_t got = ::recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got > 0) return static_cast<std::size_t>(got);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    throw_gone("read from the engine", got == 0 ? EPIPE : errno);
}

void SocketChannel::write(std::span<const char> data, std::chrono::milliseconds timeout) {
    const auto deadline = Clock::now() + timeout;
    while (!data.empty()) {
        if (!wait_for(socket_, POLLOUT, deadline)) {
            throw Error{ErrorCode::timed_out, "write to the engine: it does not read"};
        }
        const ssize_t put = ::send(socket_, data.data(), data.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (put >= 0) {
            data = data.subspan(static_cast<std::size_t>(put));
        } else if (errno != EAGAIN && errno != EINTR) {
            throw_gone("write to the engine", errno);
        }
    }
}

void SocketChannel::close() noexcept {
    ::shutdown(socket_, SHUT_RDWR);
}

}  // namespace poolwise::guest_runner
