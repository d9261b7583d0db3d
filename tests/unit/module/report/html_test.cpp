// SPDX-License-Identifier: Apache-2.0
#include "module/report/html.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/module/report/made_report.hpp"

namespace poolwise::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Names of all start tags.
std::set<std::string> tags_of(std::string_view page) {
    std::set<std::string> out;
    for (std::size_t at = 0; (at = page.find('<', at)) != std::string_view::npos; ++at) {
        const std::string_view rest = page.substr(at + 1);
        out.insert(std::string{rest.substr(0, rest.find_first_of(" >/"))});
    }
    return out;
}

/// Elements that are opened and not closed, or closed and not open.
std::vector<std::string> unbalanced(std::string_view page) {
    static const std::set<std::string> kVoid{"!doctype", "meta"};
    std::vector<std::string> open;
    for (std::size_t at = 0; (at = page.find('<', at)) != std::string_view::npos;) {
        const std::size_t end = page.find('>', at);
        const std::string tag{page.substr(at + 1, end - at - 1)};
        at = end;
        const std::string name = tag.substr(0, tag.find(' '));
        if (kVoid.contains(name) || tag.ends_with("/")) continue;
        if (!name.starts_with("/")) {
            open.push_back(name);
        } else if (!open.empty() && open.back() == name.substr(1)) {
            open.pop_back();
        } else {
            open.push_back(name);
            break;
        }
    }
    return open;
}

TEST(Html, LetsNoForeignTextBecomeMarkup) {
    const std::string page = render_html(hostile_report());

    EXPECT_EQ(tags_of(page), tags_of(render_html(made_report())));
    EXPECT_THAT(page, Not(HasSubstr("<script")));
    EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;"));
}

TEST(Html, ShowsDirectionMarksAndForeignBytesAsEscapes) {
    const std::string page = render_html(hostile_report());

    EXPECT_THAT(page, Not(HasSubstr("\xe2\x80\xae")));
    EXPECT_THAT(page, Not(HasSubstr("\x1b")));
    EXPECT_THAT(page, HasSubstr("\\u{202e}"));
    EXPECT_THAT(page, HasSubstr("\\xff\\xfe"));
}

TEST(Html, ClosesEveryElement) {
    EXPECT_THAT(unbalanced(render_html(made_report())), IsEmpty());
    EXPECT_THAT(unbalanced(render_html(hostile_report())), IsEmpty());
}

TEST(Html, NeedsNothingFromOutside) {
    const std::string page = render_html(made_report());

    for (const char* reference : {"http:", "https:", "src=\"", "href=", "url(", "@import"}) {
        EXPECT_THAT(page, Not(HasSubstr(reference)));
    }
}

TEST(Html, OfARunThatMeasuredNothingStillSaysWhy) {
    auto run = made_run();
    run.state = RunState::failed;
    run.error = "start guest 'poolwise-k3v9q2ma-guest': no answer within 60 s";

    const std::string page = render_html(make_report(run, {}));

    EXPECT_THAT(page, HasSubstr("no answer within 60 s"));
    EXPECT_THAT(page, HasSubstr("nothing could be compared"));
    EXPECT_THAT(page, Not(HasSubstr("<table")));
    EXPECT_THAT(unbalanced(page), IsEmpty());
}

}  // namespace
}  // namespace poolwise::test
