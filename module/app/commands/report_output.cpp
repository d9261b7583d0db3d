// SPDX-License-Identifier: Apache-2.0
#include "module/app/commands/report_output.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "api/run_document.hpp"
#include "module/app/terminal.hpp"
#include "module/core/error.hpp"
#include "module/report/csv.hpp"
#include "module/report/html.hpp"
#include "module/report/table.hpp"

namespace poolwise {
namespace {

[[noreturn]] void refuse_file(const std::string& path) {
    throw Error{ErrorCode::invalid_request, "write report '" + path + "': " + std::strerror(errno)};
}

}  // namespace

std::string report_as(OutputFormat format, const RunReport& report) {
    switch (format) {
        case OutputFormat::table:
            return render_table(report, terminal_style(STDOUT_FILENO));
        case OutputFormat::json:
            return readable_text(api::run_document(report));
        case OutputFormat::csv:
            return render_csv(report);
        case OutputFormat::html:
            return render_html(report);
    }
    return {};
}

void check_writable(const std::string& path) {
    if (!std::ofstream{path, std::ios::app}) refuse_file(path);
}

void write_report_file(const std::string& path, const RunReport& report) {
    std::ofstream file{path, std::ios::trunc};
    file << render_html(report) << std::flush;
    if (!file) refuse_file(path);
}

}  // namespace poolwise
