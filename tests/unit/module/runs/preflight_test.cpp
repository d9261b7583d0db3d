// SPDX-License-Identifier: Apache-2.0
#include "module/runs/preflight.hpp"

#include <gmock/gmock.h>

#include "tests/unit/module/runs/world.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

RunRequest request_on(const std::string& pool) {
    RunRequest request;
    request.profile = {.name = "p", .workloads = {{.id = "read", .runtime = 5s}}};
    request.candidates = {{.id = "raw", .pool = pool}};
    return request;
}

class PreflightTest : public testing::Test {
protected:
    Error refusal(const RunRequest& request) {
        return test::error_of([&] { static_cast<void>(preflight(request, ports)); });
    }

    test::World world;
    RunPorts ports = world.ports();
};

TEST_F(PreflightTest, AGoodNodeHasNothingToRemark) {
    const Preflight found = preflight(request_on("fast"), ports);

    EXPECT_EQ(found.targets.at("fast").directory, "/fake/fast");
    EXPECT_THAT(found.remarks, IsEmpty());
    EXPECT_FALSE(found.node.libvirt.empty());
    EXPECT_FALSE(found.node.qemu.empty());
}

TEST_F(PreflightTest, NothingIsCreated) {
    static_cast<void>(preflight(request_on("fast"), ports));

    EXPECT_THAT(world.storage.history(), IsEmpty());
    EXPECT_THAT(world.guests.history(), IsEmpty());
    EXPECT_THAT(world.journal.open_entries(), IsEmpty());
}

TEST_F(PreflightTest, AnUnknownPoolIsNotFoundAndTheMessageListsTheOthers) {
    const Error error = refusal(request_on("slow"));
    EXPECT_EQ(error.code(), ErrorCode::not_found);
    EXPECT_THAT(error.what(), HasSubstr("'slow'"));
    EXPECT_THAT(error.what(), HasSubstr("'fast'"));
}

TEST_F(PreflightTest, AnInactivePoolIsAConflictThatSaysHowToStartIt) {
    world.storage.add_pool({.name = "idle", .type = "dir", .path = "/fake/idle"});
    const Error error = refusal(request_on("idle"));
    EXPECT_EQ(error.code(), ErrorCode::conflict);
    EXPECT_THAT(error.what(), HasSubstr("virsh pool-start idle"));
}

TEST_F(PreflightTest, ADirectoryOfAnInactivePoolIsThatPool) {
    world.storage.add_pool({.name = "idle", .type = "dir", .path = "/fake/idle"});
    world.node.places["/fake/idle"] = world.node.places["/fake/fast"];
    EXPECT_EQ(refusal(request_on("dir:/fake/idle")).code(), ErrorCode::conflict);
}

TEST_F(PreflightTest, ADirectoryThatAPoolCoversUsesThatPool) {
    const Preflight found = preflight(request_on("dir:/fake/fast"), ports);
    ASSERT_TRUE(found.targets.at("dir:/fake/fast").pool);
    EXPECT_EQ(found.targets.at("dir:/fake/fast").pool->name, "fast");
}

TEST_F(PreflightTest, AnyOtherDirectoryWillGetATransientPool) {
    world.node.places["/scratch"] = world.node.places["/fake/fast"];
    const Preflight found = preflight(request_on("dir:/scratch"), ports);
    EXPECT_FALSE(found.targets.at("dir:/scratch").pool);
    EXPECT_EQ(found.targets.at("dir:/scratch").directory, "/scratch");
}

TEST_F(PreflightTest, AMissingOrRelativeDirectoryIsRefused) {
    EXPECT_EQ(refusal(request_on("dir:/nowhere")).code(), ErrorCode::not_found);
    EXPECT_EQ(refusal(request_on("dir:scratch")).code(), ErrorCode::invalid_request);
}

TEST_F(PreflightTest, APoolOfAnotherTypeIsRefusedWithItsRemark) {
    world.storage.add_pool({.name = "vg",
                            .type = "logical",
                            .path = "/fake/fast",
                            .active = true,
                            .remark = "LVM is not measured"});
    const Error error = refusal(request_on("vg"));
    EXPECT_EQ(error.code(), ErrorCode::invalid_request);
    EXPECT_THAT(error.what(), HasSubstr("LVM is not measured"));
}

TEST_F(PreflightTest, WithoutDirectIoOnlyCachingModesAreMeasured) {
    world.node.places["/fake/fast"].direct_io = false;
    const Error error = refusal(request_on("fast"));
    EXPECT_EQ(error.code(), ErrorCode::unavailable);
    EXPECT_THAT(error.what(), HasSubstr("O_DIRECT"));

    RunRequest cached = request_on("fast");
    cached.candidates[0].driver = {.cache = CacheMode::writeback, .io = IoMode::threads};
    EXPECT_NO_THROW(static_cast<void>(preflight(cached, ports)));
}

TEST_F(PreflightTest, AFolderThatQemuCannotReachIsNamed) {
    world.node.closed_folders = {"/fake"};
    const Error error = refusal(request_on("fast"));
    EXPECT_EQ(error.code(), ErrorCode::unavailable);
    EXPECT_THAT(error.what(), HasSubstr("chmod o+x /fake"));
}

TEST_F(PreflightTest, MissingFioIsNamedWithThePackage) {
    world.node.node.fio.clear();
    const Error error = refusal(request_on("fast"));
    EXPECT_EQ(error.code(), ErrorCode::unavailable);
    EXPECT_THAT(error.what(), HasSubstr("apt-get install fio"));
}

TEST_F(PreflightTest, OtherGuestsAreRemarkedAndRefusedOnlyForAnExclusiveRun) {
    world.guests.add_foreign_guest("customer-1");
    EXPECT_THAT(preflight(request_on("fast"), ports).remarks,
                Contains(Field(&Remark::code, "other_guests")));

    RunRequest exclusive = request_on("fast");
    exclusive.exclusive = true;
    const Error error = refusal(exclusive);
    EXPECT_EQ(error.code(), ErrorCode::refused);
    EXPECT_THAT(error.what(), HasSubstr("'customer-1'"));
}

TEST_F(PreflightTest, AResyncOfTheDeviceIsRemarkedByName) {
    world.node.places["/fake/fast"].device->busy_with = "md resync";
    EXPECT_THAT(preflight(request_on("fast"), ports).remarks,
                Contains(Field(&Remark::text, HasSubstr("md resync"))));
}

TEST_F(PreflightTest, ABandwidthOfAnEarlierRunIsKnown) {
    world.store.remember(bandwidth_key("/fake/fast"), "1000000.5");
    const Preflight found = preflight(request_on("fast"), ports);
    EXPECT_EQ(found.plan_facts.pools.at("fast").bandwidth, BytesPerSecond{1000000.5});
}

TEST_F(PreflightTest, ARequestWithoutCandidatesIsRefused) {
    RunRequest request = request_on("fast");
    request.candidates.clear();
    EXPECT_EQ(refusal(request).code(), ErrorCode::invalid_request);
}

}  // namespace
}  // namespace poolwise
