// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "module/report/text_table.hpp"

namespace poolwise {

/// Columns of the terminal behind a file descriptor; 100 where it is not a terminal.
[[nodiscard]] std::size_t terminal_width(int descriptor);

/// Colour only on a terminal, and not where NO_COLOR is set (no-color.org).
[[nodiscard]] TableStyle terminal_style(int descriptor);

}  // namespace poolwise
