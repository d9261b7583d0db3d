// SPDX-License-Identifier: Apache-2.0
// The machine that runs the tests.
#include "module/host/linux_node.hpp"

#include <thread>

#include <sys/wait.h>

#include <gmock/gmock.h>
#include <unistd.h>

#include "module/core/error.hpp"
#include "module/host/direct_io_probe.hpp"
#include "module/host/program_version.hpp"
#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

TEST(LinuxNode, KnowsTheMachine) {
    const NodeFacts facts = LinuxNode{}.facts();

    EXPECT_THAT(facts.hostname, Not(IsEmpty()));
    EXPECT_THAT(facts.kernel, Not(IsEmpty()));
    EXPECT_EQ(facts.cores, static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN)));
    EXPECT_GT(facts.memory.count(), 100U << 20U);
    if (!facts.fio.empty()) {
        EXPECT_THAT(facts.fio, StartsWith("fio-"));
    }
}

TEST(LinuxNode, KnowsThePlaceOfAFolderAndLeavesNothingInIt) {
    const test::ScratchFolder folder{"/var/tmp"};

    const PathFacts facts = LinuxNode{}.path_facts(folder.path());

    EXPECT_EQ(facts.path, folder.path());
    EXPECT_THAT(facts.file_system, Not(IsEmpty()));
    EXPECT_THAT(folder.path().string(), StartsWith(facts.mount_point));
    EXPECT_EQ(facts.size.count(), fs::space(folder.path()).capacity);
    EXPECT_LE(facts.free, facts.size);
    EXPECT_TRUE(fs::is_empty(folder.path()));
    if (facts.file_system == "ext4" || facts.file_system == "xfs") {
        EXPECT_TRUE(facts.direct_io);
        ASSERT_TRUE(facts.device);
        EXPECT_TRUE(LinuxNode{}.device_activity(facts.device->name));
    }
}

TEST(LinuxNode, HasNoDeviceUnderMemory) {
    const test::ScratchFolder folder{"/dev/shm"};

    const PathFacts facts = LinuxNode{}.path_facts(folder.path());

    EXPECT_EQ(facts.file_system, "tmpfs");
    EXPECT_FALSE(facts.device);
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(DirectIoProbe, SaysNoWhereItMayNotWrite) {
    EXPECT_FALSE(direct_io_works("/proc"));
    EXPECT_FALSE(direct_io_works("/no/such/folder"));
}

TEST(LinuxNode, SeesTheCpuWork) {
    LinuxNode node;
    const CpuTimes before = node.cpu_times();
    std::this_thread::sleep_for(std::chrono::milliseconds{100});

    const CpuTimes passed = node.cpu_times() - before;

    EXPECT_GT((passed.busy + passed.idle + passed.steal).count(), 0);
}

TEST(LinuxNode, LosesTheLockOfAProcessThatDied) {
    const test::ScratchFolder folder;
    LinuxNode node{{.lock = folder.path() / "lock"}};
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const auto lock = node.lock("the dead");
        _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);

    EXPECT_TRUE(node.lock("the living"));
}

TEST(ProgramVersion, IsTheFirstLineOfTheAnswer) {
    const test::ScratchFolder folder;
    const fs::path program = folder.put("tool", "#!/bin/sh\necho tool-1.2 $1\necho more\n");
    fs::permissions(program, fs::perms{0755});

    EXPECT_EQ(program_version(program), "tool-1.2 --version");
}

TEST(ProgramVersion, IsEmptyForAnAbsentProgram) {
    EXPECT_EQ(program_version("/no/such/program"), "");
    EXPECT_EQ(program_version("no-such-program"), "");
}

}  // namespace
}  // namespace poolwise
