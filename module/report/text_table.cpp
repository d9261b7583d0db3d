// SPDX-License-Identifier: Apache-2.0
#include "module/report/text_table.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "module/report/text_format.hpp"

namespace poolwise {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 12;  // of the column that gives way

std::string_view sequence(Ink ink) {
    switch (ink) {
        case Ink::bold:
            return "\x1b[1m";
        case Ink::dim:
            return "\x1b[2m";
        case Ink::green:
            return "\x1b[32m";
        case Ink::yellow:
            return "\x1b[33m";
        case Ink::plain:
            break;
    }
    return {};
}

// 0 stands for a column that is left out.
std::size_t total(const std::vector<std::size_t>& widths) {
    const auto shown = std::ranges::count_if(widths, [](std::size_t width) { return width > 0; });
    return std::accumulate(widths.begin(), widths.end(), kIndent) +
           kGap * static_cast<std::size_t>(std::max<std::ptrdiff_t>(shown - 1, 0));
}

std::string padded(const std::string& text, std::size_t width, Align align) {
    const std::string cell = cut(text, width);
    const std::string space(width - display_width(cell), ' ');
    return align == Align::left ? cell + space : space + cell;
}

}  // namespace

std::string painted(const std::string& text, Ink ink, Color color) {
    if (color == Color::off || ink == Ink::plain || text.empty()) return text;
    return std::string{sequence(ink)} + text + "\x1b[0m";
}

void TextTable::add_row(std::vector<std::string> cells, Ink ink) {
    rows_.push_back({std::move(cells), {}, ink});
}

void TextTable::add_note(std::string text, Ink ink) {
    rows_.push_back({{}, std::move(text), ink});
}

std::vector<std::size_t> TextTable::fitted_widths(std::size_t width) const {
    std::vector<std::size_t> widths(columns_.size());
    for (const Row& row : rows_) {
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            widths[i] = std::max(widths[i], display_width(row.cells[i]));
        }
    }
    for (std::size_t i = 0; i < widths.size(); ++i) {
        if (widths[i] > 0) widths[i] = std::max(widths[i], display_width(columns_[i].title));
    }
    while (total(widths) > width) {
        std::size_t victim = columns_.size();
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const unsigned rank = columns_[i].dispensable;
            if (widths[i] == 0 || rank == 0) continue;
            if (victim == columns_.size() || rank > columns_[victim].dispensable) victim = i;
        }
        if (victim == columns_.size()) break;
        widths[victim] = 0;
    }
    const std::size_t excess = std::max(total(widths), width) - width;
    const std::size_t floor = std::min(widths.front(), kNarrowest);
    widths.front() = std::max(floor, widths.front() - std::min(widths.front(), excess));
    return widths;
}

std::string TextTable::line(const std::vector<std::string>& cells,
                            const std::vector<std::size_t>& widths) const {
    std::string out;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (widths[i] == 0) continue;
        out += std::string(out.empty() ? kIndent : kGap, ' ');
        out += padded(cells[i], widths[i], columns_[i].align);
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
}

std::string TextTable::render(const TableStyle& style) const {
    const std::vector<std::size_t> widths = fitted_widths(style.width);
    std::vector<std::string> titles;
    for (const Column& column : columns_) titles.push_back(column.title);
    std::string out = painted(line(titles, widths), Ink::dim, style.color) + "\n";
    for (const Row& row : rows_) {
        const std::string text = row.cells.empty()
                                     ? hang(std::string(2 * kIndent, ' '), row.note, style.width)
                                     : line(row.cells, widths);
        out += painted(text, row.ink, style.color) + "\n";
    }
    return out;
}

}  // namespace poolwise
