// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/initramfs.hpp"

#include <algorithm>

#include <gmock/gmock.h>

#include "tests/unit/guest_runner/image/cpio_reader.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace poolwise::guest_runner {
namespace {

using testing::ElementsAre;

class Initramfs : public testing::Test {
protected:
    const test::CpioEntry& at(const std::string& path) {
        const auto found = std::find_if(entries.begin(), entries.end(),
                                        [&](const auto& entry) { return entry.path == path; });
        if (found == entries.end()) throw std::runtime_error{"no entry " + path};
        return *found;
    }

    test::ScratchFolder folder;
    std::vector<test::CpioEntry> entries;
};

TEST_F(Initramfs, HoldsTheEngineTheModulesAndNothingElse) {
    entries = test::read_cpio(
        build_initramfs(folder.put("engine", "ENGINE"), {},
                        {folder.put("a/z-first.ko", "Z"), folder.put("b/a_second.ko", "A")}));

    std::vector<std::string> paths;
    for (const auto& entry : entries) paths.push_back(entry.path);
    EXPECT_THAT(paths,
                ElementsAre("dev", "init", "lib", "lib/modules", "lib/modules/a_second.ko",
                            "lib/modules/z-first.ko", "lib/poolwise", "lib/poolwise/modules.list",
                            "proc", "run", "sys", "tmp", "tools", "dev/console"));
    EXPECT_EQ(at("init").content, "ENGINE");
    EXPECT_EQ(at("init").mode, 0100755U);
    EXPECT_EQ(at("lib/modules/z-first.ko").content, "Z");
    EXPECT_EQ(at("lib/poolwise/modules.list").content, "z-first.ko\na_second.ko\n");
    EXPECT_EQ(at("dev/console").device_major, 5U);
    EXPECT_EQ(at("dev/console").device_minor, 1U);
}

TEST_F(Initramfs, BringsTheLibrariesOfADynamicEngine) {
    ElfClosure needs;
    needs.loader = folder.put("loader", "LOADER");
    needs.libraries = {{"libc.so.6", folder.put("somewhere/libc-2.36.so", "LIBC")}};

    entries = test::read_cpio(build_initramfs(folder.put("engine", "ENGINE"), needs, {}));

    EXPECT_EQ(at(needs.loader->relative_path()).content, "LOADER");
    EXPECT_EQ(at("lib/libc.so.6").content, "LIBC");
}

}  // namespace
}  // namespace poolwise::guest_runner
