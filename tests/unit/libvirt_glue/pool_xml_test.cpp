// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/pool_xml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/libvirt_glue/schema.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::libvirt_glue {
namespace {

constexpr PoolState kRunning{.active = true, .autostart = true, .persistent = true};
constexpr PoolState kStopped{.active = false, .autostart = false, .persistent = true};

std::string described(const std::string& type, const std::string& name = "fast") {
    return "<pool type='" + type + "'><name>" + name +
           "</name><capacity unit='bytes'>1000</capacity><allocation unit='bytes'>300</allocation>"
           "<available unit='bytes'>700</available><target><path>/srv/fast</path></target></pool>";
}

TEST(PoolXml, ADirectoryPoolIsANameAndAPath) {
    EXPECT_EQ(directory_pool_xml("poolwise-abcdefgh-pool", "/srv/a&b<c> \"d\" ü"),
              "<pool type=\"dir\">\n"
              "  <name>poolwise-abcdefgh-pool</name>\n"
              "  <target>\n"
              "    <path>/srv/a&amp;b&lt;c&gt; \"d\" ü</path>\n"
              "  </target>\n"
              "</pool>\n");
}

TEST(PoolXml, FollowsLibvirtsSchemaWithAnyName) {
    if (const auto trouble = test::schema_trouble(); !trouble.empty()) GTEST_SKIP() << trouble;
    for (const char* name : {"fast", "Data Drive", "a&b<c>", "pool\"q", "it's", "ü-pool"}) {
        EXPECT_TRUE(test::follows_schema(directory_pool_xml(name, "/srv/" + std::string{name}),
                                         "storagepool"));
    }
}

TEST(PoolXml, ActiveFilePoolsCanBeMeasured) {
    for (const char* type : {"dir", "fs", "netfs"}) {
        const PoolInfo pool = parse_pool_xml(described(type), kRunning);

        EXPECT_THAT(pool.formats,
                    testing::ElementsAre(Format::raw, Format::qcow2, Format::vmdk, Format::vpc))
            << type;
        EXPECT_EQ(pool.remark, "") << type;
    }
}

TEST(PoolXml, ReadsWhatLibvirtWrites) {
    EXPECT_EQ(parse_pool_xml(described("dir", "a&amp;b&lt;c&gt; ü"), kRunning),
              (PoolInfo{.name = "a&b<c> ü",
                        .type = "dir",
                        .path = "/srv/fast",
                        .active = true,
                        .autostart = true,
                        .persistent = true,
                        .capacity = Bytes{1000},
                        .available = Bytes{700},
                        .formats = {Format::raw, Format::qcow2, Format::vmdk, Format::vpc},
                        .remark = ""}));
}

TEST(PoolXml, AnInactivePoolHasNoSpaceAndSaysHowToStartIt) {
    const PoolInfo pool = parse_pool_xml(described("dir"), kStopped);

    EXPECT_THAT(pool.formats, testing::IsEmpty());
    EXPECT_EQ(pool.capacity, Bytes{0});
    EXPECT_EQ(pool.available, Bytes{0});
    EXPECT_EQ(pool.remark, "pool 'fast' is inactive: start it with `virsh pool-start fast`");
}

TEST(PoolXml, TheCommandToStartAPoolSurvivesAShell) {
    EXPECT_EQ(inactive_remark("Data Drive's"),
              "pool 'Data Drive's' is inactive: start it with "
              "`virsh pool-start 'Data Drive'\\''s'`");
}

TEST(PoolXml, OtherTypesSayThatTheyAreNotMeasured) {
    EXPECT_EQ(parse_pool_xml(described("logical"), kRunning).remark,
              "LVM pools are not measured by this version");
    for (const char* type : {"zfs", "disk", "iscsi", "rbd", "mpath"}) {
        const PoolInfo pool = parse_pool_xml(described(type), kRunning);

        EXPECT_THAT(pool.formats, testing::IsEmpty()) << type;
        EXPECT_EQ(pool.remark,
                  "'" + std::string{type} + "' pools are not measured by this version");
    }
}

TEST(PoolXml, TextThatIsNoPoolIsAnError) {
    EXPECT_EQ(test::code_of([] { return parse_pool_xml("<volume/>", kRunning); }),
              ErrorCode::hypervisor_failed);
}

}  // namespace
}  // namespace poolwise::libvirt_glue
