// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/volume_xml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/libvirt_glue/schema.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::libvirt_glue {
namespace {

using namespace poolwise::literals;

VolumeSpec spec_of(Format format, FormatOptions options = {}) {
    return {.ref = {"fast", "poolwise-abcdefgh-01.img"},
            .format = format,
            .options = options,
            .capacity = 64_MiB,
            .backing = {}};
}

TEST(VolumeXml, ASparseRawVolumeTakesNothingFromThePool) {
    EXPECT_EQ(volume_xml(spec_of(Format::raw), {}),
              "<volume>\n"
              "  <name>poolwise-abcdefgh-01.img</name>\n"
              "  <capacity unit=\"bytes\">67108864</capacity>\n"
              "  <allocation unit=\"bytes\">0</allocation>\n"
              "  <target>\n"
              "    <format type=\"raw\" />\n"
              "  </target>\n"
              "</volume>\n");
}

TEST(VolumeXml, Qcow2CarriesItsOptions) {
    const auto spec = spec_of(
        Format::qcow2,
        {.preallocation = Preallocation::falloc, .cluster_size = 128_KiB, .extended_l2 = true});

    EXPECT_EQ(volume_xml(spec, {}),
              "<volume>\n"
              "  <name>poolwise-abcdefgh-01.img</name>\n"
              "  <capacity unit=\"bytes\">67108864</capacity>\n"
              "  <allocation unit=\"bytes\">67108864</allocation>\n"
              "  <target>\n"
              "    <format type=\"qcow2\" />\n"
              "    <compat>1.1</compat>\n"
              "    <clusterSize unit=\"bytes\">131072</clusterSize>\n"
              "    <features>\n"
              "      <extended_l2 />\n"
              "    </features>\n"
              "  </target>\n"
              "</volume>\n");
}

TEST(VolumeXml, AnOverlayNamesItsBackingFileAndFormat) {
    const VolumeInfo backing{.ref = {"fast", "base"},
                             .path = "/a&b<c>/base",
                             .format = Format::raw,
                             .capacity = 64_MiB,
                             .allocation = {}};

    EXPECT_THAT(volume_xml(spec_of(Format::qcow2), backing),
                testing::HasSubstr("  <backingStore>\n"
                                   "    <path>/a&amp;b&lt;c&gt;/base</path>\n"
                                   "    <format type=\"raw\" />\n"
                                   "  </backingStore>\n"));
}

TEST(VolumeXml, EveryVariantFollowsLibvirtsSchema) {
    if (const auto trouble = test::schema_trouble(); !trouble.empty()) GTEST_SKIP() << trouble;
    const VolumeInfo backing{.ref = {"fast", "base"},
                             .path = "/srv/base",
                             .format = Format::raw,
                             .capacity = 64_MiB,
                             .allocation = {}};
    for (const auto preallocation : {Preallocation::none, Preallocation::falloc}) {
        for (const bool extended : {false, true}) {
            const auto spec = spec_of(
                Format::qcow2,
                {.preallocation = preallocation, .cluster_size = 64_KiB, .extended_l2 = extended});
            EXPECT_TRUE(test::follows_schema(volume_xml(spec, {}), "storagevol"));
            EXPECT_TRUE(test::follows_schema(volume_xml(spec, backing), "storagevol"));
        }
    }
    EXPECT_TRUE(test::follows_schema(volume_xml(spec_of(Format::raw), {}), "storagevol"));
}

TEST(VolumeXml, ReadsWhatLibvirtWrites) {
    const auto volume = parse_volume_xml("a&b", R"(<volume type='file'>
  <name>ü &amp; &lt;x&gt;.qcow2</name>
  <capacity unit='bytes'>67108864</capacity>
  <allocation unit='bytes'>397312</allocation>
  <physical unit='bytes'>393224</physical>
  <target>
    <path>/srv/p &amp;/ü &amp; &lt;x&gt;.qcow2</path>
    <format type='qcow2'/>
  </target>
</volume>)");

    ASSERT_TRUE(volume);
    EXPECT_EQ(*volume, (VolumeInfo{.ref = {"a&b", "ü & <x>.qcow2"},
                                   .path = "/srv/p &/ü & <x>.qcow2",
                                   .format = Format::qcow2,
                                   .capacity = 64_MiB,
                                   .allocation = Bytes{397312}}));
}

TEST(VolumeXml, OtherFormatsAreNotShown) {
    EXPECT_FALSE(parse_volume_xml("fast",
                                  "<volume><name>debian.iso</name><target>"
                                  "<format type='iso'/></target></volume>"));
}

TEST(VolumeXml, TextThatIsNoVolumeIsAnError) {
    EXPECT_EQ(test::code_of([] { return parse_volume_xml("fast", "<pool/>"); }),
              ErrorCode::hypervisor_failed);
    EXPECT_EQ(test::code_of([] { return parse_volume_xml("fast", ""); }),
              ErrorCode::hypervisor_failed);
}

TEST(VolumeSpec, AnOverlayIsQcow2WithoutPreallocation) {
    VolumeSpec overlay = spec_of(Format::qcow2);
    overlay.backing = VolumeRef{"fast", "base"};
    EXPECT_NO_THROW(check_volume_spec(overlay));

    overlay.options.preallocation = Preallocation::metadata;
    EXPECT_EQ(test::code_of([&] { check_volume_spec(overlay); }), ErrorCode::invalid_request);
    overlay = spec_of(Format::raw);
    overlay.backing = VolumeRef{"fast", "base"};
    EXPECT_EQ(test::code_of([&] { check_volume_spec(overlay); }), ErrorCode::invalid_request);
}

TEST(VolumeSpec, Qcow2IsNeverWrittenInFull) {
    EXPECT_EQ(test::code_of([] {
                  check_volume_spec(spec_of(Format::qcow2, {.preallocation = Preallocation::full,
                                                            .cluster_size = {},
                                                            .extended_l2 = false}));
              }),
              ErrorCode::invalid_request);
}

}  // namespace
}  // namespace poolwise::libvirt_glue
