// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/engine/disk_finder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::guest_runner {
namespace {

using namespace std::chrono_literals;

class DiskBySerial : public testing::Test {
protected:
    void add_disk(const std::string& name, const std::string& serial, unsigned sectors) {
        folder_.put("block/" + name + "/serial", serial);
        folder_.put("block/" + name + "/size", std::to_string(sectors) + "\n");
        folder_.put("dev/" + name, "");
    }
    Disk find(const std::string& serial, Bytes size) {
        return find_disk_by_serial(serial, size, 0ms, folder_.path() / "block",
                                   folder_.path() / "dev");
    }
    void expect_refused(const std::string& serial, Bytes size, const std::string& why) {
        const Error error = test::error_of([&] { static_cast<void>(find(serial, size)); });
        EXPECT_EQ(error.code(), ErrorCode::refused);
        EXPECT_THAT(error.what(), testing::HasSubstr(why));
    }

    test::ScratchFolder folder_;
};

TEST_F(DiskBySerial, IsFoundAmongOthers) {
    add_disk("vda", "pwtools", 100);
    add_disk("vdc", "pwabcdefgh01\n", 8);
    add_disk("vdb", "pwabcdefgh011", 8);

    EXPECT_EQ(find("pwabcdefgh01", Bytes{4096}).path, folder_.path() / "dev/vdc");
}

TEST_F(DiskBySerial, IsRefusedWhenThereIsNone) {
    add_disk("vda", "pwtools", 8);
    expect_refused("pwabcdefgh01", Bytes{4096}, "no disk has this serial");
}

TEST_F(DiskBySerial, IsRefusedWhenThereAreTwo) {
    add_disk("vda", "pwabcdefgh01", 8);
    add_disk("vdb", "pwabcdefgh01", 8);
    expect_refused("pwabcdefgh01", Bytes{4096}, "2 disks have this serial");
}

TEST_F(DiskBySerial, IsRefusedWithAnotherSize) {
    add_disk("vda", "pwabcdefgh01", 8);
    expect_refused("pwabcdefgh01", Bytes{4608}, "4096 bytes, not 4608");
}

TEST_F(DiskBySerial, IsRefusedWithoutASerialEvenIfADiskHasNone) {
    add_disk("vda", "", 8);
    expect_refused("", Bytes{4096}, "without a serial");
}

TEST_F(DiskBySerial, IsNotThereUntilItHasANode) {
    folder_.put("block/vda/serial", "pwabcdefgh01");
    expect_refused("pwabcdefgh01", Bytes{4096}, "no disk has this serial");
}

TEST(DiskAt, IsARegularFileOfExactlyThatSize) {
    const test::ScratchFolder folder;
    const std::string path = folder.put("disk", std::string(1024, 'x'));

    EXPECT_EQ(check_disk_at(path, Bytes{1024}).path, path);
    EXPECT_FALSE(check_disk_at(path, Bytes{1024}).counters());
    for (const auto& [wrong_path, size] :
         {std::pair{path, 1023U}, std::pair{path, 1025U}, std::pair{path + "x", 1024U},
          std::pair{folder.path().string(), 1024U}, std::pair{std::string{"disk"}, 1024U},
          std::pair{std::string{"/dev/null"}, 0U}}) {
        EXPECT_EQ(test::code_of([&, p = wrong_path, s = size] {
                      static_cast<void>(check_disk_at(p, Bytes{s}));
                  }),
                  ErrorCode::refused)
            << wrong_path << " " << size;
    }
}

}  // namespace
}  // namespace poolwise::guest_runner
