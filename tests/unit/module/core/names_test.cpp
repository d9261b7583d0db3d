// SPDX-License-Identifier: Apache-2.0
#include "module/core/names.hpp"

#include <gtest/gtest.h>

namespace poolwise {
namespace {

TEST(Names, RunIdIsEightBase32CharactersFromTheBitsGiven) {
    EXPECT_EQ(make_run_id(0), "aaaaaaaa");
    EXPECT_EQ(make_run_id((1ULL << 40U) - 1), "77777777");
    EXPECT_TRUE(is_run_id(make_run_id(0x123456789abcdef0ULL)));
    EXPECT_FALSE(is_run_id("aaaaaaa"));
    EXPECT_FALSE(is_run_id("aaaaaaa1"));
    EXPECT_FALSE(is_run_id("AAAAAAAA"));
}

TEST(Names, SerialFitsIntoVirtioAndDomainNameIntoFortyBytes) {
    EXPECT_EQ(disk_serial("abcdefgh", 7), "pwabcdefgh07");
    EXPECT_LE(disk_serial("abcdefgh", 99).size(), 20U);
    EXPECT_EQ(object_name("abcdefgh", 7), "poolwise-abcdefgh-07");
    EXPECT_LE(object_name("abcdefgh", "guest").size(), 40U);
}

TEST(Names, OnlyNamesOfTheRunItselfAreItsObjects) {
    EXPECT_TRUE(is_object_of("poolwise-abcdefgh-01", "abcdefgh"));
    EXPECT_TRUE(is_object_of("poolwise-abcdefgh-01-overlay.qcow2", "abcdefgh"));
    EXPECT_TRUE(is_object_of("poolwise-abcdefgh-guest", "abcdefgh"));
    for (const char* foreign :
         {"poolwise-abcdefg2-01", "poolwise-abcdefgh", "poolwise-abcdefgh-", "poolwise-abcdefgh-A",
          "xpoolwise-abcdefgh-01", "poolwise-abcdefghi-01", "poolwise-abcdefgh-../x",
          "poolwise-abcdefgh-01 ", "", "vm-100-disk-0"}) {
        EXPECT_FALSE(is_object_of(foreign, "abcdefgh")) << foreign;
    }
    EXPECT_FALSE(is_object_of("poolwise--01", ""));
}

}  // namespace
}  // namespace poolwise
