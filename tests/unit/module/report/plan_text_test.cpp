// SPDX-License-Identifier: Apache-2.0
#include "module/report/plan_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/module/report/golden.hpp"
#include "tests/unit/module/report/made_report.hpp"

namespace poolwise::test {
namespace {

using ::testing::HasSubstr;

PlanView made_plan_view() {
    const Run run = made_run();
    return {.request = run.request,
            .plan = *run.plan,
            .pools = run.pools,
            .guests = {{"db1"}, {"web"}},
            .remarks = {{"cache_sized", "The volumes fit into the node's page cache."}}};
}

TEST(PlanText, SaysWhatARunDoesAndCosts) {
    expect_golden("plan-80.txt", render_plan(made_plan_view(), 80));
}

TEST(PlanText, ShortensALongListOfGuests) {
    PlanView view = made_plan_view();
    view.guests.assign(40, {"vm"});

    EXPECT_THAT(render_plan(view, 200),
                HasSubstr("40 other guests run now ('vm', 'vm', 'vm', 'vm', 'vm' and 35 more)"));
}

TEST(PlanText, SaysThatNobodyElseRuns) {
    PlanView view = made_plan_view();
    view.guests.clear();

    EXPECT_THAT(render_plan(view, 80), HasSubstr("no other guest runs on this node now"));
}

}  // namespace
}  // namespace poolwise::test
