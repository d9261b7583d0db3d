// SPDX-License-Identifier: Apache-2.0
#include "module/host/mount_table.hpp"

#include <gmock/gmock.h>

namespace poolwise {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kMountinfo =
    "26 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw,discard\n"
    "21 26 0:20 / /proc rw - proc proc rw\n"
    "40 26 254:16 / /var/lib rw,noatime shared:7 master:3 - xfs /dev/vdb rw,attr2\n"
    "41 40 0:44 / /var/lib/pool\\040one rw - btrfs /dev/mapper/vg-a\\134b rw\n"
    "42 26 0:45 / /mnt rw - tmpfs first rw\n"
    "43 42 0:46 / /mnt rw - tmpfs second rw,size=4k\n";

TEST(MountTable, ReadsLinesWithAndWithoutOptionalFields) {
    const auto mounts = parse_mounts(kMountinfo);

    ASSERT_THAT(mounts, SizeIs(6));
    EXPECT_EQ(mounts[0].file_system, "ext4");
    EXPECT_EQ(mounts[0].source, "/dev/vda1");
    EXPECT_EQ(mounts[0].options, "rw,relatime,discard");
    EXPECT_EQ(mounts[1].source, "proc");
    EXPECT_EQ(mounts[2].options, "rw,noatime,attr2");
}

TEST(MountTable, UndoesTheKernelsEscapes) {
    const auto mounts = parse_mounts(kMountinfo);

    EXPECT_EQ(mounts.at(3).mount_point, "/var/lib/pool one");
    EXPECT_EQ(mounts.at(3).source, "/dev/mapper/vg-a\\b");
}

TEST(MountTable, LeavesOutLinesItDoesNotUnderstand) {
    EXPECT_THAT(parse_mounts("\nrubbish\n26 1 254:1 / / rw - ext4\n"), IsEmpty());
}

TEST(MountTable, FindsTheDeepestMountAboveAPath) {
    const auto mounts = parse_mounts(kMountinfo);

    EXPECT_EQ(find_mount(mounts, "/")->mount_point, "/");
    EXPECT_EQ(find_mount(mounts, "/var/lib")->mount_point, "/var/lib");
    EXPECT_EQ(find_mount(mounts, "/var/lib/images/a.raw")->mount_point, "/var/lib");
    EXPECT_EQ(find_mount(mounts, "/var/library/a.raw")->mount_point, "/");
    EXPECT_EQ(find_mount(mounts, "/var/lib/pool one/a")->file_system, "btrfs");
}

TEST(MountTable, PrefersTheMountThatHidesAnother) {
    EXPECT_EQ(find_mount(parse_mounts(kMountinfo), "/mnt/a")->source, "second");
}

TEST(MountTable, FindsNothingInAnEmptyTable) {
    EXPECT_FALSE(find_mount({}, "/var").has_value());
}

}  // namespace
}  // namespace poolwise
