// SPDX-License-Identifier: Apache-2.0
// Aligned columns that fit a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace poolwise {

enum class Color { off, on };

/// How a terminal is to be written to. A pipe gets Color::off and any width.
struct TableStyle {
    Color color = Color::off;
    std::size_t width = 100;
};

enum class Ink { plain, bold, dim, green, yellow };

/// `text` between ANSI sequences, or as it is where colour is off or the ink plain.
[[nodiscard]] std::string painted(const std::string& text, Ink ink, Color color);

enum class Align { left, right };

struct Column {
    std::string title;
    Align align = Align::left;
    /// Columns that do not fit are left out, highest first; 0 = never.
    unsigned dispensable = 0;
};

/// Cells are safe to print (text_format.hpp, printable()). The first column gives way: it is cut
/// when the others, short of what may be left out, do not fit. Columns without any cell text are
/// left out.
class TextTable {
public:
    explicit TextTable(std::vector<Column> columns) : columns_{std::move(columns)} {}

    /// Precondition: one cell per column.
    void add_row(std::vector<std::string> cells, Ink ink = Ink::plain);
    /// A line under the last row, wrapped and indented.
    void add_note(std::string text, Ink ink = Ink::plain);

    /// Title line and rows, each ending in a line feed.
    [[nodiscard]] std::string render(const TableStyle& style) const;

private:
    struct Row {
        std::vector<std::string> cells;  ///< empty: a note
        std::string note;
        Ink ink = Ink::plain;
    };

    [[nodiscard]] std::vector<std::size_t> fitted_widths(std::size_t width) const;
    [[nodiscard]] std::string line(const std::vector<std::string>& cells,
                                   const std::vector<std::size_t>& widths) const;

    std::vector<Column> columns_;
    std::vector<Row> rows_;
};

}  // namespace poolwise
