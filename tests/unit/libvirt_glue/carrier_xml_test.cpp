// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/carrier_xml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/libvirt_glue/schema.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::libvirt_glue {
namespace {

TEST(CarrierXml, ACarrierHoldsOneDiskAndOurMark) {
    EXPECT_EQ(carrier_xml("poolwise-abcdefgh-05", "/srv/a&b/poolwise-abcdefgh-05.qcow2"),
              "<domain type=\"qemu\">\n"
              "  <name>poolwise-abcdefgh-05</name>\n"
              "  <metadata>\n"
              "    <poolwise:run xmlns:poolwise=\"https://poolwise.example/domain/1\">abcdefgh"
              "</poolwise:run>\n"
              "  </metadata>\n"
              "  <memory unit=\"MiB\">64</memory>\n"
              "  <vcpu>1</vcpu>\n"
              "  <os>\n"
              "    <type machine=\"pc\">hvm</type>\n"
              "  </os>\n"
              "  <devices>\n"
              "    <disk type=\"file\" device=\"disk\">\n"
              "      <driver name=\"qemu\" type=\"qcow2\" />\n"
              "      <source file=\"/srv/a&amp;b/poolwise-abcdefgh-05.qcow2\" />\n"
              "      <target dev=\"vda\" bus=\"virtio\" />\n"
              "    </disk>\n"
              "  </devices>\n"
              "</domain>\n");
}

TEST(CarrierXml, CarrierAndSnapshotFollowLibvirtsSchemas) {
    if (const auto trouble = test::schema_trouble(); !trouble.empty()) GTEST_SKIP() << trouble;

    EXPECT_TRUE(
        test::follows_schema(carrier_xml("poolwise-abcdefgh-05", "/srv/ü 'x' \"y\""), "domain"));
    EXPECT_TRUE(test::follows_schema(snapshot_xml("a&b <c>"), "domainsnapshot"));
}

TEST(CarrierXml, OnlyNamesOfOursAreCarriers) {
    EXPECT_EQ(run_of_carrier("poolwise-abcdefgh-05"), "abcdefgh");
    for (const char* name : {"", "-", "poolwise-", "poolwise-abcdefgh", "poolwise-abcdefgh-",
                             "poolwise-abc-05", "customer-abcdefgh-05", "debian"}) {
        EXPECT_EQ(test::code_of([name] { return run_of_carrier(name); }),
                  ErrorCode::invalid_request)
            << name;
    }
}

}  // namespace
}  // namespace poolwise::libvirt_glue
