// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/base64.hpp"

#include <gtest/gtest.h>

namespace poolwise::guest_runner {
namespace {

TEST(Base64, IsThatOfRfc4648) {
    EXPECT_EQ(base64_encode(""), "");
    EXPECT_EQ(base64_encode("f"), "Zg==");
    EXPECT_EQ(base64_encode("fo"), "Zm8=");
    EXPECT_EQ(base64_encode("foo"), "Zm9v");
    EXPECT_EQ(base64_encode("foobar"), "Zm9vYmFy");
}

TEST(Base64, BringsEveryByteBack) {
    std::string bytes;
    for (int i = 0; i < 256; ++i) {
        bytes += static_cast<char>(i);
        EXPECT_EQ(base64_decode(base64_encode(bytes)), bytes);
    }
}

TEST(Base64, RefusesWhatItWouldNotHaveWritten) {
    for (const char* text : {"Z", "Zg=", "Zg", "====", "Zg==Zg==", "Z===", "Zm9v\n",
                             "Zh==", "Zm9=", "Zm 9", "Zm9\xff", "=Zg="}) {
        EXPECT_FALSE(base64_decode(text)) << text;
    }
}

}  // namespace
}  // namespace poolwise::guest_runner
