// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/module/report/golden.hpp"

#include <gtest/gtest.h>

#include "module/report/csv.hpp"
#include "module/report/html.hpp"
#include "module/report/table.hpp"
#include "tests/unit/module/report/made_report.hpp"

namespace poolwise::test {
namespace {

TEST(Table, FitsEightyColumns) {
    expect_golden("table-80.txt", render_table(made_report(), {Color::off, 80}));
}

TEST(Table, ShowsBarsWhereThereIsRoom) {
    expect_golden("table-120.txt", render_table(made_report(), {Color::off, 120}));
}

TEST(Table, ShowsHostileNamesAsText) {
    expect_golden("table-hostile.txt", render_table(hostile_report(), {Color::off, 100}));
}

TEST(Html, IsOnePage) {
    expect_golden("report.html", render_html(made_report()));
}

TEST(Html, ShowsHostileNamesAsText) {
    expect_golden("report-hostile.html", render_html(hostile_report()));
}

TEST(Csv, HasOneRecordPerSample) {
    expect_golden("samples.csv", render_csv(made_report()));
}

}  // namespace
}  // namespace poolwise::test
