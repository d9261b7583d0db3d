// SPDX-License-Identifier: Apache-2.0
#include "api/run_document.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "module/codec/run_codec.hpp"
#include "module/codec/sample_codec.hpp"
#include "module/report/answer_text.hpp"
#include "tests/unit/module/report/made_report.hpp"

namespace poolwise::api {
namespace {

using ::testing::ElementsAre;

const Origin kOrigin{.where = "run document", .fault = ErrorCode::malformed_result};

/// The cell of a pair, from the document.
Document cell_of(const Document& document, const std::string& candidate,
                 const std::string& workload) {
    for (const Document& cell : document.at("cells")) {
        if (cell.at("candidate") == candidate && cell.at("workload") == workload) return cell;
    }
    return nullptr;
}

TEST(RunDocument, HasRunCellsAnswerAndSamplesInThatOrder) {
    const Document document = run_document(test::made_report());

    std::vector<std::string> keys;
    for (const auto& [key, value] : document.items()) keys.push_back(key);
    EXPECT_THAT(keys, ElementsAre("run", "cells", "answer", "samples"));
    EXPECT_TRUE(document.at("run").contains("plan"));
    EXPECT_EQ(document.at("cells").size(), 12U);
    EXPECT_EQ(document.at("samples").size(), 36U);
}

TEST(RunDocument, CarriesRunAndSamplesAsTheStoreKeepsThem) {
    const RunReport report = test::made_report();
    const Document document = run_document(report);

    EXPECT_EQ(parse_run(document.at("run").dump(), kOrigin).request.candidates,
              report.run.request.candidates);
    EXPECT_EQ(parse_sample(document.at("samples").at(3).dump(), kOrigin).result,
              report.samples.at(3).result);
}

TEST(RunDocument, GivesFiguresWithUnitsInTheirNames) {
    const Document cell = cell_of(run_document(test::made_report()), "guest-raw", "fdatasync-4k");

    EXPECT_DOUBLE_EQ(cell.at("iops").at("median").get<double>(), 61.2);
    EXPECT_EQ(cell.at("iops").at("n"), 3);
    EXPECT_TRUE(cell.contains("latency_p99_us"));
    EXPECT_TRUE(cell.contains("sync_p99_us"));
    EXPECT_EQ(cell.at("bound_by"), "device");
}

TEST(RunDocument, LeavesOutFiguresOfACellWithoutABelievedSample) {
    const auto run = test::made_run();
    std::vector<Sample> samples = test::made_samples(run);
    for (Sample& sample : samples) sample.void_reasons = {"made void"};

    const Document cell =
        cell_of(run_document(make_report(run, samples)), "guest-raw", "fdatasync-4k");

    EXPECT_FALSE(cell.contains("iops"));
    EXPECT_EQ(cell.at("void_count"), 3);
    EXPECT_EQ(cell.at("void_reasons").at(0), "made void");
}

TEST(RunDocument, SaysTheAnswerInFieldsAndInSentences) {
    const RunReport report = test::made_report();
    const Document document = run_document(report);
    const Document& answer = document.at("answer");

    EXPECT_EQ(answer.at("best_overall").at(0), "guest-raw");
    EXPECT_EQ(answer.at("workloads").at(0).at("outcome"), "fastest");
    EXPECT_FALSE(answer.at("workloads").at(0).contains("bound_by"));
    EXPECT_EQ(answer.at("workloads").at(1).at("bound_by"), "guest_cpu");
    EXPECT_EQ(answer.at("text").at("overall"), answer_text(report).overall);
}

TEST(RunDocument, OfHostileNamesIsValidJson) {
    const std::string text = readable_text(run_document(test::hostile_report()));

    const Document parsed = parse_document(text, kOrigin);
    EXPECT_EQ(parsed.at("run").at("pools").at(0).at("name"), "<script>alert(\"1\")</script>&'");
}

}  // namespace
}  // namespace poolwise::api
