// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/line_reader.hpp"

namespace poolwise::guest_runner {

void LineReader::feed(std::string_view bytes) {
    if (dropping_) {
        const auto newline = bytes.find('\n');
        if (newline == std::string_view::npos) return;
        bytes.remove_prefix(newline + 1);
        dropping_ = false;
    }
    buffer_.erase(0, start_);
    start_ = 0;
    buffer_ += bytes;
    const auto last_newline = buffer_.rfind('\n');
    const auto tail = last_newline == std::string::npos ? 0 : last_newline + 1;
    if (buffer_.size() - tail > max_line_) {
        buffer_.resize(tail);
        dropping_ = true;
        ++dropped_;
    }
}

std::optional<std::string> LineReader::next() {
    for (auto newline = buffer_.find('\n', start_); newline != std::string::npos;
         newline = buffer_.find('\n', start_)) {
        std::string line = buffer_.substr(start_, newline - start_);
        start_ = newline + 1;
        while (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.size() <= max_line_) return line;
        ++dropped_;
    }
    return std::nullopt;
}

}  // namespace poolwise::guest_runner
