// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "module/report/run_report.hpp"

namespace poolwise {

/// One record per sample in the order measured, void ones too, after a header with units in the
/// names of columns. RFC 4180: CRLF, quotes where needed. Text is given exactly as it is (a
/// spreadsheet may take a pool's name for a formula); a number that does not apply is empty.
[[nodiscard]] std::string render_csv(const RunReport& report);

}  // namespace poolwise
