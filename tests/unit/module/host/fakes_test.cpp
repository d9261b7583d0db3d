// SPDX-License-Identifier: Apache-2.0
// What tests of others rely on in these doubles.
#include <gmock/gmock.h>

#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_guest_images.hpp"
#include "tests/fakes/fake_node.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::test {
namespace {

TEST(FakeNode, HoldsOneLockUntilItIsReleased) {
    FakeNode node;
    auto lock = node.lock("A");

    EXPECT_EQ(node.lock_holder(), "A");
    EXPECT_EQ(code_of([&] { return node.lock("B"); }), ErrorCode::conflict);
    lock.reset();
    EXPECT_EQ(node.lock_holder(), std::nullopt);
}

TEST(FakeNode, FindsThePlaceAboveAPath) {
    FakeNode node;
    node.places["/pool"].file_system = "ext4";

    EXPECT_EQ(node.path_facts("/pool/a/b.raw").file_system, "ext4");
    EXPECT_EQ(node.path_facts("/pool/a/b.raw").path, "/pool/a/b.raw");
    EXPECT_EQ(code_of([&] { return node.path_facts("/poolside/a"); }), ErrorCode::not_found);
}

TEST(FakeNode, FailsOnceWhenTold) {
    FakeNode node;
    node.fail_next(Error{ErrorCode::unavailable, "no"});

    EXPECT_EQ(code_of([&] { return node.drop_caches(); }), ErrorCode::unavailable);
    node.drop_caches();
    EXPECT_EQ(node.cache_drops(), 1);
}

TEST(FakeNode, ShowsActivitiesInTurnAndStaysAtTheLast) {
    FakeNode node;
    node.activities["vda"] = {{Seconds{1}, 4}, {Seconds{2}, 0}};

    EXPECT_EQ(node.device_activity("vda")->in_flight, 4U);
    EXPECT_EQ(node.device_activity("vda")->in_flight, 0U);
    EXPECT_EQ(node.device_activity("vda")->in_flight, 0U);
    EXPECT_FALSE(node.device_activity("vdb"));
}

TEST(FakeClock, MovesOnlyWhenSomebodySleepsOrMovesIt) {
    FakeClock clock;
    const Seconds start = clock.now();

    EXPECT_TRUE(clock.sleep(Seconds{30}, {}));
    clock.advance(Seconds{5});
    EXPECT_EQ(clock.now() - start, Seconds{35});
}

TEST(FakeClock, DoesNotSleepOnceStopIsRequested) {
    FakeClock clock;
    std::stop_source stop;
    clock.on_sleep = [&](Seconds) { stop.request_stop(); };
    const Seconds start = clock.now();

    EXPECT_FALSE(clock.sleep(Seconds{30}, stop.get_token()));
    EXPECT_EQ(clock.now(), start);
}

TEST(FakeGuestImages, FailsOnceWhenTold) {
    FakeGuestImages images;
    images.fail_next(Error{ErrorCode::unavailable, "no kernel"});

    EXPECT_EQ(code_of([&] { return images.ensure(); }), ErrorCode::unavailable);
    EXPECT_EQ(images.ensure().facts.fio, "fio-3.33");
}

}  // namespace
}  // namespace poolwise::test
