// SPDX-License-Identifier: Apache-2.0
// Caller on libvirt's own fake driver, which needs no daemon.
#include "libvirt_glue/caller.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <future>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/testing.hpp"

namespace poolwise::libvirt_glue {
namespace {

using namespace std::chrono_literals;

constexpr Seconds kAmple{20};
constexpr Seconds kShort{0.2};

/// Work that hangs until release().
class Gate {
public:
    [[nodiscard]] auto hanging_work() const {
        return [open = open_](virConnectPtr connection) {
            open.wait();
            return connection;
        };
    }

    void release() { opener_.set_value(); }

private:
    std::promise<void> opener_;
    std::shared_future<void> open_ = opener_.get_future().share();
};

TEST(Caller, ReturnsWhatTheWorkReturns) {
    Caller caller{"test:///default"};

    EXPECT_EQ(caller.call("count", kAmple, [](virConnectPtr) { return 7; }), 7);
    EXPECT_NO_THROW(caller.call("do nothing", kAmple, [](virConnectPtr) {}));
}

TEST(Caller, ThrowsWhatTheWorkThrows) {
    Caller caller{"test:///default"};

    EXPECT_EQ(test::message_of([&] {
                  caller.call("fail", kAmple, [](virConnectPtr) {
                      throw Error{ErrorCode::no_space, "the pool is full"};
                  });
              }),
              "the pool is full");
}

TEST(Caller, ConnectsOnceAndTellsSo) {
    const auto connects = std::make_shared<std::atomic<int>>(0);
    Caller caller{"test:///default", [connects](virConnectPtr) { ++*connects; }};
    EXPECT_EQ(*connects, 0);

    const auto same = [](virConnectPtr connection) { return connection; };
    EXPECT_EQ(caller.call("look", kAmple, same), caller.call("look", kAmple, same));
    EXPECT_EQ(*connects, 1);
}

TEST(Caller, ALibvirtThatCannotBeReachedIsUnavailable) {
    Caller caller{"qemu:///system?socket=/nonexistent/libvirt-sock"};

    EXPECT_EQ(test::code_of([&] { caller.call("look", kAmple, [](virConnectPtr) {}); }),
              ErrorCode::unavailable);
}

TEST(Caller, WritingToADaemonThatWentAwayDoesNotEndTheProcess) {
    Caller{"test:///default"}.call("connect", kAmple, [](virConnectPtr) {});

    EXPECT_EQ(std::raise(SIGPIPE), 0);
}

TEST(Caller, GivesUpAtTheDeadlineAndUndoesWhatStillHappens) {
    Caller caller{"test:///default"};
    Gate gate;
    std::promise<virConnectPtr> undone;
    auto undo = [&undone](virConnectPtr, virConnectPtr result) { undone.set_value(result); };

    const auto begun = std::chrono::steady_clock::now();
    const Error error = test::error_of(
        [&] { caller.call("create volume 'x'", kShort, gate.hanging_work(), undo); });
    const auto took = std::chrono::steady_clock::now() - begun;

    EXPECT_EQ(error.code(), ErrorCode::timed_out);
    EXPECT_STREQ(error.what(),
                 "create volume 'x': libvirt did not answer within 0.2 s, the outcome is unknown");
    EXPECT_LT(took, 2s);
    auto late = undone.get_future();
    EXPECT_EQ(late.wait_for(0s), std::future_status::timeout);
    gate.release();
    ASSERT_EQ(late.wait_for(10s), std::future_status::ready);
    EXPECT_NE(late.get(), nullptr);
}

TEST(Caller, ACallInTimeIsNeverUndone) {
    Caller caller{"test:///default"};
    const auto undone = std::make_shared<std::atomic<bool>>(false);

    caller.call(
        "create", kAmple, [](virConnectPtr) { return 1; },
        [undone](virConnectPtr, int) { *undone = true; });

    EXPECT_FALSE(*undone);
}

TEST(Caller, TheNextCallAfterAHangingOneHasAConnectionOfItsOwn) {
    Caller caller{"test:///default"};
    Gate gate;
    std::promise<virConnectPtr> old;
    EXPECT_EQ(test::code_of([&] {
                  caller.call("hang", kShort, gate.hanging_work(),
                              [&old](virConnectPtr, virConnectPtr used) { old.set_value(used); });
              }),
              ErrorCode::timed_out);

    const virConnectPtr next =
        caller.call("look", kAmple, [](virConnectPtr connection) { return connection; });

    gate.release();
    EXPECT_NE(next, old.get_future().get());
}

TEST(Caller, FourHangingCallsHoldUpTheFifthButNoOtherCaller) {
    Caller stuck{"test:///default"};
    Caller other{"test:///default"};
    Gate gate;
    std::array<std::promise<void>, 4> begun;
    std::array<std::thread, 4> threads;
    for (std::size_t i = 0; i < threads.size(); ++i) {
        threads[i] = std::thread{[&, i] {
            stuck.call("hang", kAmple,
                       [work = gate.hanging_work(), &here = begun[i]](auto libvirt) {
                           here.set_value();
                           return work(libvirt);
                       });
        }};
    }
    for (auto& promise : begun) promise.get_future().wait();

    const auto look = [](virConnectPtr) { return 7; };
    const Error error = test::error_of([&] { stuck.call("look", kShort, look); });
    EXPECT_EQ(error.code(), ErrorCode::timed_out);
    EXPECT_THAT(error.what(), testing::HasSubstr("look: not begun within 0.2 s"));
    EXPECT_EQ(other.call("look", kAmple, look), 7);

    gate.release();
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(stuck.call("look", kAmple, look), 7);
}

}  // namespace
}  // namespace poolwise::libvirt_glue
