// SPDX-License-Identifier: Apache-2.0
// A finished run made up for tests: raw on the host, and raw, qcow2 and qcow2 with a snapshot in a
// guest, on three workloads in three rounds, with one void sample.
#pragma once

#include "module/report/run_report.hpp"

namespace poolwise::test {

[[nodiscard]] Run made_run();
[[nodiscard]] std::vector<Sample> made_samples(const Run& run);
[[nodiscard]] RunReport made_report();

/// The same run where everything that comes from outside is as unpleasant as it can be: markup,
/// direction marks, control characters, bytes that are not UTF-8, and 255 bytes of name.
[[nodiscard]] RunReport hostile_report();

}  // namespace poolwise::test
