// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/storage_contract.hpp"
#include "tests/fakes/fake_storage.hpp"

namespace poolwise::test {
namespace {

class FakeSubject final : public StorageSubject {
public:
    FakeSubject() {
        storage_.add_directory_pool("fast", Bytes{std::uint64_t{1} << 30U});
        storage_.add_pool({.name = "asleep",
                           .type = "dir",
                           .path = "/fake/asleep",
                           .active = false,
                           .autostart = false,
                           .persistent = true,
                           .capacity = {},
                           .available = {},
                           .formats = {},
                           .remark = "pool 'asleep' is inactive"});
        storage_.add_directory(free_directory());
    }

    Storage& storage() override { return storage_; }
    std::string pool() override { return "fast"; }
    std::string inactive_pool() override { return "asleep"; }
    std::string free_directory() override { return "/fake/free"; }
    bool makes_images() override { return true; }

private:
    FakeStorage storage_;
};

INSTANTIATE_TEST_SUITE_P(Fake, StorageContract,
                         testing::Values([] { return std::make_unique<FakeSubject>(); }));

TEST(FakeStorage, FailsOnceWhereItIsTold) {
    FakeStorage storage;
    storage.add_directory_pool("fast", Bytes{1024});
    storage.fail_next(Error{ErrorCode::hypervisor_failed, "told"});
    storage.fail_next("volumes", Error{ErrorCode::timed_out, "told"});

    EXPECT_EQ(code_of([&] { return storage.pools(); }), ErrorCode::hypervisor_failed);
    EXPECT_EQ(storage.pools().size(), 1U);
    EXPECT_EQ(code_of([&] { return storage.volumes("fast"); }), ErrorCode::timed_out);
    EXPECT_TRUE(storage.volumes("fast").empty());
}

}  // namespace
}  // namespace poolwise::test
