// SPDX-License-Identifier: Apache-2.0
// The commands of the CLI. Each returns an exit status (README, "Exit codes") or throws Error.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "module/app/locations.hpp"
#include "module/app/request_builder.hpp"
#include "module/core/enum_text.hpp"

namespace poolwise {

enum class OutputFormat { table, json, csv, html };
inline constexpr EnumNames<OutputFormat, 4> kOutputFormatNames{{{OutputFormat::table, "table"},
                                                                {OutputFormat::json, "json"},
                                                                {OutputFormat::csv, "csv"},
                                                                {OutputFormat::html, "html"}}};

/// What every command understands.
struct CommonOptions {
    std::string uri = kDefaultUri;
    std::string state_folder = kDefaultStateFolder;
    OutputFormat output = OutputFormat::table;
};

struct CompareOptions {
    RequestOptions request;
    std::string profile = "quick";
    std::string html_file;  ///< also write the HTML report there; empty: no
    bool dry_run = false;
};

[[nodiscard]] int list_pools(const CommonOptions& common);
[[nodiscard]] int plan(const CommonOptions& common, const CompareOptions& options);
[[nodiscard]] int compare(const CommonOptions& common, const CompareOptions& options);
[[nodiscard]] int list_runs(const CommonOptions& common, std::size_t limit);
/// @param html_file  as CompareOptions.
[[nodiscard]] int show_report(const CommonOptions& common, const std::string& run_id,
                              const std::string& html_file);
[[nodiscard]] int build_image(const CommonOptions& common);

enum class CleanMode { remove, dry_run };
[[nodiscard]] int clean(const CommonOptions& common, CleanMode mode);

}  // namespace poolwise
