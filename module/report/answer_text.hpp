// SPDX-License-Identifier: Apache-2.0
// The answer in plain sentences, each rendered from a record, so that words and numbers agree.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "module/report/run_report.hpp"

namespace poolwise {

struct AnswerText {
    std::string overall;                 ///< one sentence; starts "On this node, ..."
    std::vector<std::string> workloads;  ///< one sentence each, in the profile's order
    std::vector<std::string> warnings;   ///< what a reader must know before using the numbers
};

/// Sentences are complete, safe to print (printable()) and unwrapped.
[[nodiscard]] AnswerText answer_text(const RunReport& report);

/// The same as paragraphs for a terminal, wrapped at `width` columns.
[[nodiscard]] std::string render_answer(const RunReport& report, std::size_t width);

}  // namespace poolwise
