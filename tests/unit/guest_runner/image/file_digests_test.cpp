// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/file_digests.hpp"

#include <sys/stat.h>

#include <gmock/gmock.h>

#include "guest_runner/image/files.hpp"
#include "guest_runner/image/sha256.hpp"
#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::guest_runner {
namespace {

// A file of the system: its change time lies well in the past, so that it is remembered.
const std::filesystem::path kOldFile = "/bin/sh";

TEST(FileDigests, TakesAnUnchangedFileFromTheIndex) {
    const test::ScratchFolder folder;
    const std::filesystem::path index = folder.path() / "digests";
    FileDigests first{index};
    const std::string digest = first.digest_of(kOldFile);
    first.save();
    std::string text = read_file(index);
    const std::string marked(64, 'f');
    ASSERT_EQ(text.find(digest), 0U);
    folder.put("digests", text.replace(0, 64, marked));

    EXPECT_EQ(digest, sha256_of(read_file(kOldFile)));
    EXPECT_EQ(FileDigests{index}.digest_of(kOldFile), marked);
}

TEST(FileDigests, ReadsAgainWhatHasChangedSince) {
    const test::ScratchFolder folder;
    const std::filesystem::path index = folder.path() / "digests";
    const std::filesystem::path file = folder.put("file", "one");
    FileDigests first{index};
    static_cast<void>(first.digest_of(file));
    first.save();
    folder.put("file", "two");

    EXPECT_EQ(FileDigests{index}.digest_of(file), sha256_of("two"));
}

TEST(FileDigests, DoesNotRememberAFileChangedAMomentAgo) {
    const test::ScratchFolder folder;
    const std::filesystem::path file = folder.put("file", "one");
    FileDigests digests{folder.path() / "digests"};

    static_cast<void>(digests.digest_of(file));
    digests.save();

    EXPECT_FALSE(std::filesystem::exists(folder.path() / "digests"));
}

TEST(FileDigests, TreatsADamagedIndexAsEmpty) {
    const test::ScratchFolder folder;
    const std::filesystem::path index = folder.put("digests", "rubbish\n\nmore rubbish /bin/sh\n");

    EXPECT_EQ(FileDigests{index}.digest_of(kOldFile), sha256_of(read_file(kOldFile)));
}

TEST(FileDigests, FailsOnAFileThatIsNotThere) {
    const test::ScratchFolder folder;
    FileDigests digests{folder.path() / "digests"};

    EXPECT_EQ(test::code_of([&] { return digests.digest_of(folder.path() / "none"); }),
              ErrorCode::unavailable);
}

}  // namespace
}  // namespace poolwise::guest_runner
