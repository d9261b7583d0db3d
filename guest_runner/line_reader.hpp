// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace poolwise::guest_runner {

/// Cuts a byte stream into lines, with bounded memory: a line longer than the limit is dropped up
/// to its newline. Carriage returns before the newline are cut off (a console adds them).
class LineReader {
public:
    explicit LineReader(std::size_t max_line) : max_line_{max_line} {}

    void feed(std::string_view bytes);

    /// The next complete line, without its newline.
    [[nodiscard]] std::optional<std::string> next();

    /// Lines dropped for their length so far.
    [[nodiscard]] std::size_t dropped() const noexcept { return dropped_; }

private:
    std::string buffer_;
    std::size_t start_ = 0;  ///< what lies before it in buffer_ has been handed out
    std::size_t max_line_;
    std::size_t dropped_ = 0;
    bool dropping_ = false;  ///< inside an overlong line
};

}  // namespace poolwise::guest_runner
