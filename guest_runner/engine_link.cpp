// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/engine_link.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "module/core/error.hpp"

namespace poolwise::guest_runner {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kWriteLimit{5000};
// A reopened channel tears a few lines; a kernel's console may say a hundred before the engine
// does.
constexpr std::size_t kMaxNoise = 64;
constexpr std::size_t kMaxNoiseBefore = 4096;
// A result four times over (it is fetched again when lines are lost), and days of progress lines.
constexpr std::size_t kMaxReceived = 8 * kMaxResult;

}  // namespace

EngineLink::EngineLink(std::unique_ptr<ByteChannel> channel)
    : channel_{std::move(channel)}, last_heard_{Clock::now()}, last_sent_{Clock::now()} {}

void EngineLink::send(const Request& request) {
    // The first newline ends whatever a former host side left unfinished.
    const std::string line = (sent_ == 0 ? "\n" : "") + encode(sent_ + 1, request);
    channel_->write(line, kWriteLimit);
    ++sent_;
    last_sent_ = Clock::now();
}

std::optional<Numbered<Reply>> EngineLink::receive(milliseconds timeout) {
    if (auto message = next_message()) return message;
    const auto deadline = Clock::now() + timeout;
    std::array<char, 64U << 10U> buffer;
    for (;;) {
        const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
        const std::size_t got = channel_->read(buffer, std::max(left, milliseconds{0}));
        received_ += got;
        if (received_ > kMaxReceived) {
            throw Error{ErrorCode::malformed_result,
                        "read engine messages: more bytes came than any job needs"};
        }
        lines_.feed({buffer.data(), got});
        if (auto message = next_message()) return message;
        if (Clock::now() >= deadline) return std::nullopt;
    }
}

std::optional<Numbered<Reply>> EngineLink::next_message() {
    while (const auto line = lines_.next()) {
        auto message = decode_reply(*line);
        if (!message) {
            if (++noise_ > (good_seen_ ? kMaxNoise : kMaxNoiseBefore)) {
                throw Error{ErrorCode::malformed_result,
                            "read engine messages: nothing but noise comes from the engine"};
            }
            continue;
        }
        noise_ = 0;
        good_seen_ = true;
        last_heard_ = Clock::now();
        // A hello is matched by its nonce, so it may come from an engine that counts anew.
        const bool hello = std::holds_alternative<HelloReply>(message->message);
        if (!hello && message->number <= last_number_) continue;
        last_number_ = std::max(last_number_, message->number);
        return message;
    }
    return std::nullopt;
}

}  // namespace poolwise::guest_runner
