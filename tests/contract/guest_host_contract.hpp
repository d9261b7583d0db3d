// SPDX-License-Identifier: Apache-2.0
// What every GuestHost must do. Include it in one file of a test, and instantiate GuestHostContract
// with a function that makes a subject:
//
//   INSTANTIATE_TEST_SUITE_P(Fake, GuestHostContract, testing::Values(make_fake_subject));
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "module/core/names.hpp"
#include "module/ports/guest_host.hpp"
#include "tests/contract/guest_host_subject.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::test {

using MakeGuestHostSubject = std::function<std::unique_ptr<GuestHostSubject>()>;

class GuestHostContract : public testing::TestWithParam<MakeGuestHostSubject> {
protected:
    void SetUp() override {
        if (const auto trouble = subject_->trouble(); !trouble.empty()) GTEST_SKIP() << trouble;
    }

    void start() { host_.start_guest(subject_->spec(name_)); }

    /// The channel of a guest that has answered.
    std::unique_ptr<ByteChannel> open() {
        auto channel = host_.open_channel(name_);
        write_line(*channel, "ready?");
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{60};
        while (read_line(*channel, std::chrono::seconds{60}) != "ready?") {
            if (std::chrono::steady_clock::now() > end) ADD_FAILURE() << "the guest is silent";
        }
        return channel;
    }

    const std::unique_ptr<GuestHostSubject> subject_ = GetParam()();
    GuestHost& host_ = subject_->host();
    const std::string run_ = "contrac2";
    const std::string name_ = object_name(run_, "guest");
    const std::string serial_ = disk_serial(run_, 1);
};

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GuestHostContract);

TEST_P(GuestHostContract, AGuestLivesFromStartToDestroy) {
    EXPECT_FALSE(host_.guest_exists(name_));

    start();

    EXPECT_TRUE(host_.guest_exists(name_));
    EXPECT_FALSE(host_.trouble(name_));
    EXPECT_THAT(host_.foreign_guests(),
                testing::Not(testing::Contains(ForeignGuest{.name = name_})));

    host_.destroy_guest(name_);

    EXPECT_FALSE(host_.guest_exists(name_));
    EXPECT_NO_THROW(host_.destroy_guest(name_)) << "gone is not an error";
}

TEST_P(GuestHostContract, ATakenNameIsAConflictAndTheGuestLivesOn) {
    start();

    EXPECT_EQ(code_of([&] { return start(), 0; }), ErrorCode::conflict);
    EXPECT_TRUE(host_.guest_exists(name_));
}

TEST_P(GuestHostContract, ANameCanBeUsedAgainAndItsTroubleIsForgotten) {
    start();
    host_.destroy_guest(name_);

    start();

    EXPECT_FALSE(host_.trouble(name_));
}

TEST_P(GuestHostContract, CallsForAMissingGuestAreNotFound) {
    const GuestDisk disk = subject_->disk(serial_);

    EXPECT_EQ(code_of([&] { return host_.open_channel(name_); }), ErrorCode::not_found);
    EXPECT_EQ(code_of([&] { return host_.attach_disk(name_, disk), 0; }), ErrorCode::not_found);
    EXPECT_EQ(code_of([&] { return host_.cpu_time(name_); }), ErrorCode::not_found);
    EXPECT_EQ(code_of([&] { return host_.live_driver(name_, serial_); }), ErrorCode::not_found);
    EXPECT_NO_THROW(host_.detach_disk(name_, serial_));
    EXPECT_TRUE(host_.trouble(name_)) << "a guest that is not there cannot go on";
}

TEST_P(GuestHostContract, AForeignGuestIsListedAndNeverDestroyed) {
    const std::string foreign = subject_->foreign_guest();

    EXPECT_THAT(host_.foreign_guests(), testing::Contains(ForeignGuest{.name = foreign}));
    EXPECT_EQ(code_of([&] { return host_.destroy_guest(foreign), 0; }), ErrorCode::refused);
    EXPECT_TRUE(host_.guest_exists(foreign));
}

TEST_P(GuestHostContract, ADiskLivesFromAttachToDetachAndCountsWhatTheGuestDid) {
    start();
    const auto channel = open();

    host_.attach_disk(name_, subject_->disk(serial_));
    const BlockCounters before = host_.block_counters(name_, serial_);
    subject_->write(*channel, name_, serial_, 4);
    const BlockCounters done = host_.block_counters(name_, serial_) - before;

    EXPECT_EQ(done.write_bytes, Bytes{std::uint64_t{4} << 20U});
    EXPECT_GE(done.write_requests, 4U);
    EXPECT_GE(done.flush_requests, 1U);
    EXPECT_EQ(host_.live_driver(name_, serial_), DiskDriver{});
    EXPECT_EQ(code_of([&] { return host_.attach_disk(name_, subject_->disk(serial_)), 0; }),
              ErrorCode::conflict);

    host_.detach_disk(name_, serial_);

    EXPECT_EQ(code_of([&] { return host_.block_counters(name_, serial_); }), ErrorCode::not_found);
    EXPECT_NO_THROW(host_.detach_disk(name_, serial_)) << "gone is not an error";
}

TEST_P(GuestHostContract, AChannelIsTakenOverByWhoeverOpensItLast) {
    start();
    const auto first = open();

    const auto second = open();

    write_line(*second, "to the second");
    EXPECT_EQ(read_line(*second, std::chrono::seconds{10}), "to the second");
    EXPECT_ANY_THROW(read_line(*first, std::chrono::seconds{10}));
}

TEST_P(GuestHostContract, ReadingReturnsNothingAfterItsTimeAndCloseWakesIt) {
    start();
    const auto channel = open();
    std::array<char, 16> bytes{};
    EXPECT_EQ(channel->read(bytes, std::chrono::milliseconds{20}), 0U);

    std::thread closer{[&] { channel->close(); }};

    EXPECT_THROW(channel->read(bytes, std::chrono::seconds{30}), Error);
    EXPECT_THROW(write_line(*channel, "too late"), Error);
    closer.join();
}

TEST_P(GuestHostContract, AGuestThatEndsByItselfIsTroubleAndEndsItsChannel) {
    start();
    const auto channel = open();

    subject_->crash(*channel, name_);

    EXPECT_EQ(code_of([&] { return read_line(*channel, std::chrono::seconds{30}); }),
              ErrorCode::guest_failed);
    ASSERT_TRUE(host_.trouble(name_));
    EXPECT_FALSE(host_.trouble(name_)->what.empty());
    EXPECT_FALSE(host_.trouble(name_)->out_of_space);
    EXPECT_NO_THROW(host_.destroy_guest(name_));
}

}  // namespace poolwise::test
