// SPDX-License-Identifier: Apache-2.0
#include "module/report/table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "module/core/size_text.hpp"
#include "module/report/answer_text.hpp"
#include "module/report/labels.hpp"
#include "module/report/text_format.hpp"

namespace poolwise {
namespace {

constexpr double kBarCells = 16;

std::string bar(double share) {
    static constexpr std::array<const char*, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const auto eighths = static_cast<std::size_t>(std::lround(share * kBarCells * 8));
    std::string out;
    for (std::size_t i = 0; i < eighths / 8; ++i) out += "█";
    return out + kEighths.at(eighths % 8);
}

std::string head(const RunReport& report) {
    const Run& run = report.run;
    std::string text = fmt::format("Run {} on {}", run.id, printable(run.node.hostname));
    for (const PoolInfo& pool : run.pools) {
        text += ", " + printable(place_name(pool, run));
    }
    if (run.accelerator) {
        text += fmt::format(", {}", enum_name(kAcceleratorNames, *run.accelerator));
    }
    text += ", profile '" + printable(run.request.profile.name) + "'";
    if (run.plan) text += ", volumes of " + format_size(run.plan->volume_size);
    return text;
}

class Blocks {
public:
    Blocks(const RunReport& report, const TableStyle& style)
        : report_{report}, style_{style}, labels_{report.run.request} {}

    [[nodiscard]] std::string render();

private:
    [[nodiscard]] std::string block(const Workload& workload);
    void add_layer(TextTable& table, const Workload& workload, Layer layer);
    void add_cell(TextTable& table, const Cell& cell, Layer layer);
    [[nodiscard]] std::vector<std::string> figures(const Cell& cell) const;
    [[nodiscard]] double largest_of(const std::string& workload) const;
    [[nodiscard]] std::string legend() const;

    const RunReport& report_;
    const TableStyle& style_;
    Labels labels_;
    bool short_of_samples_ = false;
    bool has_ratio_ = false;
    double best_ = 0;     // the baseline of the block being rendered
    double largest_ = 0;  // likewise, of all layers
};

double Blocks::largest_of(const std::string& workload) const {
    double largest = 0;
    for (const Cell& cell : report_.cells) {
        if (cell.workload == workload) largest = std::max(largest, cell.iops.median);
    }
    return largest;
}

std::vector<std::string> Blocks::figures(const Cell& cell) const {
    if (cell.iops.n == 0) return {"void", "", "", "", "", "", "", "", ""};
    const auto latency = [](const std::optional<Microseconds>& value) {
        return value ? format_latency(*value) : std::string{"too few"};
    };
    const double median = cell.iops.median;
    return {format_number(median),
            format_number(cell.iops.least) + "-" + format_number(cell.iops.most),
            format_megabytes(cell.bytes_per_second.median),
            latency(cell.latency_p50),
            latency(cell.latency_p99),
            cell.sync_p99 ? format_latency(*cell.sync_p99) : "",
            best_ > 0 ? format_ratio(median / best_) : "",
            bottleneck_word(cell.bound_by),
            largest_ > 0 ? bar(median / largest_) : ""};
}

void Blocks::add_cell(TextTable& table, const Cell& cell, Layer layer) {
    short_of_samples_ |= cell.iops.n > 0 && (!cell.latency_p50 || !cell.latency_p99);
    has_ratio_ |= cell.iops.n > 0 && best_ > 0;
    std::vector<std::string> cells = figures(cell);
    cells.insert(cells.begin(), labels_.candidate(cell.candidate));
    const Ink ink = layer == Layer::host                                ? Ink::dim
                    : is_leader(report_, cell.candidate, cell.workload) ? Ink::green
                                                                        : Ink::plain;
    table.add_row(std::move(cells), ink);
    if (cell.void_count > 0) {
        table.add_note(fmt::format("! {} of {} void, not used", cell.void_count,
                                   count_of(cell.void_count + cell.iops.n, "sample")),
                       Ink::yellow);
    }
}

void Blocks::add_layer(TextTable& table, const Workload& workload, Layer layer) {
    for (const Candidate& candidate : report_.run.request.candidates) {
        if (candidate.layer != layer) continue;
        const Cell* cell = find_cell(report_.cells, candidate.id, workload.id);
        if (cell != nullptr) add_cell(table, *cell, layer);
    }
}

std::string Blocks::block(const Workload& workload) {
    const Cell* baseline = find_baseline(report_, workload.id);
    best_ = baseline == nullptr ? 0 : baseline->iops.median;
    largest_ = largest_of(workload.id);
    TextTable table{{{.title = ""},
                     {.title = "IOPS", .align = Align::right},
                     {.title = "min-max", .align = Align::right},
                     {.title = "MB/s", .align = Align::right, .dispensable = 4},
                     {.title = "p50", .align = Align::right, .dispensable = 3},
                     {.title = "p99", .align = Align::right},
                     {.title = "flush p99", .align = Align::right, .dispensable = 1},
                     {.title = "vs best", .align = Align::right},
                     {.title = "bound by", .dispensable = 2},
                     {.title = "", .dispensable = 5}}};
    add_layer(table, workload, Layer::host);
    add_layer(table, workload, Layer::guest);
    const std::string title = labels_.workload(workload.id);
    return painted(cut(title, style_.width), Ink::bold, style_.color) + "\n" + table.render(style_);
}

std::string Blocks::legend() const {
    std::string text = "IOPS and MB/s (millions of bytes) are medians over rounds.";
    if (has_ratio_) text += " vs best: divided by the fastest guest candidate's IOPS.";
    if (short_of_samples_) text += " too few: not enough requests for that percentile.";
    return painted(hang("", text, style_.width), Ink::dim, style_.color) + "\n";
}

std::string Blocks::render() {
    std::set<std::string> with_cells;
    for (const Cell& cell : report_.cells) with_cells.insert(cell.workload);
    std::string out;
    for (const Workload& workload : report_.run.request.profile.workloads) {
        if (with_cells.contains(workload.id)) out += "\n" + block(workload);
    }
    return out.empty() ? out : out + "\n" + legend();
}

}  // namespace

std::string render_table(const RunReport& report, const TableStyle& style) {
    Blocks blocks{report, style};
    return hang("", head(report), style.width) + "\n" + blocks.render() + "\n" +
           render_answer(report, style.width);
}

}  // namespace poolwise
