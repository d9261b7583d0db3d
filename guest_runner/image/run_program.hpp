// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace poolwise::guest_runner {

/// The program's path: in $PATH, then in the folders of administration tools, which an
/// unprivileged user's $PATH lacks. A name with a slash is taken as it is. Absence is no error.
[[nodiscard]] std::optional<std::filesystem::path> find_program(std::string_view name);

struct ProgramRun {
    std::filesystem::path program;
    std::vector<std::string> arguments;
    /// "NAME=value"; the program gets these, $PATH and LC_ALL=C, nothing else.
    std::vector<std::string> environment;
    std::chrono::seconds limit{60};
};

struct ProgramResult {
    int status = 0;  ///< exit status; 128 + signal if it was killed
    std::string output;
    std::string messages;  ///< what it wrote to standard error
};

/// Runs a program, without a shell and without input, and waits for its end.
/// @throws Error{unavailable} it could not be started; {timed_out} it was killed at the limit.
[[nodiscard]] ProgramResult run_program(const ProgramRun& run);

/// Its standard output.
/// @throws as run_program(), and Error{unavailable} with its messages if its status is not 0.
[[nodiscard]] std::string output_of(const ProgramRun& run);

}  // namespace poolwise::guest_runner
