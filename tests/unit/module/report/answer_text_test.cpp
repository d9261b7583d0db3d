// SPDX-License-Identifier: Apache-2.0
#include "module/report/answer_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/module/report/made_report.hpp"

namespace poolwise::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// A report whose answer is as given, on the workloads of made_report().
RunReport report_with(std::vector<WorkloadAnswer> workloads, std::vector<std::string> best) {
    RunReport report = made_report();
    report.answer.workloads = std::move(workloads);
    report.answer.best_overall = std::move(best);
    return report;
}

WorkloadAnswer fastest(const std::string& workload, const std::string& leader) {
    return {.workload = workload,
            .outcome = Outcome::fastest,
            .leaders = {leader},
            .standings = {{leader, 1}, {"guest-qcow2-snapshot", 0.003}}};
}

TEST(AnswerText, NamesTheFastestAndWhatRatiosAreRelativeTo) {
    EXPECT_EQ(answer_text(made_report()).workloads.at(0),
              "Random read, 4 KiB, 32 deep: raw is fastest (7,412 IOPS; relative to raw: qcow2 "
              "0.94x, qcow2 + snapshot 0.93x).");
}

TEST(AnswerText, DoesNotCallLeadersEqualWhereACpuWasTheBottleneck) {
    EXPECT_THAT(answer_text(made_report()).workloads.at(1),
                HasSubstr("not decided: raw and qcow2 are within 5 %, but the guest's CPU was the "
                          "bottleneck (raw 6,141 IOPS"));
}

TEST(AnswerText, SaysWhenItIsTooCloseToCall) {
    EXPECT_THAT(answer_text(made_report()).workloads.at(2),
                HasSubstr("too close to call: raw, qcow2 and qcow2 + snapshot are within 5 %"));
}

TEST(AnswerText, SaysWhenThereIsNothingToCompare) {
    const auto report = report_with({{.workload = "fdatasync-4k"}}, {});

    const AnswerText text = answer_text(report);

    EXPECT_EQ(text.overall,
              "On this node nothing could be compared: on no workload do two guest candidates have "
              "a believed sample.");
    EXPECT_THAT(text.workloads.at(0), HasSubstr("fewer than two guest candidates"));
}

TEST(AnswerText, CountsLeadsWhereTheWinnerDependsOnTheWorkload) {
    const auto report = report_with(
        {fastest("randread-4k-qd32", "guest-raw"), fastest("first-write-128k", "guest-qcow2"),
         fastest("fdatasync-4k", "guest-raw")},
        {});

    EXPECT_EQ(answer_text(report).overall,
              "On this node, for these workloads: it depends on the workload. Fastest, or within "
              "5 % of the fastest, of 3 workloads: raw on 2 and qcow2 on 1.");
}

TEST(AnswerText, SaysPlainlyThatOneIsFastestEverywhere) {
    const auto report = report_with(
        {fastest("randread-4k-qd32", "guest-raw"), {.workload = "fdatasync-4k"}}, {"guest-raw"});

    EXPECT_EQ(answer_text(report).overall,
              "On this node, for these workloads: raw is fastest on every workload measured. "
              "1 workload could not be compared.");
}

TEST(AnswerText, GivesNoRatioThatTwoDecimalsWouldTurnIntoZero) {
    const auto report = report_with({fastest("randread-4k-qd32", "guest-raw")}, {"guest-raw"});

    EXPECT_THAT(answer_text(report).workloads.at(0), HasSubstr("qcow2 + snapshot under 0.01x"));
}

TEST(AnswerText, WarnsOfEmulationOnceAndInOurWords) {
    const auto warnings = answer_text(made_report()).warnings;

    EXPECT_THAT(warnings, Contains(StartsWith("Measured under emulation (TCG)")));
    EXPECT_THAT(warnings, Each(Not(HasSubstr("the guest runs under emulation"))));
}

TEST(AnswerText, CountsVoidSamplesAndSaysWhy) {
    EXPECT_THAT(answer_text(made_report()).warnings,
                Contains(AllOf(StartsWith("1 of 36 samples is void and not used: 1 of qcow2, "),
                               HasSubstr("they differ by 5.74 %"))));
}

TEST(AnswerText, WarnsOfCandidatesThatAreNotDurable) {
    RunReport report = made_report();
    report.answer.not_durable = {"guest-qcow2"};

    EXPECT_THAT(answer_text(report).warnings, Contains(StartsWith("Not durable: with qcow2 ")));
}

TEST(AnswerText, WarnsWhereTheHostWasNotMeasured) {
    auto run = made_run();
    run.request.candidates.erase(run.request.candidates.begin());

    const auto report = make_report(run, made_samples(run));

    EXPECT_THAT(answer_text(report).warnings, Contains(StartsWith("The layer below")));
}

TEST(AnswerText, PassesOnTheReasonWhyTheHostWasNotMeasured) {
    auto run = made_run();
    run.request.candidates.erase(run.request.candidates.begin());
    run.remarks = {{"host_not_measured", "The host was not measured: fio is missing."}};

    const auto warnings = answer_text(make_report(run, made_samples(run))).warnings;

    EXPECT_THAT(warnings, Contains("The host was not measured: fio is missing."));
    EXPECT_THAT(warnings, Each(Not(StartsWith("The layer below"))));
}

TEST(AnswerText, SaysThatARunWasCutShort) {
    auto run = made_run();
    run.state = RunState::cancelled;
    auto samples = made_samples(run);
    samples.resize(12);

    EXPECT_THAT(answer_text(make_report(run, samples)).warnings.front(),
                "The run did not finish (cancelled): 12 of 36 samples planned were measured.");
}

TEST(AnswerText, OfACleanRunHasNoWarnings) {
    auto run = made_run();
    run.accelerator = Accelerator::kvm;
    run.plan->cache_sized = false;
    run.remarks.clear();
    auto samples = made_samples(run);
    for (Sample& sample : samples) sample.void_reasons.clear();

    EXPECT_THAT(answer_text(make_report(run, samples)).warnings, IsEmpty());
}

}  // namespace
}  // namespace poolwise::test
