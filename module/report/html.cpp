// SPDX-License-Identifier: Apache-2.0
#include "module/report/html.hpp"

#include <fmt/format.h>

#include "module/report/html_parts.hpp"
#include "module/report/labels.hpp"
#include "module/report/text_format.hpp"

namespace poolwise {
namespace {

// The policy makes a slip in escaping harmless: nothing but the styles below is ever run or loaded.
constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
)";

constexpr std::string_view kStyle = R"(<style>
:root {
  --page: #ffffff; --panel: #f4f6f8; --text: #1b2329; --quiet: #55626d; --line: #d5dce2;
  --bar: #7c9cb8; --lead: #1f7a4d; --below: #b9c2ca; --whisker: #1b2329;
  --warn: #8a5300; --warn-page: #fff6e5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14191d; --panel: #1d242a; --text: #e4e9ed; --quiet: #a3afb9; --line: #35404a;
    --bar: #5d84a6; --lead: #3f9d6d; --below: #4a5763; --whisker: #f2f5f7;
    --warn: #f0b95c; --warn-page: #2b2415;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 64rem; background: var(--page);
  color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 2rem 0 .5rem; }
.quiet, .about { color: var(--quiet); }
.about { margin: 0 0 1.5rem; }
.answer { background: var(--panel); border-left: 4px solid var(--lead); padding: 1rem 1.25rem; border-radius: 4px; }
.answer p { margin: 0; font-size: 1.15rem; font-weight: 600; }
.answer ul { margin: .75rem 0 0; padding-left: 1.25rem; }
.warnings { background: var(--warn-page); border-left: 4px solid var(--warn); padding: .75rem 1.25rem; margin-top: 1rem; border-radius: 4px; }
.warnings h2 { border: 0; margin: 0; padding: 0; font-size: 1rem; color: var(--warn); }
.warnings ul { margin: .25rem 0 0; padding-left: 1.25rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { padding: .3rem .6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; padding-left: 0; white-space: normal; min-width: 8rem; overflow-wrap: anywhere; }
thead th { color: var(--quiet); font-weight: 500; vertical-align: bottom; }
.overview thead th:not(:first-child) { white-space: normal; min-width: 6rem; max-width: 14rem; overflow-wrap: anywhere; }
tbody th { font-weight: 400; }
.word { text-align: left; }
tr.lead th, tr.lead td, td.lead { color: var(--lead); font-weight: 600; }
tr.below th, tr.below td, td.below { color: var(--quiet); }
.note { color: var(--warn); }
td small { display: block; color: var(--quiet); font-weight: 400; }
.bars { display: grid; grid-template-columns: minmax(7rem, 14rem) 1fr; gap: .35rem .75rem; align-items: center; margin: 0 0 .75rem; font-size: .9rem; }
.bars svg { display: block; width: 100%; height: 1.25rem; overflow: visible; }
.bars .name { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
rect { fill: var(--bar); }
.lead rect { fill: var(--lead); }
.below rect { fill: var(--below); }
line { stroke: var(--whisker); stroke-width: 1.5; }
dl { display: grid; grid-template-columns: minmax(8rem, 14rem) 1fr; gap: .25rem .75rem; margin: 0; }
dt { color: var(--quiet); }
dd { margin: 0; }
details { margin: .25rem 0; }
summary { cursor: pointer; }
pre { background: var(--panel); padding: .75rem 1rem; overflow-x: auto; font-size: .85rem; border-radius: 4px; }
@media (max-width: 36rem) {
  .bars, dl { grid-template-columns: 1fr; gap: .1rem; }
  dd, .bars svg { margin-bottom: .5rem; }
}
@media print {
  :root {
    --page: #fff; --panel: #fff; --text: #000; --quiet: #444; --line: #bbb; --bar: #999;
    --lead: #1f7a4d; --below: #ccc; --whisker: #000; --warn: #000; --warn-page: #fff;
  }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .scroll { overflow: visible; }
  .workload, tr, dt, dd { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  rect, line { print-color-adjust: exact; }
}
</style>
)";

std::string about(const Run& run) {
    std::string text = fmt::format("Run {}, {}", run.id, format_time(run.created));
    text += ", profile “" + run.request.profile.name + "”";
    for (const PoolInfo& pool : run.pools) {
        text += ", " + place_name(pool, run);
    }
    return "<p class=\"about\">" + html_text(text) + "</p>\n";
}

}  // namespace

std::string html_text(std::string_view text) {
    std::string out;
    const std::string safe = printable(text);
    for (std::size_t i = 0; i < safe.size(); ++i) {
        switch (const char c = safe[i]) {
            case ' ':
                out += safe.compare(i + 1, 1, "%") == 0 ? "&nbsp;" : " ";
                break;
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

std::string html_fact(std::string_view name, std::string_view value) {
    if (value.empty()) return {};
    return fmt::format("<dt>{}</dt><dd>{}</dd>\n", html_text(name), html_text(value));
}

std::string render_html(const RunReport& report) {
    const std::string title = html_text("Storage for virtual disks on " + report.run.node.hostname);
    std::string out{kHead};
    out += "<title>" + title + "</title>\n";
    out += kStyle;
    out += "</head>\n<body>\n<main>\n<h1>" + title + "</h1>\n";
    out += about(report.run);
    out += html_answer(report) + html_overview(report) + html_details(report);
    out += html_method(report) + html_evidence(report) + html_jobs(report);
    return out + "</main>\n</body>\n</html>\n";
}

}  // namespace poolwise
