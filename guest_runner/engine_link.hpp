// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "guest_runner/line_reader.hpp"
#include "guest_runner/protocol.hpp"
#include "module/ports/byte_channel.hpp"

namespace poolwise::guest_runner {

/// Messages over a byte channel, as the host side sees them: numbers what it sends, skips noise and
/// duplicates, and gives up on an engine that floods it. Used by one thread at a time.
class EngineLink {
public:
    using Clock = std::chrono::steady_clock;

    explicit EngineLink(std::unique_ptr<ByteChannel> channel);

    /// @throws as ByteChannel::write().
    void send(const Request& request);

    /// The next message. Waits at most `timeout`.
    /// @throws Error{malformed_result} a message that breaks the protocol, endless noise or more
    ///         bytes than any job needs; else as ByteChannel::read().
    [[nodiscard]] std::optional<Numbered<Reply>> receive(std::chrono::milliseconds timeout);

    /// Takes `number` for the engine's latest: it was started anew, or is new to us.
    void follow(std::uint64_t number) noexcept { last_number_ = number; }

    /// Begins a new account of bytes received.
    void renew_budget() noexcept { received_ = 0; }

    [[nodiscard]] Clock::time_point last_heard() const noexcept { return last_heard_; }
    [[nodiscard]] Clock::time_point last_sent() const noexcept { return last_sent_; }

    /// May be called from any thread; wakes send() and receive().
    void close() noexcept { channel_->close(); }

private:
    std::optional<Numbered<Reply>> next_message();

    std::unique_ptr<ByteChannel> channel_;
    LineReader lines_{kMaxLine};
    std::uint64_t sent_ = 0;
    std::uint64_t last_number_ = 0;
    std::size_t noise_ = 0;  ///< lines since the last good one
    std::size_t received_ = 0;
    bool good_seen_ = false;
    Clock::time_point last_heard_;
    Clock::time_point last_sent_;
};

}  // namespace poolwise::guest_runner
