// SPDX-License-Identifier: Apache-2.0
// The node's own kernel, fio and e2fsprogs. The engine's place is taken by another static program:
// what an image holds does not depend on what the engine does.
#include "guest_runner/image/image_builder.hpp"

#include <thread>

#include <sys/stat.h>

#include <gmock/gmock.h>
#include <unistd.h>

#include "guest_runner/image/files.hpp"
#include "guest_runner/image/image_folder.hpp"
#include "guest_runner/image/run_program.hpp"
#include "guest_runner/image/sha256.hpp"
#include "tests/unit/guest_runner/image/cpio_reader.hpp"
#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::guest_runner {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

class ImageBuilderTest : public testing::Test {
protected:
    void SetUp() override {
        try {
            static_cast<void>(find_newest_kernel("/boot", "/lib/modules"));
        } catch (const Error& error) {
            GTEST_SKIP() << error.what();
        }
        for (const char* program : {"fio", "mke2fs", "debugfs"}) {
            if (!find_program(program)) GTEST_SKIP() << program << " is not installed";
        }
    }

    static std::string run(const std::string& program, const std::vector<std::string>& arguments) {
        return output_of(
            {.program = find_program(program).value(), .arguments = arguments, .environment = {}});
    }

    test::ScratchFolder folder;
    const fs::path state = folder.path() / "image";
    const fs::path engine = "/sbin/ldconfig";
};

TEST_F(ImageBuilderTest, BuildsAnImageThatHoldsTheNodesFioWhole) {
    const GuestImage image = ImageBuilder{state, engine}.ensure();

    EXPECT_EQ(image.facts.fio + '\n', run("fio", {"--version"}));
    EXPECT_EQ(read_file(image.kernel_path), read_file("/boot/vmlinuz-" + image.facts.kernel));
    EXPECT_THAT(run("e2fsck", {"-fn", image.tools_disk_path}), HasSubstr("Pass 5"));
    const fs::path fio = folder.path() / "fio";
    static_cast<void>(
        run("debugfs", {"-R", "dump -p usr/bin/fio " + fio.string(), image.tools_disk_path}));
    EXPECT_EQ(read_file(fio), read_file(find_program("fio").value()));
    EXPECT_EQ(fs::status(fio).permissions(), fs::perms{0755});
    EXPECT_THAT(run("debugfs", {"-R", "ls -p /lib", image.tools_disk_path}),
                HasSubstr("/libc.so.6/"));
}

// The strongest check short of a guest: the disk's own loader starts its fio with its libraries.
TEST_F(ImageBuilderTest, BuildsAToolsDiskWhoseFioStarts) {
    const GuestImage image = ImageBuilder{state, engine}.ensure();
    const fs::path tree = folder.path() / "tree";
    fs::create_directory(tree);
    static_cast<void>(run("debugfs", {"-R", "rdump / " + tree.string(), image.tools_disk_path}));
    const std::string loader = elf_closure(find_program("fio").value()).loader.value().string();

    EXPECT_EQ(
        run(tree.string() + loader, {"--inhibit-cache", "--library-path", (tree / "lib").string(),
                                     (tree / "usr/bin/fio").string(), "--version"}),
        image.facts.fio + '\n');
}

TEST_F(ImageBuilderTest, PutsTheEngineAndTheModulesIntoTheInitramfs) {
    const GuestImage image = ImageBuilder{state, engine}.ensure();

    std::vector<std::string> paths;
    std::string list;
    for (const auto& entry : test::read_cpio(read_file(image.initramfs_path))) {
        paths.push_back(entry.path);
        if (entry.path == "init") {
            EXPECT_EQ(entry.content, read_file(engine));
        }
        if (entry.path == "lib/poolwise/modules.list") list = entry.content;
    }
    EXPECT_THAT(paths, Contains("init"));
    std::istringstream names{list};
    for (std::string name; std::getline(names, name);) {
        EXPECT_THAT(paths, Contains("lib/modules/" + name));
    }
}

TEST_F(ImageBuilderTest, BringsTheLibrariesOfADynamicEngine) {
    const GuestImage image = ImageBuilder{state, "/bin/sh"}.ensure();

    std::vector<std::string> paths;
    for (const auto& entry : test::read_cpio(read_file(image.initramfs_path))) {
        paths.push_back(entry.path);
    }
    EXPECT_THAT(paths, Contains("lib/libc.so.6"));
}

TEST_F(ImageBuilderTest, GivesTheSameBytesOnAnotherDayInAnotherPlace) {
    const GuestImage first = ImageBuilder{state, engine}.ensure();
    // File systems stamp whole seconds: the second image must come in another one.
    std::this_thread::sleep_for(std::chrono::milliseconds{1100});
    const test::ScratchFolder elsewhere{"/dev/shm"};
    const mode_t before = umask(077);
    const GuestImage second = ImageBuilder{elsewhere.path() / "x/y", engine}.ensure();
    umask(before);

    EXPECT_EQ(first.facts.hash, second.facts.hash);
    EXPECT_EQ(sha256_of(read_file(first.kernel_path)), sha256_of(read_file(second.kernel_path)));
    EXPECT_EQ(sha256_of(read_file(first.initramfs_path)),
              sha256_of(read_file(second.initramfs_path)));
    EXPECT_EQ(sha256_of(read_file(first.tools_disk_path)),
              sha256_of(read_file(second.tools_disk_path)));
    for (const std::string& path :
         {second.kernel_path, second.initramfs_path, second.tools_disk_path}) {
        EXPECT_EQ(fs::status(path).permissions(), fs::perms{0644}) << path;
    }
    EXPECT_EQ(fs::status(fs::path{second.kernel_path}.parent_path()).permissions(),
              fs::perms{0711});
}

TEST_F(ImageBuilderTest, DoesNotBuildTwice) {
    const GuestImage first = ImageBuilder{state, engine}.ensure();
    const auto made = fs::last_write_time(first.tools_disk_path);
    const GuestImage second = ImageBuilder{state, engine}.ensure();

    EXPECT_EQ(second.tools_disk_path, first.tools_disk_path);
    EXPECT_EQ(fs::last_write_time(second.tools_disk_path), made);
}

TEST_F(ImageBuilderTest, BuildsAgainWhenTheEngineChanged) {
    const fs::path own = folder.path() / "engine";
    fs::copy_file(engine, own);
    const GuestImage first = ImageBuilder{state, own}.ensure();
    std::ofstream{own, std::ios::app} << "a later build";
    const GuestImage second = ImageBuilder{state, own}.ensure();

    EXPECT_NE(first.facts.hash, second.facts.hash);
    EXPECT_TRUE(fs::exists(first.kernel_path));
}

TEST_F(ImageBuilderTest, RepairsAnImageThatLostAFile) {
    const GuestImage first = ImageBuilder{state, engine}.ensure();
    fs::remove(first.initramfs_path);

    EXPECT_TRUE(fs::exists(ImageBuilder{state, engine}.ensure().initramfs_path));
}

TEST_F(ImageBuilderTest, ServesTwoAtOnce) {
    GuestImage other;
    std::thread thread{[&] { other = ImageBuilder{state, engine}.ensure(); }};
    const GuestImage mine = ImageBuilder{state, engine}.ensure();
    thread.join();

    EXPECT_EQ(mine.tools_disk_path, other.tools_disk_path);
    EXPECT_TRUE(is_complete(fs::path{mine.kernel_path}.parent_path()));
    for (const auto& entry : fs::directory_iterator{state}) {
        EXPECT_THAT(entry.path().filename().string(), testing::Not(StartsWith(".draft-")));
    }
}

TEST_F(ImageBuilderTest, LeavesNoDraftBehindWhenItFails) {
    ImageSources sources;
    sources.fio = folder.put("fio", "#!/bin/sh\necho fio\n");
    fs::permissions(sources.fio, fs::perms{0755});

    EXPECT_THAT(test::message_of([&] { return ImageBuilder(state, engine, sources).ensure(); }),
                HasSubstr("'" + sources.fio + "': it is not a 64-bit ELF program"));
    sources.fio = "/bin/false";  // a program, but its --version fails only after the disk is made
    EXPECT_EQ(test::code_of([&] { return ImageBuilder(state, engine, sources).ensure(); }),
              ErrorCode::unavailable);
    for (const auto& entry : fs::directory_iterator{state}) {
        EXPECT_FALSE(entry.is_directory()) << entry.path();
    }
}

TEST_F(ImageBuilderTest, SaysWhatIsMissing) {
    ImageSources without_fio;
    without_fio.fio = "no-such-fio";
    ImageSources without_kernel;
    without_kernel.boot_dir = folder.path();

    EXPECT_THAT(test::message_of([&] { return ImageBuilder(state, engine, without_fio).ensure(); }),
                HasSubstr("apt install fio"));
    EXPECT_THAT(
        test::message_of([&] { return ImageBuilder(state, engine, without_kernel).ensure(); }),
        HasSubstr("apt install linux-image-cloud-amd64"));
    EXPECT_THAT(test::message_of([&] { return ImageBuilder(state, "/no/engine").ensure(); }),
                HasSubstr("'/no/engine'"));
}

}  // namespace
}  // namespace poolwise::guest_runner
