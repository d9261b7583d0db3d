// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "module/core/run.hpp"
#include "module/report/text_table.hpp"

namespace poolwise {

/// One line per run, in the order given; under it, why a run ended early or what it left behind.
[[nodiscard]] std::string render_runs(const std::vector<Run>& runs, const TableStyle& style);

}  // namespace poolwise
