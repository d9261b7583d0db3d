// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "module/report/run_report.hpp"

namespace poolwise {

/// A page that needs nothing else: no script, no outside resource, styles and drawings inside. It
/// follows the reader's light or dark preference, fits 360 px, and prints. Everything that comes
/// from outside is escaped.
[[nodiscard]] std::string render_html(const RunReport& report);

}  // namespace poolwise
