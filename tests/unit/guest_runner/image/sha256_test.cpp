// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/sha256.hpp"

#include <string>

#include <gtest/gtest.h>

namespace poolwise::guest_runner {
namespace {

// FIPS 180-4's example messages and their digests.
TEST(Sha256, AgreesWithThePublishedExamples) {
    EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256_of("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                        "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
              "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
    EXPECT_EQ(sha256_of(std::string(1'000'000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowTheBytesArrive) {
    const std::string message(1000, 'x');
    for (const std::size_t size : {1U, 55U, 56U, 63U, 64U, 65U, 999U}) {
        Sha256 hash;
        for (std::size_t at = 0; at < message.size(); at += size) {
            hash.update(std::string_view{message}.substr(at, size));
        }
        EXPECT_EQ(hash.finish(), sha256_of(message)) << "in pieces of " << size;
    }
}

}  // namespace
}  // namespace poolwise::guest_runner
