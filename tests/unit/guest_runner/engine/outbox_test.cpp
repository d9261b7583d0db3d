// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/engine/outbox.hpp"

#include <array>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "guest_runner/line_reader.hpp"

namespace poolwise::guest_runner {
namespace {

/// A pipe whose read end empties into a string.
class Pipe {
public:
    Pipe() {
        if (::pipe2(ends_.data(), O_NONBLOCK) != 0) throw std::runtime_error{"no pipe"};
    }
    ~Pipe() {
        ::close(ends_[0]);
        ::close(ends_[1]);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    [[nodiscard]] int in() const { return ends_[1]; }
    void drain(LineReader& lines) const {
        std::array<char, 4096> buffer{};
        for (ssize_t got = 0; (got = ::read(ends_[0], buffer.data(), buffer.size())) > 0;) {
            lines.feed({buffer.data(), static_cast<std::size_t>(got)});
        }
    }

private:
    std::array<int, 2> ends_{};
};

TEST(Outbox, NumbersItsMessagesAndNeverBlocks) {
    const Pipe pipe;
    Outbox outbox;
    LineReader lines{kMaxLine};
    const std::string block(kChunkSize, 'x');
    constexpr std::uint64_t kMessages = 6;  // far more than a pipe holds

    for (std::uint64_t i = 0; i < kMessages; ++i) outbox.add(Chunk{1, Part::fio_json, i, block});
    while (!outbox.empty()) {
        ASSERT_TRUE(outbox.flush(pipe.in()));
        pipe.drain(lines);
    }

    EXPECT_EQ(lines.next(), "");  // ends what was on the line before
    for (std::uint64_t i = 0; i < kMessages; ++i) {
        const auto message = decode_reply(lines.next().value());
        ASSERT_TRUE(message);
        EXPECT_EQ(message->number, i + 1);
        EXPECT_EQ(std::get<Chunk>(message->message).sequence, i);
    }
}

TEST(Outbox, DropsProgressFirst) {
    const Pipe pipe;
    Outbox outbox;
    LineReader lines{kMaxLine};

    while (outbox.has_room()) outbox.add(Chunk{1, Part::fio_json, 0, std::string(kChunkSize, 'x')});
    outbox.add(Progress{});
    outbox.add(Finished{1});
    while (!outbox.empty()) {
        ASSERT_TRUE(outbox.flush(pipe.in()));
        pipe.drain(lines);
    }

    bool finished = false;
    while (const auto line = lines.next()) {
        const auto message = decode_reply(*line);
        if (!message) continue;
        EXPECT_FALSE(std::holds_alternative<Progress>(message->message));
        finished = finished || std::holds_alternative<Finished>(message->message);
    }
    EXPECT_TRUE(finished);
}

TEST(Outbox, StaysBoundedWhenNobodyReads) {
    const Pipe pipe;
    Outbox outbox;
    LineReader lines{kMaxLine};

    for (int i = 0; i < 100'000; ++i) outbox.add(Pong{});
    std::size_t messages = 0;
    while (!outbox.empty()) {
        ASSERT_TRUE(outbox.flush(pipe.in()));
        pipe.drain(lines);
    }
    while (lines.next()) ++messages;

    EXPECT_LT(messages, 30'000U);
    EXPECT_GT(messages, 1000U);
}

}  // namespace
}  // namespace poolwise::guest_runner
