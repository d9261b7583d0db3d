// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "module/app/commands/commands.hpp"
#include "module/report/run_report.hpp"

namespace poolwise {

/// The report in one of the output formats; ends in a line feed.
[[nodiscard]] std::string report_as(OutputFormat format, const RunReport& report);

/// @throws Error{invalid_request} the file cannot be created there.
void check_writable(const std::string& path);

/// Writes the HTML report.
/// @throws as check_writable().
void write_report_file(const std::string& path, const RunReport& report);

}  // namespace poolwise
