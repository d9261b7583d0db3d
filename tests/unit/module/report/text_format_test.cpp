// SPDX-License-Identifier: Apache-2.0
#include "module/report/text_format.hpp"

#include <gtest/gtest.h>

namespace poolwise {
namespace {

TEST(Printable, KeepsOrdinaryTextOfAnyScript) {
    EXPECT_EQ(printable("pool µ 池 פול 🙂"), "pool µ 池 פול 🙂");
}

TEST(Printable, EscapesControlsAndDirectionMarks) {
    EXPECT_EQ(printable("a\x1b[31m\n\x7f"), "a\\u{1b}[31m\\u{a}\\u{7f}");
    EXPECT_EQ(printable("x\u202ey\u2066z\u200f"), "x\\u{202e}y\\u{2066}z\\u{200f}");
}

TEST(Printable, EscapesBytesThatAreNotUtf8) {
    EXPECT_EQ(printable("\xff"), "\\xff");
    EXPECT_EQ(printable("\xc3"), "\\xc3") << "cut off";
    EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "too long for what it says";
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a surrogate pair";
    EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond Unicode";
}

TEST(DisplayWidth, CountsColumnsRatherThanBytes) {
    EXPECT_EQ(display_width("µs"), 2U);
    EXPECT_EQ(display_width("池"), 2U);
    EXPECT_EQ(display_width("e\u0301"), 1U);
}

TEST(Cut, KeepsWholeCharactersAndMarksTheCut) {
    EXPECT_EQ(cut("snapshot", 8), "snapshot");
    EXPECT_EQ(cut("snapshot", 5), "snap…");
    EXPECT_EQ(cut("池池池", 4), "池…");
    EXPECT_EQ(cut("snapshot", 0), "");
}

TEST(Hang, IndentsUnderTheHead) {
    EXPECT_EQ(hang("- ", "one two three", 9), "- one two\n  three");
}

TEST(Hang, KeepsLongWordsWholeAndPercentSignsWithTheirNumber) {
    EXPECT_EQ(hang("", "a incomprehensible b", 6), "a\nincomprehensible\nb");
    EXPECT_EQ(hang("", "within 5 % of it", 9), "within\n5 % of it");
}

TEST(FormatNumber, GroupsThousandsAndShowsTenthsOfSmallOnes) {
    EXPECT_EQ(format_number(1'234'567.4), "1,234,567");
    EXPECT_EQ(format_number(999.6), "1,000");
    EXPECT_EQ(format_number(100), "100");
    EXPECT_EQ(format_number(99.94), "99.9");
    EXPECT_EQ(format_number(0), "0.0");
}

TEST(FormatRatio, HasTwoDecimalsAndNeverSaysZero) {
    EXPECT_EQ(format_ratio(0.937), "0.94x");
    EXPECT_EQ(format_ratio(10.1), "10.10x");
    EXPECT_EQ(format_ratio(0.004), "under 0.01x");
}

TEST(FormatShare, ShowsDecimalsOnlyWhereTheySaySomething) {
    EXPECT_EQ(format_share(0.05), "5 %");
    EXPECT_EQ(format_share(0.0031), "0.31 %");
    EXPECT_EQ(format_share(0.123), "12 %");
}

TEST(FormatLatency, ChoosesTheUnit) {
    EXPECT_EQ(format_latency(Microseconds{12.34}), "12.3 µs");
    EXPECT_EQ(format_latency(Microseconds{310}), "310 µs");
    EXPECT_EQ(format_latency(Microseconds{1240}), "1.24 ms");
    EXPECT_EQ(format_latency(Microseconds{999.6}), "1.00 ms");
    EXPECT_EQ(format_latency(Microseconds{2.1e6}), "2.10 s");
}

TEST(FormatDuration, IsAsExactAsItNeedsToBe) {
    EXPECT_EQ(format_duration(Seconds{0.42}), "0.4 s");
    EXPECT_EQ(format_duration(Seconds{59.7}), "1 min");
    EXPECT_EQ(format_duration(Seconds{200}), "3 min 20 s");
    EXPECT_EQ(format_duration(Seconds{830}), "14 min");
    EXPECT_EQ(format_duration(Seconds{3599}), "1 h 00 min");
    EXPECT_EQ(format_duration(Seconds{7500}), "2 h 05 min");
}

TEST(Enumerate, ReadsAsASentence) {
    EXPECT_EQ(enumerate({}), "");
    EXPECT_EQ(enumerate({"a"}), "a");
    EXPECT_EQ(enumerate({"a", "b"}), "a and b");
    EXPECT_EQ(enumerate({"a", "b", "c"}), "a, b and c");
}

TEST(CountOf, KnowsThePlural) {
    EXPECT_EQ(count_of(1, "sample"), "1 sample");
    EXPECT_EQ(count_of(1200, "sample"), "1,200 samples");
}

}  // namespace
}  // namespace poolwise
