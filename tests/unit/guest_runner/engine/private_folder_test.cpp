// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/engine/private_folder.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <sys/wait.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include "module/core/error.hpp"
#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::guest_runner {
namespace {

namespace fs = std::filesystem;

/// A process id that nobody has: of a child that has ended.
pid_t dead_process() {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    waitpid(child, nullptr, 0);
    return child;
}

class PrivateFolderTest : public testing::Test {
protected:
    std::string name(pid_t pid) const {
        return "poolwise-engine-" + std::to_string(pid) + "-aB3dE6";
    }

    const test::ScratchFolder parent_;
};

TEST_F(PrivateFolderTest, IsGoneWithAllThatIsInItAtTheEnd) {
    {
        const PrivateFolder folder{parent_.path()};
        ASSERT_TRUE(fs::is_directory(folder.path()));
        fs::create_directories(folder.path() + "/a/b");
    }
    EXPECT_TRUE(fs::is_empty(parent_.path()));
}

TEST_F(PrivateFolderTest, RemovesWhatAKilledEngineLeft) {
    parent_.put(name(dead_process()) + "/result.json", "{}");

    const PrivateFolder folder{parent_.path()};

    EXPECT_FALSE(fs::exists(parent_.path() / name(dead_process())));
    EXPECT_EQ(std::distance(fs::directory_iterator{parent_.path()}, {}), 1);
}

TEST_F(PrivateFolderTest, LeavesALivingEnginesAndForeignFoldersAlone) {
    const std::string dead = std::to_string(dead_process());
    const std::vector<std::string> others{
        name(getppid()), "poolwise-engine-" + dead + "-short", "poolwise-engine--aB3dE6",
        "poolwise-engine-" + dead + "xaB3dE6", "other-" + dead + "-aB3dE6"};
    for (const std::string& other : others) parent_.subfolder(other);
    parent_.put(name(dead_process()), "a file, not a folder");

    const PrivateFolder folder{parent_.path()};

    EXPECT_EQ(std::distance(fs::directory_iterator{parent_.path()}, {}), 7);
}

TEST_F(PrivateFolderTest, WhereNoneCanBeMadeIsAnError) {
    EXPECT_EQ(test::code_of([&] { PrivateFolder{(parent_.path() / "absent").string()}; }),
              ErrorCode::unavailable);
}

}  // namespace
}  // namespace poolwise::guest_runner
