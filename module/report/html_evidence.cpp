// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "module/report/html_parts.hpp"
#include "module/report/labels.hpp"
#include "module/report/text_format.hpp"
#include "module/report/witnesses.hpp"

namespace poolwise {
namespace {

std::string agreement(const Agreement& one) {
    if (one.samples == 0) return "not compared";
    return fmt::format("largest difference {:.2f} % in {}, void ones included", 100 * one.worst,
                       count_of(one.samples, "sample"));
}

std::string steal(const Agreement& one) {
    if (one.samples == 0) return {};
    return fmt::format("at most {:.2f} % of the guest’s CPU time in {}", 100 * one.worst,
                       count_of(one.samples, "sample"));
}

std::string bound_counts(const Witnesses& all) {
    std::vector<std::string> parts;
    for (const auto& [bound_by, name] : kBoundByNames) {
        const std::size_t count = all.bound_by.at(static_cast<std::size_t>(bound_by));
        const std::string word =
            bound_by == BoundBy::unknown ? "not known" : bottleneck_word(bound_by);
        if (count > 0) parts.push_back(fmt::format("{}: {}", word, count));
    }
    return join(parts, ", ");
}

std::string time_spent(const SampleTimings& spent) {
    return fmt::format(
        "{} in jobs (fio itself {}), {} preparing, {} attaching, {} detaching, {} waiting for the "
        "device to become idle",
        format_duration(spent.job), format_duration(spent.fio), format_duration(spent.prepare),
        format_duration(spent.attach), format_duration(spent.detach),
        format_duration(spent.idle_wait));
}

std::string not_idle(const Witnesses& all) {
    if (all.not_idle == 0) return {};
    return count_of(all.not_idle, "sample") +
           " ended with the device still busy when waiting was given up";
}

std::string cache_kept(const Witnesses& all) {
    if (all.cache_kept == 0) return {};
    return fmt::format("not dropped before {}: {}", count_of(all.cache_kept, "sample"),
                       all.cache_kept_reason);
}

std::string void_samples(const RunReport& report, const Labels& labels) {
    std::string out;
    for (const Sample& sample : report.samples) {
        if (!sample.is_void()) continue;
        out += fmt::format("<li>Sample {}, round {}: {}, {}: {}</li>\n", sample.position,
                           sample.round, html_text(labels.candidate(sample.candidate)),
                           html_text(labels.workload(sample.workload)),
                           html_text(join(sample.void_reasons, "; ")));
    }
    if (out.empty()) return "<p>No sample is void.</p>\n";
    return "<h3>Void samples</h3>\n<ul>\n" + out + "</ul>\n";
}

}  // namespace

std::string html_evidence(const RunReport& report) {
    if (report.samples.empty()) return {};
    const Witnesses all = gather_witnesses(report.samples);
    return "<section aria-labelledby=\"evidence\">\n<h2 id=\"evidence\">Evidence</h2>\n<dl>\n" +
           html_fact("Samples", std::to_string(report.samples.size())) +
           html_fact("Requests, guest against QEMU", agreement(all.requests)) +
           html_fact("Bytes, guest against QEMU", agreement(all.bytes)) +
           html_fact("Clocks, engine against node", agreement(all.clocks)) +
           html_fact("Steal", steal(all.steal)) +
           html_fact("Samples by bottleneck", bound_counts(all)) +
           html_fact("Time spent", time_spent(all.spent)) + html_fact("Device", not_idle(all)) +
           html_fact("Host page cache", cache_kept(all)) + "</dl>\n" +
           void_samples(report, Labels{report.run.request}) + "</section>\n";
}

std::string html_jobs(const RunReport& report) {
    const Labels labels{report.run.request};
    std::set<std::string> shown;
    std::string out;
    for (const Sample& sample : report.samples) {
        if (sample.fio_job.empty() || !shown.insert(sample.workload).second) continue;
        // Line by line: html_text() would show the line feeds as escapes.
        std::string text;
        std::string_view rest = sample.fio_job;
        while (!rest.empty()) {
            const std::string_view line = rest.substr(0, rest.find('\n'));
            rest.remove_prefix(std::min(rest.size(), line.size() + 1));
            text += html_text(line) + "\n";
        }
        out += fmt::format(
            "<details><summary>{}</summary>\n<p class=\"quiet\">As run on {} in "
            "round {}.</p>\n<pre>{}</pre>\n</details>\n",
            html_text(labels.workload(sample.workload)),
            html_text(labels.candidate(sample.candidate)), sample.round, text);
    }
    if (out.empty()) return {};
    return "<section aria-labelledby=\"jobs\">\n<h2 id=\"jobs\">The exact fio jobs</h2>\n" + out +
           "</section>\n";
}

}  // namespace poolwise
