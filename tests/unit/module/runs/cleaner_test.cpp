// SPDX-License-Identifier: Apache-2.0
#include "module/runs/cleaner.hpp"

#include <gmock/gmock.h>

#include "tests/fakes/fake_guest_host.hpp"
#include "tests/fakes/fake_journal.hpp"
#include "tests/fakes/fake_storage.hpp"

namespace poolwise {
namespace {

using namespace literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class CleanerTest : public testing::Test {
protected:
    CleanerTest() { storage.add_directory_pool("fast", 10_GiB); }

    std::int64_t note(ObjectKind kind, const std::string& name, const std::string& place,
                      ObjectState state = ObjectState::created) {
        const auto id =
            journal.intend({.run_id = "abcdefgh", .kind = kind, .name = name, .place = place});
        journal.settle(id, state);
        return id;
    }

    void make_volume(const std::string& pool, const std::string& name) {
        static_cast<void>(
            storage.create_volume({.ref = {.pool = pool, .name = name}, .capacity = 64_MiB}));
    }

    test::FakeStorage storage;
    test::FakeGuestHost guests;
    test::FakeJournal journal;
    Cleaner cleaner{storage, guests, journal};
};

TEST_F(CleanerTest, RemovesNewestFirst) {
    storage.add_directory("/scratch");
    note(ObjectKind::pool, "poolwise-abcdefgh-pool1", "/scratch");
    static_cast<void>(storage.create_directory_pool("poolwise-abcdefgh-pool1", "/scratch"));
    note(ObjectKind::volume, "poolwise-abcdefgh-01.raw", "poolwise-abcdefgh-pool1");
    make_volume("poolwise-abcdefgh-pool1", "poolwise-abcdefgh-01.raw");

    EXPECT_THAT(cleaner.open_objects("abcdefgh"),
                ElementsAre(HasSubstr("volume 'poolwise-abcdefgh-01.raw'"),
                            HasSubstr("pool 'poolwise-abcdefgh-pool1'")));
    EXPECT_THAT(cleaner.clean_run("abcdefgh"), IsEmpty());
    EXPECT_FALSE(storage.find_pool("poolwise-abcdefgh-pool1"));
    EXPECT_THAT(cleaner.open_objects("abcdefgh"), IsEmpty());
}

TEST_F(CleanerTest, LeavesAloneWhatTheJournalNamesButOurPatternDoesNot) {
    make_volume("fast", "vm-100-disk-0");
    note(ObjectKind::volume, "vm-100-disk-0", "fast");

    EXPECT_THAT(cleaner.clean_run("abcdefgh"), ElementsAre(HasSubstr("left alone")));
    EXPECT_TRUE(storage.find_volume({.pool = "fast", .name = "vm-100-disk-0"}));
}

TEST_F(CleanerTest, LeavesAloneWhatOurPatternNamesButTheJournalDoesNot) {
    make_volume("fast", "poolwise-abcdefgh-07.raw");

    EXPECT_THAT(cleaner.clean_run("abcdefgh"), IsEmpty());
    EXPECT_TRUE(storage.find_volume({.pool = "fast", .name = "poolwise-abcdefgh-07.raw"}));
}

TEST_F(CleanerTest, RemovesWhatWasOnlyIntendedSinceItsOutcomeIsUnknown) {
    make_volume("fast", "poolwise-abcdefgh-01.raw");
    note(ObjectKind::volume, "poolwise-abcdefgh-01.raw", "fast", ObjectState::intended);

    EXPECT_THAT(cleaner.clean_run("abcdefgh"), IsEmpty());
    EXPECT_FALSE(storage.find_volume({.pool = "fast", .name = "poolwise-abcdefgh-01.raw"}));
}

TEST_F(CleanerTest, OneFailureStopsNoOtherRemovalAndStaysADebt) {
    make_volume("fast", "poolwise-abcdefgh-01.raw");
    make_volume("fast", "poolwise-abcdefgh-02.raw");
    note(ObjectKind::volume, "poolwise-abcdefgh-01.raw", "fast");
    note(ObjectKind::volume, "poolwise-abcdefgh-02.raw", "fast");
    storage.fail_next("remove_volume", Error{ErrorCode::hypervisor_failed, "stuck"});

    EXPECT_THAT(cleaner.clean_run("abcdefgh"), ElementsAre(HasSubstr("stuck")));
    EXPECT_FALSE(storage.find_volume({.pool = "fast", .name = "poolwise-abcdefgh-01.raw"}));
    EXPECT_THAT(cleaner.clean_run("abcdefgh"), IsEmpty());
    EXPECT_FALSE(storage.find_volume({.pool = "fast", .name = "poolwise-abcdefgh-02.raw"}));
}

TEST_F(CleanerTest, MakesAGoneTransientPoolAgainToReachItsVolumes) {
    storage.add_directory("/scratch");
    note(ObjectKind::pool, "poolwise-abcdefgh-pool1", "/scratch");
    note(ObjectKind::volume, "poolwise-abcdefgh-01.raw", "poolwise-abcdefgh-pool1");

    EXPECT_THAT(cleaner.clean_run("abcdefgh"), IsEmpty());
    EXPECT_THAT(storage.history(),
                ElementsAre(HasSubstr("create_directory_pool"), HasSubstr("remove_pool")));
}

TEST_F(CleanerTest, OtherRunsObjectsStay) {
    make_volume("fast", "poolwise-bbbbbbbb-01.raw");
    journal.intend({.run_id = "bbbbbbbb",
                    .kind = ObjectKind::volume,
                    .name = "poolwise-bbbbbbbb-01.raw",
                    .place = "fast"});

    EXPECT_THAT(cleaner.clean_run("abcdefgh"), IsEmpty());
    EXPECT_TRUE(storage.find_volume({.pool = "fast", .name = "poolwise-bbbbbbbb-01.raw"}));
}

}  // namespace
}  // namespace poolwise
