// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <span>

#include "module/ports/port.hpp"

namespace poolwise {

/// A two-way stream of bytes to an engine: virtio-serial, a socket, a console.
///
/// Used by one thread at a time; close() may be called from any thread and wakes a blocked call.
/// Bytes may be lost when a channel is reopened: the protocol above numbers its messages.
class ByteChannel : public Port {
public:
    /// Reads what is there, up to `buffer`. Waits at most `timeout`.
    /// @return bytes read; 0 means nothing came in time.
    /// @throws Error{guest_failed} the other end is gone; {hypervisor_failed} the stream broke.
    virtual std::size_t read(std::span<char> buffer, std::chrono::milliseconds timeout) = 0;

    /// Writes all of `data`.
    /// @throws as read(), and Error{timed_out} where the other end did not take it in time.
    virtual void write(std::span<const char> data, std::chrono::milliseconds timeout) = 0;

    virtual void close() noexcept = 0;
};

}  // namespace poolwise
