// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/image_folder.hpp"

#include <chrono>

#include <sys/stat.h>

#include <gmock/gmock.h>

#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::guest_runner {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class UmaskGuard {
public:
    explicit UmaskGuard(mode_t mask) : before_{umask(mask)} {}
    ~UmaskGuard() { umask(before_); }
    UmaskGuard(const UmaskGuard&) = delete;
    UmaskGuard& operator=(const UmaskGuard&) = delete;

private:
    mode_t before_;
};

class ImageFolder : public testing::Test {
protected:
    fs::path draft_with(const std::string& content) {
        const fs::path draft = make_draft(folder.path());
        for (const char* name : {kKernelFile, kInitramfsFile, kToolsDiskFile, kFioVersionFile}) {
            folder.put(draft / name, content);
        }
        return draft;
    }
    fs::path image(char digit) { return folder.path() / std::string(64, digit); }
    std::string kernel_of(const fs::path& place) {
        std::ifstream file{place / kKernelFile};
        return std::string{std::istreambuf_iterator<char>{file}, {}};
    }
    void set_age(const fs::path& place, std::chrono::hours age) {
        fs::last_write_time(place, fs::file_time_type::clock::now() - age);
    }

    test::ScratchFolder folder;
};

TEST_F(ImageFolder, IsMadeOpenToOthersUnderAnyUmask) {
    const UmaskGuard strict{077};

    make_state_dir(folder.path() / "a/b");

    EXPECT_EQ(fs::status(folder.path() / "a").permissions(), fs::perms{0711});
    EXPECT_EQ(fs::status(folder.path() / "a/b").permissions(), fs::perms{0711});
}

TEST_F(ImageFolder, NamesTheFirstClosedParent) {
    fs::create_directories(folder.path() / "closed/inner");
    fs::permissions(folder.path() / "closed", fs::perms{0700});
    fs::permissions(folder.path() / "closed/inner", fs::perms{0700});

    EXPECT_THAT(test::message_of([&] { make_state_dir(folder.path() / "closed/inner/image"); }),
                HasSubstr("'" + (folder.path() / "closed").string() + "' is closed"));
}

TEST_F(ImageFolder, ShowsAnImageOnlyWhenItIsWhole) {
    const fs::path draft = draft_with("one");

    EXPECT_FALSE(is_complete(image('a')));
    publish(draft, image('a'));
    EXPECT_TRUE(is_complete(image('a')));
    EXPECT_FALSE(fs::exists(draft));
}

TEST_F(ImageFolder, KeepsTheImageOfWhoWasFaster) {
    const fs::path slower = draft_with("slower");
    publish(draft_with("faster"), image('a'));

    publish(slower, image('a'));

    EXPECT_EQ(kernel_of(image('a')), "faster");
    EXPECT_FALSE(fs::exists(slower));
}

TEST_F(ImageFolder, ReplacesADamagedImage) {
    publish(draft_with("old"), image('a'));
    fs::remove(image('a') / kToolsDiskFile);

    publish(draft_with("new"), image('a'));

    EXPECT_EQ(kernel_of(image('a')), "new");
}

TEST_F(ImageFolder, KeepsTheTwoImagesUsedLast) {
    for (const char digit : {'a', 'b', 'c'}) publish(draft_with("x"), image(digit));
    set_age(image('a'), std::chrono::hours{3});
    set_age(image('b'), std::chrono::hours{9});
    set_age(image('c'), std::chrono::hours{6});
    mark_used(image('b'));

    remove_old_images(folder.path());

    EXPECT_TRUE(fs::exists(image('a')));
    EXPECT_TRUE(fs::exists(image('b')));
    EXPECT_FALSE(fs::exists(image('c')));
}

TEST_F(ImageFolder, RemovesOnlyItsOwn) {
    folder.put("somebody/file", "");
    const fs::path live = draft_with("x");
    const fs::path dead = draft_with("x");
    set_age(folder.path() / "somebody", std::chrono::hours{1000});
    set_age(dead, std::chrono::hours{2});

    remove_old_images(folder.path());

    EXPECT_TRUE(fs::exists(folder.path() / "somebody/file"));
    EXPECT_TRUE(fs::exists(live));
    EXPECT_FALSE(fs::exists(dead));
}

}  // namespace
}  // namespace poolwise::guest_runner
