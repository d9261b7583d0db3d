// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace poolwise {

/// Reads the command line, runs the command, and turns whatever it throws into one line on stderr
/// and an exit status (README, "Exit codes").
[[nodiscard]] int run_cli(int argc, char** argv);

}  // namespace poolwise
