// SPDX-License-Identifier: Apache-2.0
// The sections of the HTML report. Private to module/report.
#pragma once

#include <string>
#include <string_view>

#include "module/report/run_report.hpp"

namespace poolwise {

/// printable() text as HTML character data or as an attribute in double quotes.
[[nodiscard]] std::string html_text(std::string_view text);

/// Name and value of a description list; nothing where the value is empty.
[[nodiscard]] std::string html_fact(std::string_view name, std::string_view value);

[[nodiscard]] std::string html_answer(const RunReport& report);
[[nodiscard]] std::string html_overview(const RunReport& report);
[[nodiscard]] std::string html_details(const RunReport& report);
[[nodiscard]] std::string html_method(const RunReport& report);
[[nodiscard]] std::string html_evidence(const RunReport& report);
[[nodiscard]] std::string html_jobs(const RunReport& report);

}  // namespace poolwise
