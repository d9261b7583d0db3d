// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "module/report/pools_table.hpp"
#include "module/report/runs_table.hpp"
#include "tests/unit/module/report/made_report.hpp"

namespace poolwise::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr TableStyle kPlain{Color::off, 100};

TEST(PoolsTable, SaysWhatCanBeMeasuredAndWhyNot) {
    std::vector<PoolInfo> pools = made_run().pools;
    PoolInfo inactive;
    inactive.name = "tank";
    inactive.type = "zfs";
    inactive.remark = "pool 'tank' is inactive: start it first";
    pools.push_back(inactive);

    EXPECT_EQ(render_pools(pools, kPlain),
              "  pool  type  state        free       of  can be measured  path\n"
              "  fast  dir   active    120 GiB  200 GiB  raw, qcow2       /var/lib/libvirt/fast\n"
              "  tank  zfs   inactive        -        -  nothing\n"
              "    pool 'tank' is inactive: start it first\n");
}

TEST(PoolsTable, OfANodeWithoutPoolsSaysWhatToDo) {
    EXPECT_THAT(render_pools({}, kPlain), HasSubstr("dir:/path"));
}

TEST(RunsTable, ShowsWhyARunFailedAndWhatItLeft) {
    auto run = made_run();
    run.state = RunState::failed;
    run.error = "create volume 'x': no space";
    run.leftovers = {"volume 'y': pool inactive"};

    const std::string text = render_runs({run}, kPlain);

    EXPECT_THAT(text, HasSubstr("k3v9q2ma  2026-03-01 09:05 UTC  failed (warning)  11 min  quick"));
    EXPECT_THAT(text, HasSubstr("\n    create volume 'x': no space\n"));
    EXPECT_THAT(text, HasSubstr("\n    left behind: volume 'y': pool inactive\n"));
}

TEST(RunsTable, PutsNoTimeOnARunThatGoesOn) {
    auto run = made_run();
    run.state = RunState::measuring;
    run.severity = Severity::ok;
    run.finished.reset();

    EXPECT_THAT(render_runs({run}, kPlain), Not(HasSubstr("took")));
}

TEST(RunsTable, WithoutRunsIsASentence) {
    EXPECT_EQ(render_runs({}, kPlain), "No runs yet.\n");
}

}  // namespace
}  // namespace poolwise::test
