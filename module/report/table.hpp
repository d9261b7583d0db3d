// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "module/report/run_report.hpp"
#include "module/report/text_table.hpp"

namespace poolwise {

/// A finished run for a terminal: what was measured, one block per workload (the layer below
/// first, then the guest candidates in the order asked for), and the answer last, where a reader's
/// eye is when the command returns.
[[nodiscard]] std::string render_table(const RunReport& report, const TableStyle& style);

}  // namespace poolwise
