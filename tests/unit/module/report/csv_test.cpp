// SPDX-License-Identifier: Apache-2.0
#include "module/report/csv.hpp"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/module/report/made_report.hpp"

namespace poolwise::test {
namespace {

using ::testing::HasSubstr;

std::ptrdiff_t fields_in(const std::string& line) {
    bool quoted = false;
    return 1 + std::ranges::count_if(line, [&](char c) {
               if (c == '"') quoted = !quoted;
               return c == ',' && !quoted;
           });
}

TEST(Csv, GivesEveryRecordTheFieldsOfTheHeader) {
    const std::string text = render_csv(hostile_report());
    const auto header = fields_in(text.substr(0, text.find("\r\n")));

    std::size_t records = 0;
    for (std::size_t at = 0; at < text.size(); ++records) {
        const std::size_t end = text.find("\r\n", at);
        EXPECT_EQ(fields_in(text.substr(at, end - at)), header);
        at = end + 2;
    }

    EXPECT_EQ(records, 37U);
}

TEST(Csv, QuotesWhatNeedsIt) {
    EXPECT_THAT(render_csv(hostile_report()),
                HasSubstr(R"(,"<script>alert(""1"")</script>&'",raw,)"));
}

}  // namespace
}  // namespace poolwise::test
