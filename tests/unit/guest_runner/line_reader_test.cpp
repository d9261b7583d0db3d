// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/line_reader.hpp"

#include <gtest/gtest.h>

namespace poolwise::guest_runner {
namespace {

TEST(LineReader, PutsLinesTogetherFromPieces) {
    LineReader lines{10};

    lines.feed("on");
    EXPECT_FALSE(lines.next());
    lines.feed("e\r\n\ntwo\nth");

    EXPECT_EQ(lines.next(), "one");
    EXPECT_EQ(lines.next(), "");
    EXPECT_EQ(lines.next(), "two");
    EXPECT_FALSE(lines.next());
    lines.feed("ree\n");
    EXPECT_EQ(lines.next(), "three");
}

TEST(LineReader, DropsAnOverlongLineAndGoesOn) {
    LineReader lines{4};

    lines.feed("ok\n12345");
    lines.feed("67890");
    lines.feed("1\nfine\n123456\nend\n");

    EXPECT_EQ(lines.next(), "ok");
    EXPECT_EQ(lines.next(), "fine");
    EXPECT_EQ(lines.next(), "end");
    EXPECT_FALSE(lines.next());
    EXPECT_EQ(lines.dropped(), 2U);
}

}  // namespace
}  // namespace poolwise::guest_runner
