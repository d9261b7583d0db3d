// SPDX-License-Identifier: Apache-2.0
#include "module/host/block_device.hpp"

#include <gmock/gmock.h>

#include "tests/unit/scratch_folder.hpp"

namespace poolwise {
namespace {

/// A tree like /sys, made of the files that a case needs.
class SysTree : public testing::Test {
protected:
    struct Sectors {
        std::string logical;
        std::string physical;
    };
    void add_disk(const std::string& name, const std::string& number, const Sectors& sectors) {
        const std::string disk = "devices/" + name;
        sys.put(disk + "/dev", number + "\n");
        sys.put(disk + "/queue/logical_block_size", sectors.logical + "\n");
        sys.put(disk + "/queue/physical_block_size", sectors.physical + "\n");
        sys.put(disk + "/queue/rotational", "0\n");
        sys.put(disk + "/queue/scheduler", "[none] mq-deadline kyber\n");
        sys.put(disk + "/queue/write_cache", "write back\n");
        publish(name, disk, number);
        sys.link("block/" + name, disk);
    }
    void add_partition(const std::string& disk, const std::string& name,
                       const std::string& number) {
        const std::string folder = "devices/" + disk + "/" + name;
        sys.put(folder + "/partition", "1\n");
        sys.put(folder + "/dev", number + "\n");
        publish(name, folder, number);
    }
    void publish(const std::string& name, const std::string& folder, const std::string& number) {
        sys.link("dev/block/" + number, folder);
        sys.link("class/block/" + name, folder);
    }

    test::ScratchFolder sys;
};

TEST_F(SysTree, ShowsADiskAsTheKernelDescribesIt) {
    add_disk("sda", "8:0", {"512", "512"});
    sys.put("devices/sda/device/model", "Old Disk 2000   \n");
    sys.put("devices/sda/queue/rotational", "1\n");
    sys.put("devices/sda/queue/scheduler", "none [mq-deadline] kyber bfq\n");
    sys.put("devices/sda/queue/write_cache", "write through\n");

    const auto device = find_block_device(sys.path(), {8, 0});

    ASSERT_TRUE(device);
    EXPECT_EQ(device->name, "sda");
    EXPECT_EQ(device->model, "Old Disk 2000");
    EXPECT_TRUE(device->rotational);
    EXPECT_EQ(device->scheduler, "mq-deadline");
    EXPECT_EQ(device->write_cache, "write through");
    EXPECT_EQ(device->busy_with, "");
}

struct SectorCase {
    std::string logical;
    std::string physical;
};
class SectorSizes : public SysTree, public testing::WithParamInterface<SectorCase> {};

TEST_P(SectorSizes, AreReadFromTheQueue) {
    add_disk("sda", "8:0", {GetParam().logical, GetParam().physical});

    const auto device = find_block_device(sys.path(), {8, 0});

    ASSERT_TRUE(device);
    EXPECT_EQ(std::to_string(device->logical_block.count()), GetParam().logical);
    EXPECT_EQ(std::to_string(device->physical_block.count()), GetParam().physical);
}

INSTANTIATE_TEST_SUITE_P(NativeEmulatedAndOld, SectorSizes,
                         testing::Values(SectorCase{"4096", "4096"}, SectorCase{"512", "4096"},
                                         SectorCase{"512", "512"}));

TEST_F(SysTree, ShowsTheDiskOfAPartition) {
    add_disk("nvme0n1", "259:0", {"512", "4096"});
    add_partition("nvme0n1", "nvme0n1p2", "259:2");

    const auto device = find_block_device(sys.path(), {259, 2});

    ASSERT_TRUE(device);
    EXPECT_EQ(device->name, "nvme0n1");
    EXPECT_EQ(device->physical_block.count(), 4096U);
}

TEST_F(SysTree, ShowsTheTopmostVirtualDevice) {
    add_disk("dm-0", "253:0", {"512", "512"});
    sys.put("devices/dm-0/queue/scheduler", "none\n");

    const auto device = find_block_device(sys.path(), {253, 0});

    ASSERT_TRUE(device);
    EXPECT_EQ(device->name, "dm-0");
    EXPECT_EQ(device->scheduler, "none");
    EXPECT_EQ(device->model, "");
}

TEST_F(SysTree, NamesTheWorkOfAnArrayEvenBelowADeviceMapper) {
    add_disk("md0", "9:0", {"512", "512"});
    add_disk("dm-0", "253:0", {"512", "512"});
    sys.link("devices/dm-0/slaves/md0", "devices/md0");
    sys.put("devices/md0/md/sync_action", "resync\n");

    EXPECT_EQ(find_block_device(sys.path(), {9, 0})->busy_with, "md resync");
    EXPECT_EQ(find_block_device(sys.path(), {253, 0})->busy_with, "md resync");
}

TEST_F(SysTree, CallsAnIdleOrFrozenArrayNotBusy) {
    add_disk("md0", "9:0", {"512", "512"});
    for (const char* action : {"idle\n", "frozen\n"}) {
        sys.put("devices/md0/md/sync_action", action);
        EXPECT_EQ(find_block_device(sys.path(), {9, 0})->busy_with, "") << action;
    }
}

TEST_F(SysTree, HasNoDeviceForAnonymousOrUnknownNumbers) {
    EXPECT_FALSE(find_block_device(sys.path(), {0, 44}));
    EXPECT_FALSE(find_block_device(sys.path(), {8, 0}));
}

TEST_F(SysTree, FindsTheDeviceBehindAMountSource) {
    add_disk("sdz", "65:144", {"512", "512"});
    add_partition("sdz", "sdz9", "65:153");

    const auto number = number_of_source(sys.path(), "/dev/sdz9");

    ASSERT_TRUE(number);
    EXPECT_EQ(number->device_major, 65U);
    EXPECT_EQ(number->device_minor, 153U);
    EXPECT_FALSE(number_of_source(sys.path(), "overlay"));
    EXPECT_FALSE(number_of_source(sys.path(), "server:/export"));
    EXPECT_FALSE(number_of_source(sys.path(), "/dev/sdy1"));
}

TEST_F(SysTree, ReadsBusyTimeAndRequestsInFlight) {
    add_disk("vda", "254:0", {"512", "512"});
    sys.put("devices/vda/stat",
            "   29143     6542  2376746     9720    30088     9212  1828832    11174        3"
            "     9868    22709     5845       36   394152     1004     2334      809\n");

    const auto activity = read_device_activity(sys.path(), "vda");

    ASSERT_TRUE(activity);
    EXPECT_DOUBLE_EQ(activity->busy.count(), 9.868);
    EXPECT_EQ(activity->in_flight, 3U);
}

TEST_F(SysTree, KnowsNoActivityWithoutStatistics) {
    add_disk("vda", "254:0", {"512", "512"});
    EXPECT_FALSE(read_device_activity(sys.path(), "vda"));
    sys.put("devices/vda/stat", "1 2 3\n");
    EXPECT_FALSE(read_device_activity(sys.path(), "vda"));
    sys.put("devices/vda/stat", "0 0 0 0 0 0 0 0 0 0 0\n");
    sys.put("devices/vda/queue/iostats", "0\n");
    EXPECT_FALSE(read_device_activity(sys.path(), "vda"));
    EXPECT_FALSE(read_device_activity(sys.path(), "no-disk"));
    EXPECT_FALSE(read_device_activity(sys.path(), ""));
}

}  // namespace
}  // namespace poolwise
