// SPDX-License-Identifier: Apache-2.0
// The public JSON form of a run: what `-o json` prints and what the HTTP API answers.
#pragma once

#include "module/codec/document.hpp"
#include "module/report/run_report.hpp"

namespace poolwise::api {

/// {"run": ..., "cells": [...], "answer": {...}, "samples": [...]}
///
/// `run` (the plan included) and `samples` are the codec's documents, and its rules hold: units in
/// names, what is unset is left out. A cell without a believed sample has no `iops` and no
/// `bytes_per_second`. `answer.text` says in sentences what the rest of `answer` says in fields.
[[nodiscard]] Document run_document(const RunReport& report);

}  // namespace poolwise::api
