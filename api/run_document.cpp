// SPDX-License-Identifier: Apache-2.0
#include "api/run_document.hpp"

#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

#include "module/codec/run_codec.hpp"
#include "module/codec/sample_codec.hpp"
#include "module/report/answer_text.hpp"

namespace poolwise::api {
namespace {

Document spread_document(const Spread& spread) {
    return {
        {"n", spread.n}, {"median", spread.median}, {"least", spread.least}, {"most", spread.most}};
}

void add_latency(Document& document, std::string_view name,
                 const std::optional<Microseconds>& latency) {
    if (latency) document.emplace(name, latency->count());
}

Document cell_document(const Cell& cell) {
    Document document{{"candidate", cell.candidate}, {"workload", cell.workload}};
    if (cell.iops.n > 0) {
        document["iops"] = spread_document(cell.iops);
        document["bytes_per_second"] = spread_document(cell.bytes_per_second);
    }
    add_latency(document, "latency_p50_us", cell.latency_p50);
    add_latency(document, "latency_p99_us", cell.latency_p99);
    add_latency(document, "sync_p99_us", cell.sync_p99);
    if (cell.cpu_seconds_per_million) {
        document["cpu_s_per_million_requests"] = *cell.cpu_seconds_per_million;
    }
    document["bound_by"] = enum_name(kBoundByNames, cell.bound_by);
    document["void_count"] = cell.void_count;
    document["void_reasons"] = cell.void_reasons;
    return document;
}

Document workload_document(const WorkloadAnswer& answer) {
    Document standings = Document::array();
    for (const Standing& standing : answer.standings) {
        standings.push_back({{"candidate", standing.candidate}, {"ratio", standing.ratio}});
    }
    Document document{{"workload", answer.workload},
                      {"outcome", enum_name(kOutcomeNames, answer.outcome)},
                      {"leaders", answer.leaders},
                      {"standings", std::move(standings)}};
    if (answer.outcome == Outcome::bound_elsewhere) {
        document["bound_by"] = enum_name(kBoundByNames, answer.bound_by);
    }
    return document;
}

Document answer_document(const RunReport& report) {
    const FirstAnswer& answer = report.answer;
    Document workloads = Document::array();
    for (const WorkloadAnswer& workload : answer.workloads) {
        workloads.push_back(workload_document(workload));
    }
    const AnswerText text = answer_text(report);
    return {
        {"margin", answer.margin},
        {"best_overall", answer.best_overall},
        {"not_durable", answer.not_durable},
        {"workloads", std::move(workloads)},
        {"text",
         {{"overall", text.overall}, {"workloads", text.workloads}, {"warnings", text.warnings}}}};
}

}  // namespace

Document run_document(const RunReport& report) {
    Document cells = Document::array();
    for (const Cell& cell : report.cells) cells.push_back(cell_document(cell));
    Document samples = Document::array();
    for (const Sample& sample : report.samples) samples.push_back(to_document(sample));
    return {{"run", to_document(report.run)},
            {"cells", std::move(cells)},
            {"answer", answer_document(report)},
            {"samples", std::move(samples)}};
}

}  // namespace poolwise::api
