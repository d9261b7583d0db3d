// SPDX-License-Identifier: Apache-2.0
#include "module/host/linux_node.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include "module/core/error.hpp"
#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A node whose /proc, /sys and lock are in a scratch folder.
class LinuxNodeTest : public testing::Test {
protected:
    test::ScratchFolder folder;
    LinuxNode node{{.proc = folder.path() / "proc",
                    .sys = folder.path() / "sys",
                    .lock = folder.path() / "lock",
                    .fio = "/no/such/fio"}};
};

TEST_F(LinuxNodeTest, ReadsItsFactsFromTheKernelsFiles) {
    folder.put("proc/sys/kernel/hostname", "node7\n");
    folder.put("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
    folder.put("proc/cpuinfo", "processor\t: 0\nmodel\t\t: 2\nmodel name\t: Some CPU @ 2.0GHz\n");
    folder.put("proc/stat", "cpu  1 2 3 4\ncpu0 1 1 1 1\ncpu1 1 1 1 1\nintr 5\n");
    folder.put("proc/meminfo", "MemTotal:       1024 kB\nMemFree:  12 kB\n");
    folder.put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");

    const NodeFacts facts = node.facts();

    EXPECT_EQ(facts.hostname, "node7");
    EXPECT_EQ(facts.kernel, "6.1.0-18-amd64");
    EXPECT_EQ(facts.cpu_model, "Some CPU @ 2.0GHz");
    EXPECT_EQ(facts.cores, 2U);
    EXPECT_EQ(facts.memory.count(), 1024U * 1024U);
    EXPECT_EQ(facts.governor, "powersave");
}

TEST_F(LinuxNodeTest, LeavesEmptyWhatItDoesNotKnow) {
    EXPECT_EQ(node.facts(), NodeFacts{});
}

TEST_F(LinuxNodeTest, CountsWaitingAsIdleAndStolenTimeApart) {
    folder.put("proc/stat", "cpu  100 20 30 4000 500 6 7 80 9 0\ncpu0 1 1 1 1\n");
    const double tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));

    const CpuTimes times = node.cpu_times();

    EXPECT_DOUBLE_EQ(times.busy.count(), 163 * tick);
    EXPECT_DOUBLE_EQ(times.idle.count(), 4500 * tick);
    EXPECT_DOUBLE_EQ(times.steal.count(), 80 * tick);
}

TEST_F(LinuxNodeTest, RefusesCpuTimesItDoesNotUnderstand) {
    EXPECT_EQ(test::code_of([&] { return node.cpu_times(); }), ErrorCode::unavailable);
    folder.put("proc/stat", "cpu  100 20\n");
    EXPECT_EQ(test::code_of([&] { return node.cpu_times(); }), ErrorCode::unavailable);
}

TEST_F(LinuxNodeTest, DropsCachesThroughTheKernelsSwitch) {
    const fs::path file = folder.put("proc/sys/vm/drop_caches", "");

    node.drop_caches();

    std::ifstream stream{file};
    EXPECT_EQ(stream.get(), '3');
}

TEST_F(LinuxNodeTest, SaysWhyItCannotDropCaches) {
    EXPECT_THAT(test::message_of([&] { return node.drop_caches(); }),
                HasSubstr("drop_caches': No such file or directory"));
    EXPECT_EQ(test::code_of([&] { return node.drop_caches(); }), ErrorCode::unavailable);
}

TEST_F(LinuxNodeTest, DoesNotFindFactsOfAPathThatIsNotThere) {
    EXPECT_EQ(test::code_of([&] { return node.path_facts(folder.path() / "none"); }),
              ErrorCode::not_found);
}

TEST_F(LinuxNodeTest, LocksOnceAndNamesTheHolder) {
    const auto lock = node.lock("store A, run 7f3k2m9q");

    EXPECT_THAT(test::message_of([&] { return node.lock("store B"); }),
                HasSubstr("'store A, run 7f3k2m9q'"));
    EXPECT_EQ(test::code_of([&] { return node.lock("store B"); }), ErrorCode::conflict);
}

TEST_F(LinuxNodeTest, CanBeLockedAgainAfterwards) {
    node.lock("a holder with a long name").reset();
    const auto lock = node.lock("B");

    EXPECT_THAT(test::message_of([&] { return node.lock("C"); }), HasSubstr("'B'"));
}

TEST_F(LinuxNodeTest, DoesNotFollowALockThatLeadsElsewhere) {
    const fs::path victim = folder.put("victim", "precious");
    fs::create_symlink(victim, folder.path() / "lock");

    EXPECT_EQ(test::code_of([&] { return node.lock("A"); }), ErrorCode::unavailable);
    fs::remove(folder.path() / "lock");
    fs::create_hard_link(victim, folder.path() / "lock");
    EXPECT_EQ(test::code_of([&] { return node.lock("A"); }), ErrorCode::unavailable);
    EXPECT_EQ(fs::file_size(victim), 8U);
}

TEST_F(LinuxNodeTest, FailsWhereTheLockHasNoFolder) {
    LinuxNode homeless{{.proc = {}, .sys = {}, .lock = folder.path() / "none/lock", .fio = {}}};

    EXPECT_EQ(test::code_of([&] { return homeless.lock("A"); }), ErrorCode::unavailable);
}

TEST_F(LinuxNodeTest, NamesTheFirstParentThatIsClosedToOthers) {
    const fs::path volume = folder.put("a/b/volume.raw", "");
    EXPECT_EQ(node.unsearchable_parent(volume), std::nullopt);

    fs::permissions(folder.path() / "a/b", fs::perms{0700});
    EXPECT_EQ(node.unsearchable_parent(volume), (folder.path() / "a/b").string());
    fs::permissions(folder.path() / "a", fs::perms{0700});
    EXPECT_EQ(node.unsearchable_parent(volume), (folder.path() / "a").string());
}

TEST_F(LinuxNodeTest, NamesAClosedParentBehindASymlink) {
    folder.put("closed/inner/volume.raw", "");
    fs::permissions(folder.path() / "closed", fs::perms{0700});
    fs::create_symlink(folder.path() / "closed/inner", folder.path() / "link");

    EXPECT_EQ(node.unsearchable_parent(folder.path() / "link/volume.raw"),
              (folder.path() / "closed").string());
}

TEST_F(LinuxNodeTest, DoesNotMindParentsThatDoNotExistYet) {
    EXPECT_EQ(node.unsearchable_parent(folder.path() / "new/pool/volume.raw"), std::nullopt);
}

TEST_F(LinuxNodeTest, GivesOtherRandomBitsEachTime) {
    EXPECT_NE(node.random_bits(), node.random_bits());
}

}  // namespace
}  // namespace poolwise
