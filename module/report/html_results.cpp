// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "module/report/answer_text.hpp"
#include "module/report/html_parts.hpp"
#include "module/report/labels.hpp"
#include "module/report/text_format.hpp"

namespace poolwise {
namespace {

std::string list_of(const std::vector<std::string>& sentences) {
    std::string out = "<ul>\n";
    for (const std::string& sentence : sentences) out += "<li>" + html_text(sentence) + "</li>\n";
    return out + "</ul>\n";
}

bool believed(const Cell* cell) {
    return cell != nullptr && cell->iops.n > 0;
}

/// Candidates as columns or rows: the layer below first.
std::vector<const Candidate*> in_display_order(const RunRequest& request) {
    std::vector<const Candidate*> out;
    for (const Candidate& candidate : request.candidates) out.push_back(&candidate);
    std::stable_partition(out.begin(), out.end(), [](const Candidate* candidate) {
        return candidate->layer == Layer::host;
    });
    return out;
}

/// One workload's cells with what they are compared to.
struct Row {
    const Cell* cell;
    std::string name;
    std::string_view rank;  ///< CSS class: "lead", "below" or ""
};

class Results {
public:
    explicit Results(const RunReport& report) : report_{report}, labels_{report.run.request} {}

    [[nodiscard]] std::string overview() const;
    [[nodiscard]] std::string details() const;

private:
    [[nodiscard]] std::string_view rank(const Candidate& candidate,
                                        const std::string& workload) const;
    [[nodiscard]] std::vector<Row> rows_of(const std::string& workload) const;
    [[nodiscard]] std::string overview_cell(const Candidate& candidate,
                                            const std::string& workload) const;
    [[nodiscard]] double baseline(const std::string& workload) const;
    [[nodiscard]] std::string bars(const std::vector<Row>& rows) const;
    [[nodiscard]] std::string table(const std::vector<Row>& rows, const Workload& workload) const;

    const RunReport& report_;
    Labels labels_;
};

std::string_view Results::rank(const Candidate& candidate, const std::string& workload) const {
    if (candidate.layer == Layer::host) return "below";
    return is_leader(report_, candidate.id, workload) ? "lead" : "";
}

std::vector<Row> Results::rows_of(const std::string& workload) const {
    std::vector<Row> rows;
    for (const Candidate* candidate : in_display_order(report_.run.request)) {
        const Cell* cell = find_cell(report_.cells, candidate->id, workload);
        if (cell == nullptr) continue;
        rows.push_back({cell, labels_.candidate(candidate->id), rank(*candidate, workload)});
    }
    return rows;
}

double Results::baseline(const std::string& workload) const {
    const Cell* cell = find_baseline(report_, workload);
    return cell == nullptr ? 0 : cell->iops.median;
}

std::string Results::overview_cell(const Candidate& candidate, const std::string& workload) const {
    const Cell* cell = find_cell(report_.cells, candidate.id, workload);
    const std::string open = fmt::format("<td class=\"{}\">", rank(candidate, workload));
    if (cell == nullptr) return open + "–</td>";
    if (!believed(cell)) return "<td class=\"note\">void</td>";
    const double best = baseline(workload);
    std::string ratio;
    if (best > 0) ratio = "<small>" + format_ratio(cell->iops.median / best) + "</small>";
    return open + format_number(cell->iops.median) + ratio + "</td>";
}

std::string Results::overview() const {
    std::string out =
        "<section aria-labelledby=\"overview\">\n<h2 id=\"overview\">At a glance</h2>\n"
        "<p class=\"quiet\">Median IOPS of each candidate; below it, the ratio to the fastest "
        "guest "
        "candidate on that workload. Green: the fastest, and whoever cannot be told from it.</p>\n"
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"overview\">\n"
        "<table class=\"overview\">\n<thead><tr><th scope=\"col\">Workload</th>";
    const auto candidates = in_display_order(report_.run.request);
    for (const Candidate* candidate : candidates) {
        out += "<th scope=\"col\">" + html_text(labels_.candidate(candidate->id)) + "</th>";
    }
    out += "</tr></thead>\n<tbody>\n";
    for (const Workload& workload : report_.run.request.profile.workloads) {
        out += "<tr><th scope=\"row\">" + html_text(labels_.workload(workload.id)) + "</th>";
        for (const Candidate* candidate : candidates) out += overview_cell(*candidate, workload.id);
        out += "</tr>\n";
    }
    return out + "</tbody>\n</table>\n</div>\n</section>\n";
}

std::string bar(const Row& row, double full_scale) {
    const auto percent = [&](double value) {
        return fmt::format("{:.2f}%", 100 * value / full_scale);
    };
    const Spread& iops = row.cell->iops;
    const std::string title = fmt::format("{}: median {} IOPS, {} to {} in {}", row.name,
                                          format_number(iops.median), format_number(iops.least),
                                          format_number(iops.most), count_of(iops.n, "sample"));
    const std::string low = percent(iops.least);
    const std::string high = percent(iops.most);
    return fmt::format(
        R"(<svg class="{}" role="img"><title>{}</title><rect x="0" y="15%" width="{}" height="70%"/>)"
        R"(<line x1="{}" x2="{}" y1="50%" y2="50%"/><line x1="{}" x2="{}" y1="25%" y2="75%"/>)"
        R"(<line x1="{}" x2="{}" y1="25%" y2="75%"/></svg>)",
        row.rank, html_text(title), percent(iops.median), low, high, low, low, high, high);
}

std::string Results::bars(const std::vector<Row>& rows) const {
    double full_scale = 0;
    for (const Row& row : rows) full_scale = std::max(full_scale, row.cell->iops.most);
    if (full_scale <= 0) return {};
    std::string out = "<div class=\"bars\">\n";
    for (const Row& row : rows) {
        if (!believed(row.cell)) continue;
        const std::string name = html_text(row.name);
        out += fmt::format("<div class=\"name\" title=\"{}\">{}</div>{}\n", name, name,
                           bar(row, full_scale));
    }
    return out + "</div>\n";
}

std::string optional_latency(const std::optional<Microseconds>& latency) {
    return latency ? format_latency(*latency) : "not enough samples";
}

std::string table_row(const Row& row, double baseline, bool with_sync) {
    const Cell& cell = *row.cell;
    const std::string head =
        fmt::format("<tr class=\"{}\"><th scope=\"row\">{}</th>", row.rank, html_text(row.name));
    const std::string voids =
        fmt::format("<td class=\"{}\">{} of {}</td></tr>\n", cell.void_count > 0 ? "note" : "",
                    cell.void_count, cell.void_count + cell.iops.n);
    if (!believed(&cell)) {
        return head +
               fmt::format("<td class=\"note word\" colspan=\"{}\">no believed sample</td>",
                           with_sync ? 8 : 7) +
               voids;
    }
    std::vector<std::string> columns{
        format_number(cell.iops.median),
        format_number(cell.iops.least) + " – " + format_number(cell.iops.most),
        format_megabytes(cell.bytes_per_second.median), optional_latency(cell.latency_p50),
        optional_latency(cell.latency_p99)};
    if (with_sync) columns.push_back(cell.sync_p99 ? format_latency(*cell.sync_p99) : "–");
    columns.push_back(baseline > 0 ? format_ratio(cell.iops.median / baseline) : "–");
    std::string out = head;
    for (const std::string& column : columns) out += "<td>" + column + "</td>";
    return out + "<td class=\"word\">" + bottleneck_word(cell.bound_by) + "</td>" + voids;
}

std::string Results::table(const std::vector<Row>& rows, const Workload& workload) const {
    const bool with_sync =
        std::ranges::any_of(rows, [](const Row& row) { return row.cell->sync_p99.has_value(); });
    std::string out = fmt::format(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n<table>\n"
        "<thead><tr><th scope=\"col\">Candidate</th><th scope=\"col\">IOPS</th>"
        "<th scope=\"col\">min – max</th><th scope=\"col\">MB/s</th><th scope=\"col\">p50</th>"
        "<th scope=\"col\">p99</th>{}<th scope=\"col\">vs best</th>"
        "<th scope=\"col\" class=\"word\">bound by</th><th scope=\"col\">void</th></tr></thead>\n"
        "<tbody>\n",
        html_text("Figures of " + labels_.workload(workload.id)),
        with_sync ? "<th scope=\"col\">flush p99</th>" : "");
    for (const Row& row : rows) out += table_row(row, baseline(workload.id), with_sync);
    return out + "</tbody>\n</table>\n</div>\n";
}

std::string Results::details() const {
    std::string out =
        "<section aria-labelledby=\"details\">\n<h2 id=\"details\">Workload by workload</h2>\n"
        "<p class=\"quiet\">Bars: median IOPS over rounds; whiskers: slowest and fastest round. "
        "MB/s are millions of bytes. p50 and p99: completion latency that half and 99 % of the "
        "requests did not exceed. vs best: IOPS divided by the fastest guest candidate’s.</p>\n";
    for (const Workload& workload : report_.run.request.profile.workloads) {
        const std::vector<Row> rows = rows_of(workload.id);
        if (rows.empty()) continue;
        out += "<div class=\"workload\">\n<h3>" + html_text(labels_.workload(workload.id)) +
               "</h3>\n" + bars(rows) + table(rows, workload) + "</div>\n";
    }
    return out + "</section>\n";
}

}  // namespace

std::string html_answer(const RunReport& report) {
    const AnswerText text = answer_text(report);
    std::string out = "<section class=\"answer\" aria-label=\"Answer\">\n<p>" +
                      html_text(text.overall) + "</p>\n" + list_of(text.workloads) + "</section>\n";
    if (text.warnings.empty()) return out;
    return out +
           "<section class=\"warnings\" aria-labelledby=\"warnings\">\n"
           "<h2 id=\"warnings\">Keep in mind</h2>\n" +
           list_of(text.warnings) + "</section>\n";
}

std::string html_overview(const RunReport& report) {
    return report.cells.empty() ? "" : Results{report}.overview();
}

std::string html_details(const RunReport& report) {
    return report.cells.empty() ? "" : Results{report}.details();
}

}  // namespace poolwise
