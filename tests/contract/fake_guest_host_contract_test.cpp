// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/guest_host_contract.hpp"
#include "tests/fakes/fake_guest_host.hpp"

namespace poolwise::test {
namespace {

class FakeSubject final : public GuestHostSubject {
public:
    GuestHost& host() override { return host_; }

    GuestSpec spec(const std::string& name) override {
        GuestSpec spec;
        spec.name = name;
        spec.run_id = "contrac2";
        return spec;
    }

    GuestDisk disk(const std::string& serial) override {
        return {.serial = serial, .path = "/fake/" + serial, .format = Format::raw, .driver = {}};
    }

    void write(ByteChannel& /*channel*/, const std::string& name, const std::string& serial,
               unsigned mebibytes) override {
        host_.add_io(name, serial,
                     {.read_requests = 0,
                      .write_requests = mebibytes,
                      .flush_requests = 1,
                      .read_bytes = {},
                      .write_bytes = Bytes{std::uint64_t{mebibytes} << 20U}});
    }

    void crash(ByteChannel& /*channel*/, const std::string& name) override { host_.crash(name); }

    std::string foreign_guest() override {
        host_.add_foreign_guest("customer");
        return "customer";
    }

private:
    FakeGuestHost host_;
};

INSTANTIATE_TEST_SUITE_P(Fake, GuestHostContract,
                         testing::Values([] { return std::make_unique<FakeSubject>(); }));

TEST(FakeGuestHost, FailsOnceWhereItIsTold) {
    FakeGuestHost host;
    host.fail_next(Error{ErrorCode::hypervisor_failed, "told"});
    host.fail_next("qemu_version", Error{ErrorCode::timed_out, "told"});

    EXPECT_EQ(code_of([&] { return host.libvirt_version(); }), ErrorCode::hypervisor_failed);
    EXPECT_EQ(host.libvirt_version(), "9.0.0");
    EXPECT_EQ(code_of([&] { return host.qemu_version(); }), ErrorCode::timed_out);
    EXPECT_EQ(host.qemu_version(), "7.2.22");
}

TEST(FakeGuestHost, AGuestThatHoldsItsDiskMakesDetachTimeOut) {
    FakeGuestHost host;
    GuestSpec spec;
    spec.name = "holder";
    host.start_guest(spec);
    host.attach_disk("holder", {.serial = "s", .path = "/fake/s", .format = {}, .driver = {}});
    host.hold_disks("holder");

    EXPECT_EQ(code_of([&] { return host.detach_disk("holder", "s"), 0; }), ErrorCode::timed_out);
    EXPECT_EQ(host.disks("holder").size(), 1U);
}

}  // namespace
}  // namespace poolwise::test
