// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/kernel_finder.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::guest_runner {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Gives up root for a moment: root can read everything.
class AsNobody {
public:
    AsNobody() {
        if (geteuid() == 0) became_ = seteuid(65534) == 0;
    }
    ~AsNobody() {
        if (became_ && seteuid(0) != 0) std::abort();
    }
    AsNobody(const AsNobody&) = delete;
    AsNobody& operator=(const AsNobody&) = delete;

private:
    bool became_ = false;
};

class KernelFinder : public testing::Test {
protected:
    void install(const std::string& release) {
        install_image(release);
        folder.put("modules/" + release + "/modules.dep", "");
    }
    void install_image(const std::string& release) {
        folder.put("boot/vmlinuz-" + release, "image");
    }
    InstalledKernel find() { return find_newest_kernel(folder.path() / "boot", modules); }

    test::ScratchFolder folder;
    std::filesystem::path modules = folder.path() / "modules";
};

TEST_F(KernelFinder, ComparesReleasesAsVersions) {
    install("6.1.0-9-amd64");
    install("6.1.0-18-amd64");
    install("5.10.0-30-amd64");

    const InstalledKernel kernel = find();

    EXPECT_EQ(kernel.release, "6.1.0-18-amd64");
    EXPECT_EQ(kernel.image, folder.path() / "boot/vmlinuz-6.1.0-18-amd64");
    EXPECT_EQ(kernel.modules, modules / "6.1.0-18-amd64");
}

TEST_F(KernelFinder, PassesOverAKernelWithoutModules) {
    install("6.1.0-9-amd64");
    install_image("6.1.0-18-amd64");

    EXPECT_EQ(find().release, "6.1.0-9-amd64");
}

TEST_F(KernelFinder, PassesOverAKernelItMayNotRead) {
    install("6.1.0-9-amd64");
    install("6.1.0-18-amd64");
    std::filesystem::permissions(folder.path() / "boot/vmlinuz-6.1.0-18-amd64",
                                 std::filesystem::perms::none);
    const AsNobody nobody;

    EXPECT_EQ(find().release, "6.1.0-9-amd64");
}

TEST_F(KernelFinder, SaysWhatItLookedAtAndWhatToDo) {
    install("5.15.0-60-generic");
    install_image("5.15.0-70-generic");
    std::filesystem::permissions(folder.path() / "boot/vmlinuz-5.15.0-60-generic",
                                 std::filesystem::perms{0000});
    const AsNobody nobody;

    const std::string text = test::message_of([&] { return find(); });

    EXPECT_THAT(text, AllOf(HasSubstr("vmlinuz-5.15.0-60-generic' is not readable (chmod 0644"),
                            HasSubstr("vmlinuz-5.15.0-70-generic' has no modules"),
                            HasSubstr("apt install linux-image-cloud-amd64")));
}

TEST_F(KernelFinder, SaysSoWhereThereIsNoKernelAtAll) {
    EXPECT_THAT(test::message_of([&] { return find(); }), HasSubstr("there is no 'vmlinuz-*'"));
    EXPECT_EQ(test::code_of([&] { return find(); }), ErrorCode::unavailable);
}

}  // namespace
}  // namespace poolwise::guest_runner
