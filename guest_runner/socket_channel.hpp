// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "module/ports/byte_channel.hpp"

namespace poolwise::guest_runner {

/// A byte channel over a connected stream socket, which it owns.
class SocketChannel : public ByteChannel {
public:
    explicit SocketChannel(int socket) noexcept : socket_{socket} {}
    ~SocketChannel() override;

    std::size_t read(std::span<char> buffer, std::chrono::milliseconds timeout) override;
    void write(std::span<const char> data, std::chrono::milliseconds timeout) override;
    void close() noexcept override;

private:
    int socket_;  ///< closed by the destructor only, so that close() cannot hit a reused number
};

}  // namespace poolwise::guest_runner
