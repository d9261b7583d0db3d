// SPDX-License-Identifier: Apache-2.0
// LibvirtStorage on libvirt's own fake driver, which needs no daemon and keeps everything in
// memory.
#include "libvirt_glue/libvirt_storage.hpp"

#include <filesystem>

#include "libvirt_glue/handle.hpp"
#include "libvirt_glue/pool_xml.hpp"
#include "tests/contract/storage_contract.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace poolwise::test {
namespace {

using libvirt_glue::adopt;
using libvirt_glue::Caller;
using libvirt_glue::checked;
using libvirt_glue::LibvirtStorage;
using libvirt_glue::Pool;

void define_pool(Caller& caller, const std::string& xml) {
    caller.call("define a pool", Seconds{10}, [xml](virConnectPtr libvirt) {
        static_cast<void>(
            adopt<Pool>(virStoragePoolDefineXML(libvirt, xml.c_str(), 0), "define a pool"));
    });
}

void undefine_pool(Caller& caller, const std::string& name) {
    caller.call("undefine a pool", Seconds{10}, [name](virConnectPtr libvirt) {
        const auto pool =
            adopt<Pool>(virStoragePoolLookupByName(libvirt, name.c_str()), "find a pool");
        checked(virStoragePoolUndefine(pool.get()), "undefine a pool");
    });
}

class TestDriverSubject final : public StorageSubject {
public:
    TestDriverSubject() {
        define_pool(main_, libvirt_glue::directory_pool_xml(inactive_pool(), "/asleep"));
    }
    ~TestDriverSubject() override {
        // The fake driver is one for the whole process.
        undefine_pool(main_, inactive_pool());
    }

    Storage& storage() override { return storage_; }
    std::string pool() override { return "default-pool"; }
    std::string inactive_pool() override { return "asleep"; }
    std::string free_directory() override { return directory_.path(); }
    bool makes_images() override { return false; }

private:
    const ScratchFolder directory_;
    Caller main_{"test:///default"};
    Caller cleanup_{"test:///default"};
    LibvirtStorage storage_{main_, cleanup_};
};

INSTANTIATE_TEST_SUITE_P(TestDriver, StorageContract,
                         testing::Values([] { return std::make_unique<TestDriverSubject>(); }));

class LibvirtStorageTest : public testing::Test {
protected:
    VolumeSpec volume_in(const std::string& pool, const std::string& name) {
        return {.ref = {pool, name},
                .format = Format::raw,
                .options = {},
                .capacity = Bytes{1U << 20U},
                .backing = {}};
    }

    TestDriverSubject subject_;
    Storage& storage_ = subject_.storage();
};

TEST_F(LibvirtStorageTest, NamesAreDataWhateverIsInThem) {
    const std::string directory = subject_.free_directory();
    for (const char* name : {"Data Drive", "a&b<c>", "pool\"q", "it's", "ü-pool", "100%20"}) {
        storage_.create_directory_pool(name, directory);
        const VolumeInfo volume = storage_.create_volume(volume_in(name, "a&b <c> ü.raw"));

        EXPECT_EQ(storage_.find_pool(name)->name, name);
        EXPECT_EQ(storage_.find_volume(volume.ref), volume);
        EXPECT_EQ(volume.path, directory + "/a&b <c> ü.raw");

        storage_.remove_volume(volume.ref);
        storage_.remove_pool(name);
    }
}

TEST_F(LibvirtStorageTest, APoolIsFoundThroughASymbolicLink) {
    const std::string target = subject_.free_directory() + "/target";
    const std::string link = subject_.free_directory() + "/link";
    std::filesystem::create_directory(target);
    std::filesystem::create_directory_symlink(target, link);
    storage_.create_directory_pool("linked", link);

    EXPECT_EQ(storage_.find_pool_covering(link)->name, "linked");
    EXPECT_EQ(storage_.find_pool_covering(target + "/")->name, "linked");
    EXPECT_FALSE(storage_.find_pool_covering(subject_.free_directory()));

    storage_.remove_pool("linked");
}

TEST_F(LibvirtStorageTest, TheSameNameInTwoPoolsIsTwoVolumes) {
    storage_.create_directory_pool("second", subject_.free_directory());
    const auto first = storage_.create_volume(volume_in("default-pool", "same.raw"));
    const auto second = storage_.create_volume(volume_in("second", "same.raw"));

    storage_.remove_volume(first.ref);

    EXPECT_FALSE(storage_.find_volume(first.ref));
    EXPECT_EQ(storage_.find_volume(second.ref), second);
    storage_.remove_volume(second.ref);
    storage_.remove_pool("second");
}

TEST_F(LibvirtStorageTest, AnLvmPoolIsListedWithTheReasonWhyItIsNotMeasured) {
    Caller caller{"test:///default"};
    define_pool(caller,
                "<pool type='logical'><name>vg</name><source><name>vg</name></source>"
                "<target><path>/dev/vg</path></target></pool>");

    const auto pool = storage_.find_pool("vg");

    ASSERT_TRUE(pool);
    EXPECT_EQ(pool->type, "logical");
    EXPECT_EQ(pool->path, "/dev/vg");
    EXPECT_THAT(pool->formats, testing::IsEmpty());
    EXPECT_EQ(pool->remark, "LVM pools are not measured by this version");
    undefine_pool(caller, "vg");
}

TEST_F(LibvirtStorageTest, AFullPoolIsNamedWithBothNumbers) {
    VolumeSpec spec = volume_in("default-pool", "huge.raw");
    spec.capacity = Bytes{std::uint64_t{1} << 50U};
    spec.options.preallocation = Preallocation::falloc;

    const Error error = error_of([&] { storage_.create_volume(spec); });

    EXPECT_EQ(error.code(), ErrorCode::no_space);
    EXPECT_THAT(error.what(), testing::HasSubstr("it takes 1 PiB, the pool has 100 GiB left"));
}

TEST_F(LibvirtStorageTest, AnInactivePoolSaysHowToStartIt) {
    EXPECT_EQ(message_of([&] { storage_.create_volume(volume_in("asleep", "x.raw")); }),
              "pool 'asleep' is inactive: start it with `virsh pool-start asleep`");
}

}  // namespace
}  // namespace poolwise::test
