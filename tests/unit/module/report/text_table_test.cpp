// SPDX-License-Identifier: Apache-2.0
#include "module/report/text_table.hpp"

#include <gtest/gtest.h>

namespace poolwise {
namespace {

TextTable made_table() {
    TextTable table{{{.title = "name"},
                     {.title = "n", .align = Align::right},
                     {.title = "extra", .dispensable = 2},
                     {.title = "more", .dispensable = 1}}};
    table.add_row({"a long name indeed", "7", "xx", "yy"});
    table.add_row({"b", "1,200", "", "z"});
    return table;
}

TEST(TextTable, AlignsColumnsAndLeavesNoTrailingSpace) {
    EXPECT_EQ(made_table().render({Color::off, 80}),
              "  name                    n  extra  more\n"
              "  a long name indeed      7  xx     yy\n"
              "  b                   1,200         z\n");
}

TEST(TextTable, LeavesOutTheLeastNeededColumnFirst) {
    EXPECT_EQ(made_table().render({Color::off, 34}),
              "  name                    n  more\n"
              "  a long name indeed      7  yy\n"
              "  b                   1,200  z\n");
}

TEST(TextTable, ThenCutsTheFirstColumn) {
    EXPECT_EQ(made_table().render({Color::off, 22}),
              "  name               n\n"
              "  a long name …      7\n"
              "  b              1,200\n");
}

TEST(TextTable, DropsColumnsThatHoldNothing) {
    TextTable table{{{.title = "name"}, {.title = "empty"}}};
    table.add_row({"a", ""});

    EXPECT_EQ(table.render({Color::off, 80}), "  name\n  a\n");
}

TEST(TextTable, WrapsNotesUnderTheirRow) {
    TextTable table{{{.title = "name"}}};
    table.add_row({"a"});
    table.add_note("one two three four");

    EXPECT_EQ(table.render({Color::off, 14}), "  name\n  a\n    one two\n    three four\n");
}

TEST(TextTable, PaintsOnlyWhenAsked) {
    TextTable table{{{.title = "name"}}};
    table.add_row({"a"}, Ink::green);

    EXPECT_EQ(table.render({Color::on, 80}), "\x1b[2m  name\x1b[0m\n\x1b[32m  a\x1b[0m\n");
    EXPECT_EQ(table.render({Color::off, 80}), "  name\n  a\n");
}

}  // namespace
}  // namespace poolwise
