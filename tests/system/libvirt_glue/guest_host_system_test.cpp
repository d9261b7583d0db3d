// SPDX-License-Identifier: Apache-2.0
// LibvirtGuestHost on the system's libvirtd, with real guests under emulation.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <thread>

#include <sys/mount.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/contract/guest_host_contract.hpp"
#include "tests/system/libvirt_glue/echo_guest.hpp"

namespace poolwise::test {
namespace {

using namespace std::chrono_literals;
using libvirt_glue::GuestHostLimits;
using testing::HasSubstr;

std::string run(const std::string& command) {
    FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    std::string output;
    char buffer[256];
    while (pipe != nullptr && std::fgets(buffer, sizeof buffer, pipe) != nullptr) output += buffer;
    if (pipe == nullptr || pclose(pipe) != 0) throw std::runtime_error{command + ": " + output};
    return output.substr(0, output.find_last_not_of('\n') + 1);
}

pid_t pid_in(const std::string& path) {
    pid_t pid = 0;
    std::ifstream{path} >> pid;
    return pid;
}

/// Prints how long something took, as a property of the test too.
template <typename Call>
Seconds timed(const std::string& what, Call&& call) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    const Seconds taken = std::chrono::steady_clock::now() - begin;
    std::cout << "  " << what << ": " << taken.count() << " s\n";
    testing::Test::RecordProperty(what, std::to_string(taken.count()));
    return taken;
}

template <typename Condition>
bool becomes_true(Condition condition, std::chrono::seconds limit) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(50ms);
    }
    return true;
}

class GuestHostSystem : public testing::Test {
protected:
    explicit GuestHostSystem(GuestHostLimits limits = {})
        : guests_{std::make_unique<EchoGuests>(limits)} {}

    void SetUp() override {
        if (const auto trouble = guests_->trouble(); !trouble.empty()) GTEST_SKIP() << trouble;
        timed("start", [&] { host().start_guest(guests_->spec(name_)); });
        channel_ = host().open_channel(name_);
        timed("hello after start", [&] { EXPECT_EQ(ask("ready?"), "hello"); });
        EXPECT_EQ(read_line(*channel_, 10s), "ready?");
    }

    libvirt_glue::LibvirtGuestHost& host() { return guests_->host(); }

    std::string ask(const std::string& line) {
        write_line(*channel_, line);
        return read_line(*channel_, 60s);
    }

    pid_t qemu() { return pid_in("/run/libvirt/qemu/" + name_ + ".pid"); }

    const std::string name_ = object_name("systest2", "guest");
    const std::string serial_ = disk_serial("systest2", 1);
    const std::unique_ptr<EchoGuests> guests_;
    std::unique_ptr<ByteChannel> channel_;
};

TEST_F(GuestHostSystem, TheChannelKeepsLinesInOrder) {
    for (int i = 0; i < 200; ++i) write_line(*channel_, "line " + std::to_string(i));

    for (int i = 0; i < 200; ++i) {
        ASSERT_EQ(read_line(*channel_, 10s), "line " + std::to_string(i));
    }
}

TEST_F(GuestHostSystem, TheChannelKeepsWhatAFastGuestSends) {
    const std::string line(1023, 'x');
    constexpr std::size_t kLines = 4096;
    for (std::size_t i = 0; i < kLines; ++i) channel_->write(line + '\n', 10s);

    std::size_t received = 0;
    std::vector<char> bytes(64U << 10U);
    while (received < kLines * 1024) {
        const std::size_t size = channel_->read(bytes, 10s);
        ASSERT_GT(size, 0U) << received << " bytes received";
        received += size;
    }
}

TEST_F(GuestHostSystem, AGuestThatNobodyReadsFailsBeforeItFillsTheMemory) {
    const std::string line((64U << 10U) - 1, 'x');
    const Error error = test::error_of([&] {
        while (true) channel_->write(line + '\n', 60s);
    });

    EXPECT_EQ(error.code(), ErrorCode::guest_failed);
    EXPECT_THAT(error.what(), HasSubstr("the guest sent more than 16 MiB that nobody read"));
}

TEST_F(GuestHostSystem, TheChannelIsNeverSlowWhileCallsRunBesideIt) {
    std::atomic<bool> done = false;
    std::thread calls{[&] {
        while (!done) host().cpu_time(name_);
    }};
    Seconds slowest{0};
    for (int i = 0; i < 500; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        ASSERT_EQ(ask("line"), "line");
        slowest = std::max<Seconds>(slowest, std::chrono::steady_clock::now() - begin);
    }
    done = true;
    calls.join();

    // A lost wake-up takes until the next keepalive: 5 s.
    EXPECT_LT(slowest, Seconds{3});
}

TEST_F(GuestHostSystem, ADiskIsSeenAfterAttachAndGoneWhenDetachReturns) {
    const GuestDisk disk = guests_->disk(serial_);
    EXPECT_EQ(ask("disks"), "disks pwtools");

    const Seconds attach = timed("attach", [&] { host().attach_disk(name_, disk); });
    EXPECT_TRUE(becomes_true([&] { return ask("disks") == "disks pwtools " + serial_; }, 10s));
    const Seconds detach = timed("detach", [&] { host().detach_disk(name_, serial_); });

    EXPECT_EQ(ask("disks"), "disks pwtools");
    // Without polling it is half a second; the rest is for a machine with other work.
    EXPECT_LT(attach + detach, Seconds{5});
}

TEST_F(GuestHostSystem, CpuTimeGrowsWithWork) {
    host().attach_disk(name_, guests_->disk(serial_));
    const Seconds before = host().cpu_time(name_);

    guests_->write(*channel_, name_, serial_, 16);

    EXPECT_GT(host().cpu_time(name_), before);
}

TEST_F(GuestHostSystem, VersionsAreThoseOfTheNode) {
    EXPECT_THAT(run("virsh version --daemon"), HasSubstr("daemon: " + host().libvirt_version()));
    EXPECT_THAT(run("qemu-system-x86_64 --version"), HasSubstr(host().qemu_version()));
}

TEST_F(GuestHostSystem, EveryShapeOfDiskAttachesAndReadsBackAsAsked) {
    std::vector<GuestDisk> shapes;
    const std::string raw = sparse_file(guests_->folder(), "shape & 'raw' \"ü\", x.raw", 16);
    const std::string qcow2 = qcow2_file(guests_->folder(), "shape.qcow2", 16);
    const std::string overlay = qcow2_file(guests_->folder(), "overlay.qcow2", 16,
                                           sparse_file(guests_->folder(), "base.raw", 16));
    for (const auto& [cache, cache_name] : kCacheModeNames) {
        for (const IoMode io : {IoMode::native, IoMode::threads, IoMode::io_uring}) {
            if (io == IoMode::native && !bypasses_host_cache(cache)) continue;
            shapes.push_back({serial_, raw, Format::raw, {.cache = cache, .io = io}});
        }
    }
    shapes.push_back({serial_, qcow2, Format::qcow2, {.discard = Discard::unmap}});
    shapes.push_back({serial_, overlay, Format::qcow2, {}});
    shapes.push_back({serial_, qcow2, Format::qcow2, {.queues = 1, .iothread = true}});
    shapes.push_back({serial_, raw, Format::raw, {.iops_limit = Iops{200}}});

    for (const GuestDisk& shape : shapes) {
        const std::string what = shape.path + ' ' +
                                 std::string{enum_name(kCacheModeNames, shape.driver.cache)} + ' ' +
                                 std::string{enum_name(kIoModeNames, shape.driver.io)};
        SCOPED_TRACE(what);
        ASSERT_NO_THROW(host().attach_disk(name_, shape));
        EXPECT_EQ(host().live_driver(name_, serial_), shape.driver);
        guests_->write(*channel_, name_, serial_, 1);
        EXPECT_GE(host().block_counters(name_, serial_).write_bytes, Bytes{1U << 20U});
        ASSERT_NO_THROW(host().detach_disk(name_, serial_));
    }
}

TEST_F(GuestHostSystem, ABlockDeviceAttachesByItsPath) {
    const std::string file = sparse_file(guests_->folder(), "loop", 16);
    std::string loop;
    try {
        loop = run("losetup -f --show '" + file + "'");
    } catch (const std::runtime_error& error) {
        GTEST_SKIP() << "no loop device: " << error.what();
    }

    EXPECT_NO_THROW(host().attach_disk(name_, {serial_, loop, Format::raw, {}}));
    guests_->write(*channel_, name_, serial_, 1);
    host().detach_disk(name_, serial_);

    EXPECT_NO_THROW(run("losetup -d " + loop));
}

TEST_F(GuestHostSystem, NativeIoThroughTheCacheIsRefusedWithAdvice) {
    GuestDisk disk = guests_->disk(serial_);
    disk.driver.cache = CacheMode::writeback;

    EXPECT_EQ(code_of([&] { return host().attach_disk(name_, disk), 0; }),
              ErrorCode::invalid_request);
}

TEST_F(GuestHostSystem, AFileBelowAClosedDirectoryIsNamedInTheError) {
    const auto closed = guests_->folder().path() / "closed";
    std::filesystem::create_directory(closed);
    std::filesystem::permissions(closed, std::filesystem::perms{0700});
    const std::string path = sparse_file(guests_->folder(), "closed/disk.raw", 16);

    std::string text;
    try {
        host().attach_disk(name_, {serial_, path, Format::raw, {}});
    } catch (const Error& error) {
        text = error.what();
    }

    EXPECT_THAT(text, HasSubstr("Permission denied"));
    EXPECT_THAT(text, HasSubstr("every directory above '" + path + "'"));
    EXPECT_THAT(text, HasSubstr("AppArmor"));
}

/// Has a file system of 4 MiB, mounted before the guest starts: QEMU lives in a mount namespace.
class SmallFileSystem : public GuestHostSystem {
protected:
    void SetUp() override {
        std::filesystem::create_directory(mount_point_);
        mounted_ = mount("poolwise", mount_point_.c_str(), "tmpfs", 0, "size=4m,mode=0711") == 0;
        if (!mounted_) GTEST_SKIP() << "no tmpfs can be mounted here";
        GuestHostSystem::SetUp();
    }

    void TearDown() override {
        if (!mounted_) return;
        host().destroy_guest(name_);
        EXPECT_EQ(umount(mount_point_.c_str()), 0);
    }

    const std::filesystem::path mount_point_ = guests_->folder().path() / "small";
    bool mounted_ = false;
};

TEST_F(SmallFileSystem, ItsEndIsTroubleByName) {
    const std::string path = sparse_file(guests_->folder(), "small/disk.raw", 16);
    const DiskDriver cached{.cache = CacheMode::writeback, .io = IoMode::threads};
    host().attach_disk(name_, {serial_, path, Format::raw, cached});

    write_line(*channel_, "write " + serial_ + " 8");

    EXPECT_TRUE(becomes_true([&] { return host().trouble(name_).has_value(); }, 30s));
    const auto trouble = host().trouble(name_).value_or(GuestTrouble{});
    EXPECT_TRUE(trouble.out_of_space) << trouble.what;
    EXPECT_THAT(trouble.what, HasSubstr("no space left"));
}

TEST_F(GuestHostSystem, AGuestSurvivesARestartOfLibvirtdAndCallsWorkAgain) {
    const pid_t daemon = pid_in("/run/libvirtd.pid");
    if (std::filesystem::exists("/run/systemd/system") || daemon <= 0) {
        GTEST_SKIP() << "libvirtd is not one that this test may restart";
    }
    host().attach_disk(name_, guests_->disk(serial_));

    kill(daemon, SIGTERM);
    ASSERT_TRUE(becomes_true([&] { return kill(daemon, 0) != 0; }, 30s));
    EXPECT_FALSE(host().trouble(name_)) << "a daemon that is away is not the guest's trouble";
    run("libvirtd -d");

    EXPECT_ANY_THROW(read_line(*channel_, 10s));
    channel_ = host().open_channel(name_);
    guests_->write(*channel_, name_, serial_, 2);
    EXPECT_EQ(host().block_counters(name_, serial_).write_bytes, Bytes{2U << 20U});
    timed("detach after restart", [&] { host().detach_disk(name_, serial_); });
    EXPECT_FALSE(host().trouble(name_));
    write_line(*channel_, "poweroff");
    EXPECT_TRUE(becomes_true([&] { return host().trouble(name_).has_value(); }, 20s));
}

class ImpatientGuestHostSystem : public GuestHostSystem {
protected:
    ImpatientGuestHostSystem()
        : GuestHostSystem{GuestHostLimits{.query = Seconds{2}, .detach = Seconds{3}}} {}
};

TEST_F(ImpatientGuestHostSystem, ADiskThatTheGuestKeepsTimesOut) {
    host().attach_disk(name_, guests_->disk(serial_));
    run("virsh suspend " + name_);

    EXPECT_EQ(code_of([&] { return host().detach_disk(name_, serial_), 0; }), ErrorCode::timed_out);
    EXPECT_NO_THROW(host().live_driver(name_, serial_)) << "the disk is still there";
    ASSERT_TRUE(host().trouble(name_));
    EXPECT_EQ(host().trouble(name_)->what, "paused");

    run("virsh resume " + name_);
}

TEST_F(ImpatientGuestHostSystem, AFrozenQemuHoldsNobodyAndCanBeDestroyed) {
    host().attach_disk(name_, guests_->disk(serial_));
    kill(qemu(), SIGSTOP);

    EXPECT_EQ(code_of([&] { return host().block_counters(name_, serial_); }), ErrorCode::timed_out);
    const std::string much(8U << 20U, 'x');
    EXPECT_EQ(code_of([&] { return channel_->write(much, 500ms), 0; }), ErrorCode::timed_out);
    EXPECT_LT(timed("close", [&] { channel_->close(); }), Seconds{1});
    EXPECT_TRUE(host().guest_exists(name_)) << "other calls go on";
    EXPECT_LT(timed("destroy", [&] { host().destroy_guest(name_); }), Seconds{15});

    EXPECT_FALSE(host().guest_exists(name_));
}

INSTANTIATE_TEST_SUITE_P(Libvirt, GuestHostContract,
                         testing::Values([] { return std::make_unique<EchoGuests>(); }));

}  // namespace
}  // namespace poolwise::test
