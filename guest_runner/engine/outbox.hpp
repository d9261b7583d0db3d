// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "guest_runner/protocol.hpp"

namespace poolwise::guest_runner {

/// What waits to be written to the host, numbered, bounded. The engine never blocks on its port.
class Outbox {
public:
    /// Whether another chunk of a result should be added now.
    [[nodiscard]] bool has_room() const noexcept { return size() < kRoom; }
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }

    /// Queues a message. Beyond the limits it is dropped, and takes no number: progress first,
    /// anything only where the host reads nothing and keeps asking.
    void add(const Reply& reply);

    /// Writes what the other side takes now.
    /// @return false if there is no other side any more.
    [[nodiscard]] bool flush(int fd);

private:
    static constexpr std::size_t kRoom = 2 * kMaxLine;
    static constexpr std::size_t kFull = 8 * kMaxLine;

    [[nodiscard]] std::size_t size() const noexcept { return bytes_.size() - written_; }

    std::string bytes_;
    std::size_t written_ = 0;
    std::uint64_t number_ = 0;
};

}  // namespace poolwise::guest_runner
