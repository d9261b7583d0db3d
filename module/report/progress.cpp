// SPDX-License-Identifier: Apache-2.0
#include "module/report/progress.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "module/report/text_format.hpp"

namespace poolwise {
namespace {

std::string subject(const ProgressView& view) {
    std::vector<std::string> parts;
    for (const std::string& part : {view.candidate, view.workload}) {
        if (!part.empty()) parts.push_back(printable(part));
    }
    return join(parts, ": ");
}

std::string rate(const ProgressView& view) {
    return view.iops ? format_number(view.iops->count()) + " IOPS" : "";
}

std::string time_left(const ProgressView& view) {
    return view.eta ? "about " + format_duration(*view.eta) + " left"
                    : format_duration(view.elapsed) + " so far";
}

std::string joined_with(const std::string& separator, std::vector<std::string> parts) {
    std::erase_if(parts, [](const std::string& part) { return part.empty(); });
    return join(parts, separator);
}

}  // namespace

std::string status_line(const ProgressView& view, std::size_t width) {
    const std::string head = view.sample > 0 ? fmt::format("[{}/{}, round {}/{}]", view.sample,
                                                           view.samples, view.round, view.rounds)
                                             : printable(view.phase);
    const std::string tail = joined_with("  ", {rate(view), time_left(view)});
    const std::size_t fixed = display_width(head) + display_width(tail) + 4;
    const std::string middle = cut(subject(view), width > fixed ? width - fixed : 0);
    return cut(joined_with("  ", {head, middle, tail}), width);
}

std::string plain_line(const ProgressView& view) {
    std::string where;
    if (view.sample > 0) where = fmt::format("sample {} of {}", view.sample, view.samples);
    if (view.round > 0) where += fmt::format(" (round {} of {})", view.round, view.rounds);
    return joined_with(", ", {printable(view.phase), where, subject(view), rate(view),
                              format_duration(view.elapsed) + " elapsed",
                              view.eta ? time_left(view) : ""}) +
           "\n";
}

}  // namespace poolwise
