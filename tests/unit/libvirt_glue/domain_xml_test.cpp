// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/domain_xml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libvirt_glue/qemu_messages.hpp"
#include "tests/unit/libvirt_glue/schema.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::libvirt_glue {
namespace {

using testing::HasSubstr;
using testing::Not;

GuestSpec guest() {
    return {.name = "poolwise-abcdefgh-guest",
            .run_id = "abcdefgh",
            .accelerator = Accelerator::tcg,
            .vcpus = 2,
            .iothreads = 1,
            .memory = Bytes{std::uint64_t{384} << 20U},
            .kernel_path = "/srv/image/kernel",
            .initramfs_path = "/srv/image/initramfs",
            .tools_disk_path = "/srv/image/tools.ext4"};
}

GuestDisk disk() {
    return {.serial = "pwabcdefgh01",
            .path = "/srv/a&b/'x' \"y\" <z>.qcow2",
            .format = Format::qcow2,
            .driver = {.cache = CacheMode::directsync,
                       .io = IoMode::native,
                       .discard = Discard::unmap,
                       .queues = 4,
                       .iothread = true,
                       .iops_limit = Iops{200}}};
}

std::string in_domain(const std::string& disk) {
    return "<domain type='qemu'><name>x</name><memory>65536</memory><iothreads>2</iothreads>"
           "<os><type>hvm</type></os><devices>" +
           disk + "</devices></domain>";
}

TEST(DomainXml, AGuestIsATransientMachineWithNothingButConsoleChannelAndTools) {
    EXPECT_EQ(guest_domain_xml(guest()),
              "<domain type=\"qemu\">\n"
              "  <name>poolwise-abcdefgh-guest</name>\n"
              "  <metadata>\n"
              "    <poolwise:run xmlns:poolwise=\"https://poolwise.example/domain/1\">abcdefgh"
              "</poolwise:run>\n"
              "  </metadata>\n"
              "  <memory unit=\"bytes\">402653184</memory>\n"
              "  <vcpu>2</vcpu>\n"
              "  <iothreads>1</iothreads>\n"
              "  <os>\n"
              "    <type arch=\"x86_64\" machine=\"pc\">hvm</type>\n"
              "    <kernel>/srv/image/kernel</kernel>\n"
              "    <initrd>/srv/image/initramfs</initrd>\n"
              "    <cmdline>console=ttyS0 quiet loglevel=3 panic=-1</cmdline>\n"
              "  </os>\n"
              "  <features>\n"
              "    <acpi />\n"
              "    <apic />\n"
              "  </features>\n"
              "  <on_poweroff>destroy</on_poweroff>\n"
              "  <on_reboot>destroy</on_reboot>\n"
              "  <on_crash>destroy</on_crash>\n"
              "  <devices>\n"
              "    <disk type=\"file\" device=\"disk\">\n"
              "      <source file=\"/srv/image/tools.ext4\" />\n"
              "      <driver name=\"qemu\" type=\"raw\" />\n"
              "      <target dev=\"vda\" bus=\"virtio\" />\n"
              "      <serial>pwtools</serial>\n"
              "      <readonly />\n"
              "    </disk>\n"
              "    <controller type=\"usb\" model=\"none\" />\n"
              "    <controller type=\"virtio-serial\" />\n"
              "    <channel type=\"unix\">\n"
              "      <target type=\"virtio\" name=\"org.poolwise.engine.0\" />\n"
              "    </channel>\n"
              "    <serial type=\"pty\" />\n"
              "    <memballoon model=\"none\" />\n"
              "  </devices>\n"
              "</domain>\n");
}

TEST(DomainXml, OnlyAKvmGuestHasTheHostsProcessor) {
    GuestSpec spec = guest();
    spec.accelerator = Accelerator::kvm;

    EXPECT_THAT(guest_domain_xml(spec), HasSubstr("<domain type=\"kvm\">"));
    EXPECT_THAT(guest_domain_xml(spec), HasSubstr("<cpu mode=\"host-passthrough\" />"));
    EXPECT_THAT(guest_domain_xml(guest()), Not(HasSubstr("<cpu")));
}

TEST(DomainXml, ADiskSaysAllThatWasAsked) {
    EXPECT_EQ(disk_xml(disk(), "vdc", 2),
              "<disk type=\"file\" device=\"disk\">\n"
              "  <source file=\"/srv/a&amp;b/'x' &quot;y&quot; &lt;z>.qcow2\" />\n"
              "  <driver name=\"qemu\" type=\"qcow2\" cache=\"directsync\" io=\"native\" "
              "discard=\"unmap\" queues=\"4\" iothread=\"2\" />\n"
              "  <iotune>\n"
              "    <total_iops_sec>200</total_iops_sec>\n"
              "  </iotune>\n"
              "  <target dev=\"vdc\" bus=\"virtio\" />\n"
              "  <serial>pwabcdefgh01</serial>\n"
              "</disk>\n");
}

TEST(DomainXml, ADeviceIsABlockSourceAndAFileInSharedMemoryIsNot) {
    GuestDisk device = disk();

    device.path = "/dev/vg0/poolwise-abcdefgh-01";
    EXPECT_THAT(disk_xml(device, "vdb", {}), HasSubstr("<disk type=\"block\""));
    EXPECT_THAT(disk_xml(device, "vdb", {}), HasSubstr("<source dev=\"/dev/vg0/"));
    device.path = "/dev/shm/pool/poolwise-abcdefgh-01";
    EXPECT_THAT(disk_xml(device, "vdb", {}), HasSubstr("<disk type=\"file\""));
}

TEST(DomainXml, GuestsAndDisksFollowLibvirtsSchema) {
    if (const auto trouble = test::schema_trouble(); !trouble.empty()) GTEST_SKIP() << trouble;

    for (const auto& [accelerator, name] : kAcceleratorNames) {
        GuestSpec spec = guest();
        spec.accelerator = accelerator;
        spec.iothreads = accelerator == Accelerator::kvm ? 0 : 2;
        EXPECT_TRUE(test::follows_schema(guest_domain_xml(spec), "domain")) << name;
    }
    for (const auto& [cache, cache_name] : kCacheModeNames) {
        for (const auto& [io, io_name] : kIoModeNames) {
            GuestDisk shape = disk();
            shape.driver.cache = cache;
            shape.driver.io = io;
            EXPECT_TRUE(test::follows_schema(in_domain(disk_xml(shape, "vdb", 1)), "domain"));
        }
    }
    GuestDisk device = disk();
    device.path = "/dev/loop7";
    device.driver = {};
    EXPECT_TRUE(test::follows_schema(in_domain(disk_xml(device, "vdb", {})), "domain"));
}

TEST(DomainXml, ADriverReadsBackAsItWasWritten) {
    for (const auto& [cache, cache_name] : kCacheModeNames) {
        for (const auto& [io, io_name] : kIoModeNames) {
            GuestDisk shape = disk();
            shape.driver.cache = cache;
            shape.driver.io = io;

            const auto live = parse_live_domain(in_domain(disk_xml(shape, "vdb", 1)));

            ASSERT_NE(live.find(shape.serial), nullptr);
            EXPECT_EQ(live.find(shape.serial)->driver, shape.driver) << cache_name << io_name;
        }
    }
}

TEST(DomainXml, ALiveDomainIsReadByTheSerialsOfItsDisks) {
    const auto live = parse_live_domain(
        "<domain type='kvm' id='3'><iothreads>2</iothreads><devices>"
        "<disk type='file' device='disk'><driver name='qemu' type='raw'/><target dev='vda'/>"
        "<serial>pwtools</serial><alias name='virtio-disk0'/></disk>"
        "<disk type='file' device='disk'><driver name='qemu' type='raw' cache='none' io='native' "
        "iothread='1'/><target dev='vdb'/><serial>pwabcdefgh01</serial>"
        "<alias name='virtio-disk1'/></disk></devices></domain>");

    EXPECT_EQ(live.type, "kvm");
    ASSERT_NE(live.find("pwabcdefgh01"), nullptr);
    EXPECT_EQ(live.find("pwabcdefgh01")->target, "vdb");
    EXPECT_EQ(live.find("pwabcdefgh01")->alias, "virtio-disk1");
    EXPECT_EQ(live.find("pwabcdefgh01")->iothread, 1U);
    EXPECT_EQ(live.find("pwtools")->driver.cache, CacheMode::writeback) << "libvirt's default";
    EXPECT_EQ(live.find("pwabcdefgh02"), nullptr);
    EXPECT_EQ(free_target(live), "vdc");
    EXPECT_EQ(free_iothread(live), 2U);
}

TEST(DomainXml, ADomainWithoutAnIothreadLeftIsAConflict) {
    const auto live = parse_live_domain("<domain type='kvm'><devices/></domain>");

    EXPECT_EQ(free_target(live), "vda");
    EXPECT_EQ(test::code_of([&] { static_cast<void>(free_iothread(live)); }), ErrorCode::conflict);
}

TEST(DomainXml, TextThatIsNoDomainIsRefused) {
    for (const char* text : {"", "<pool/>", "<domain"}) {
        EXPECT_EQ(test::code_of([&] { static_cast<void>(parse_live_domain(text)); }),
                  ErrorCode::hypervisor_failed)
            << text;
    }
}

TEST(QemuMessages, PermissionDeniedNamesThePathAndPointsAtDirectoriesAndLogs) {
    const Error advised = with_advice(
        {ErrorCode::hypervisor_failed,
         "start guest 'x': internal error: process exited while connecting to monitor: could not "
         "open '/srv/tools': Permission denied"},
        {"/srv/kernel", "/srv/tools"});

    EXPECT_EQ(advised.code(), ErrorCode::hypervisor_failed);
    EXPECT_THAT(advised.what(), HasSubstr("every directory above '/srv/tools' must"));
    EXPECT_THAT(advised.what(), HasSubstr("AppArmor"));
    EXPECT_THAT(advised.what(), Not(HasSubstr("/srv/kernel")));
}

TEST(QemuMessages, NativeIoThroughTheCacheIsTheCallersMistake) {
    for (const char* words :
         {"aio=native was specified, but it requires cache.direct=on, which was not specified.",
          "unsupported configuration: io='native' needs either no disk cache or directsync cache "
          "mode"}) {
        const Error advised =
            with_advice({ErrorCode::unavailable, std::string{"attach disk 'x': "} + words}, {"/x"});

        EXPECT_EQ(advised.code(), ErrorCode::invalid_request);
        EXPECT_THAT(advised.what(), HasSubstr("cache none or directsync"));
    }
}

TEST(QemuMessages, ALockedImageIsAConflictThatNamesTheFile) {
    const Error advised = with_advice(
        {ErrorCode::hypervisor_failed,
         "attach disk 'x': Failed to get \"write\" lock Is another process using the image "
         "[/srv/x]?"},
        {"/srv/x"});

    EXPECT_EQ(advised.code(), ErrorCode::conflict);
    EXPECT_THAT(advised.what(), HasSubstr("'/srv/x' open"));
}

TEST(QemuMessages, OtherErrorsStayAsTheyAre) {
    const Error advised = with_advice({ErrorCode::no_space, "attach: disk full"}, {"/srv/x"});

    EXPECT_EQ(advised.code(), ErrorCode::no_space);
    EXPECT_STREQ(advised.what(), "attach: disk full");
}

}  // namespace
}  // namespace poolwise::libvirt_glue
