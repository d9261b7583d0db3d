// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/cpio_writer.hpp"

#include <gmock/gmock.h>

#include "tests/unit/guest_runner/image/cpio_reader.hpp"

namespace poolwise::guest_runner {
namespace {

TEST(CpioWriter, KeepsPathsModesAndContentWhateverTheirLength) {
    CpioWriter writer;
    writer.add_directory("lib", 0755);
    for (std::size_t size = 0; size < 9; ++size) {
        writer.add_file("lib/" + std::string(size + 1, 'f'), std::string(size, 'c'), 0644);
    }
    writer.add_character_device("dev", 0600, 5, 1);

    const auto entries = test::read_cpio(writer.finish());

    ASSERT_EQ(entries.size(), 11U);
    EXPECT_EQ(entries[0].path, "lib");
    EXPECT_EQ(entries[0].mode, 0040755U);
    for (std::size_t size = 0; size < 9; ++size) {
        EXPECT_EQ(entries[size + 1].path, "lib/" + std::string(size + 1, 'f'));
        EXPECT_EQ(entries[size + 1].content, std::string(size, 'c'));
        EXPECT_EQ(entries[size + 1].mode, 0100644U);
    }
    EXPECT_EQ(entries[10].mode, 0020600U);
    EXPECT_EQ(entries[10].device_major, 5U);
    EXPECT_EQ(entries[10].device_minor, 1U);
}

TEST(CpioWriter, PutsNothingOfItsSurroundingsIntoTheArchive) {
    CpioWriter writer;
    writer.add_directory("a", 0755);
    writer.add_file("a/b", "text", 0644);

    const auto entries = test::read_cpio(writer.finish());

    for (std::size_t i = 0; i < entries.size(); ++i) {
        EXPECT_EQ(entries[i].inode, i + 1);
        EXPECT_EQ(entries[i].owner, 0U);
        EXPECT_EQ(entries[i].time, 0U);
    }
}

}  // namespace
}  // namespace poolwise::guest_runner
