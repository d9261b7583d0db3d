// SPDX-License-Identifier: Apache-2.0
// What every Storage must do. Include it in a test, and instantiate StorageContract with a function
// that makes a subject:
//
//   INSTANTIATE_TEST_SUITE_P(Fake, StorageContract, testing::Values(make_fake_subject));
#pragma once

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "module/core/names.hpp"
#include "tests/contract/storage_subject.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::test {

class StorageContract : public testing::TestWithParam<MakeStorageSubject> {
protected:
    void SetUp() override {
        if (const auto trouble = subject_->trouble(); !trouble.empty()) GTEST_SKIP() << trouble;
    }

    static constexpr Bytes kSize{std::uint64_t{8} << 20U};

    [[nodiscard]] VolumeRef named(unsigned number, const std::string& suffix = ".raw") const {
        return {subject_->pool(), object_name("contract", number) + suffix};
    }

    [[nodiscard]] VolumeSpec raw(unsigned number) const {
        return {.ref = named(number),
                .format = Format::raw,
                .options = {},
                .capacity = kSize,
                .backing = {}};
    }

    [[nodiscard]] VolumeSpec qcow2(unsigned number) const {
        VolumeSpec spec = raw(number);
        spec.ref = named(number, ".qcow2");
        spec.format = Format::qcow2;
        return spec;
    }

    const std::unique_ptr<StorageSubject> subject_ = GetParam()();
    Storage& storage_ = subject_->storage();
    const std::string carrier_ = object_name("contract", 90);
};

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(StorageContract);

inline auto pool_named(const std::string& name) {
    return testing::Field("name", &PoolInfo::name, name);
}

TEST_P(StorageContract, ListsAPoolWithItsSpaceAndFormats) {
    const auto pool = storage_.find_pool(subject_->pool());

    ASSERT_TRUE(pool);
    EXPECT_TRUE(pool->active);
    EXPECT_EQ(pool->type, "dir");
    EXPECT_THAT(pool->formats,
                testing::ElementsAre(Format::raw, Format::qcow2, Format::vmdk, Format::vpc));
    EXPECT_GT(pool->available, Bytes{0});
    EXPECT_GE(pool->capacity, pool->available);
    EXPECT_THAT(storage_.pools(), testing::Contains(pool_named(subject_->pool())));
}

TEST_P(StorageContract, ListsAnInactivePoolWithTheReasonWhyItCannotBeMeasured) {
    const auto pool = storage_.find_pool(subject_->inactive_pool());

    ASSERT_TRUE(pool);
    EXPECT_FALSE(pool->active);
    EXPECT_THAT(pool->formats, testing::IsEmpty());
    EXPECT_THAT(pool->remark, testing::HasSubstr("is inactive"));
    EXPECT_THAT(storage_.pools(), testing::Contains(pool_named(subject_->inactive_pool())));
}

TEST_P(StorageContract, FindsNothingWhereThereIsNoSuchPoolOrVolume) {
    EXPECT_FALSE(storage_.find_pool("no-such-pool"));
    EXPECT_FALSE(storage_.find_volume(named(1)));
    EXPECT_FALSE(storage_.find_pool_covering(subject_->free_directory()));
}

TEST_P(StorageContract, AVolumeLivesFromCreateToRemove) {
    const VolumeInfo made = storage_.create_volume(raw(1));

    EXPECT_EQ(made.ref, named(1));
    EXPECT_EQ(made.format, Format::raw);
    EXPECT_EQ(made.capacity, kSize);
    EXPECT_THAT(made.path, testing::EndsWith("/" + named(1).name));
    EXPECT_EQ(storage_.find_volume(named(1)), made);
    EXPECT_THAT(storage_.volumes(subject_->pool()), testing::Contains(made));

    storage_.remove_volume(named(1));

    EXPECT_FALSE(storage_.find_volume(named(1)));
    EXPECT_THAT(storage_.volumes(subject_->pool()), testing::Not(testing::Contains(made)));
}

TEST_P(StorageContract, RemovingAVolumeThatIsGoneIsNotAnError) {
    EXPECT_NO_THROW(storage_.remove_volume(named(1)));
}

TEST_P(StorageContract, AVolumeIsNeverSmallerThanAsked) {
    VolumeSpec odd = raw(1);
    odd.capacity = Bytes{1'000'001};

    EXPECT_GE(storage_.create_volume(odd).capacity, odd.capacity);

    storage_.remove_volume(odd.ref);
}

TEST_P(StorageContract, ATakenNameIsAConflictAndTheOldVolumeStays) {
    const VolumeInfo old = storage_.create_volume(raw(1));

    EXPECT_EQ(code_of([&] { return storage_.create_volume(raw(1)); }), ErrorCode::conflict);
    EXPECT_EQ(storage_.find_volume(named(1)), old);

    storage_.remove_volume(named(1));
}

TEST_P(StorageContract, AMissingPoolIsNotFound) {
    VolumeSpec spec = raw(1);
    spec.ref.pool = "no-such-pool";

    EXPECT_EQ(code_of([&] { return storage_.create_volume(spec); }), ErrorCode::not_found);
    EXPECT_EQ(code_of([&] { return storage_.find_volume(spec.ref); }), ErrorCode::not_found);
    EXPECT_EQ(code_of([&] { return storage_.volumes("no-such-pool"); }), ErrorCode::not_found);
    EXPECT_EQ(code_of([&] { storage_.remove_volume(spec.ref); }), ErrorCode::not_found);
}

TEST_P(StorageContract, AnInactivePoolIsAConflict) {
    VolumeSpec spec = raw(1);
    spec.ref.pool = subject_->inactive_pool();

    EXPECT_EQ(code_of([&] { return storage_.create_volume(spec); }), ErrorCode::conflict);
}

TEST_P(StorageContract, OptionsThatTheFormatLacksAreAnInvalidRequest) {
    VolumeSpec spec = raw(1);
    spec.options.preallocation = Preallocation::metadata;

    EXPECT_EQ(code_of([&] { return storage_.create_volume(spec); }), ErrorCode::invalid_request);
    EXPECT_FALSE(storage_.find_volume(spec.ref));
}

TEST_P(StorageContract, AFullyAllocatedVolumeLargerThanThePoolIsNoSpace) {
    VolumeSpec spec = raw(1);
    spec.options.preallocation = Preallocation::falloc;
    spec.capacity = storage_.find_pool(subject_->pool())->available + Bytes{std::uint64_t{1} << 40};

    EXPECT_EQ(code_of([&] { return storage_.create_volume(spec); }), ErrorCode::no_space);
    EXPECT_FALSE(storage_.find_volume(spec.ref));
}

TEST_P(StorageContract, AnOverlayNeedsItsBackingVolume) {
    VolumeSpec overlay = qcow2(2);
    overlay.backing = named(1);

    EXPECT_EQ(code_of([&] { return storage_.create_volume(overlay); }), ErrorCode::not_found);

    storage_.create_volume(raw(1));
    EXPECT_EQ(storage_.create_volume(overlay).format, Format::qcow2);
    storage_.remove_volume(overlay.ref);
    storage_.remove_volume(named(1));
}

TEST_P(StorageContract, ADirectoryPoolLivesFromCreateToRemove) {
    const std::string name = object_name("contract", "pool");
    const std::string path = subject_->free_directory();

    const PoolInfo made = storage_.create_directory_pool(name, path + "/");

    EXPECT_EQ(made.name, name);
    EXPECT_TRUE(made.active);
    EXPECT_FALSE(made.persistent);
    ASSERT_TRUE(storage_.find_pool_covering(path));
    EXPECT_EQ(storage_.find_pool_covering(path)->name, name);
    EXPECT_EQ(code_of([&] { return storage_.create_directory_pool(name, path); }),
              ErrorCode::conflict);

    storage_.remove_pool(name);
    EXPECT_FALSE(storage_.find_pool(name));
    EXPECT_NO_THROW(storage_.remove_pool(name));
}

TEST_P(StorageContract, ADirectoryPoolNeedsADirectory) {
    const std::string name = object_name("contract", "pool");
    const std::string path = subject_->free_directory() + "/missing";

    EXPECT_EQ(code_of([&] { return storage_.create_directory_pool(name, path); }),
              ErrorCode::not_found);
    EXPECT_FALSE(storage_.find_pool(name));
}

TEST_P(StorageContract, APersistentPoolIsNeverRemoved) {
    EXPECT_EQ(code_of([&] { storage_.remove_pool(subject_->inactive_pool()); }),
              ErrorCode::refused);
    EXPECT_TRUE(storage_.find_pool(subject_->inactive_pool()));
}

TEST_P(StorageContract, AnInternalSnapshotHasACarrierWhileItLives) {
    if (!subject_->makes_images()) GTEST_SKIP() << "this storage makes no images";
    storage_.create_volume(qcow2(1));

    storage_.create_internal_snapshot(qcow2(1).ref, carrier_, "before");

    EXPECT_EQ(code_of([&] { storage_.create_internal_snapshot(qcow2(1).ref, carrier_, "again"); }),
              ErrorCode::conflict);
    storage_.remove_internal_snapshot(carrier_, "before");
    EXPECT_NO_THROW(storage_.remove_internal_snapshot(carrier_, "before"));
    EXPECT_NO_THROW(storage_.create_internal_snapshot(qcow2(1).ref, carrier_, "again"));
    storage_.remove_carrier(carrier_);
    EXPECT_NO_THROW(storage_.remove_carrier(carrier_));
    storage_.remove_volume(qcow2(1).ref);
}

TEST_P(StorageContract, AnInternalSnapshotNeedsAQcow2VolumeAndANameOfOurs) {
    if (!subject_->makes_images()) GTEST_SKIP() << "this storage makes no images";
    storage_.create_volume(raw(1));
    storage_.create_volume(qcow2(2));
    const auto snapshot = [this](const VolumeRef& volume, const std::string& carrier) {
        return code_of([&] { storage_.create_internal_snapshot(volume, carrier, "before"); });
    };

    EXPECT_EQ(snapshot(named(9, ".qcow2"), carrier_), ErrorCode::not_found);
    EXPECT_EQ(snapshot(named(1), carrier_), ErrorCode::invalid_request);
    EXPECT_EQ(snapshot(qcow2(2).ref, "somebody-else"), ErrorCode::invalid_request);

    storage_.remove_volume(named(1));
    storage_.remove_volume(qcow2(2).ref);
}

}  // namespace poolwise::test
