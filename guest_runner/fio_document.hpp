// SPDX-License-Identifier: Apache-2.0
// Finds the JSON document in what fio left, and makes it JSON.
//
// fio writes text lines before, between and after its documents into the same stream, does not
// escape control characters, passes bytes that are not UTF-8 through, and prints not-a-numbers with
// printf (fio json.c, stat.c; its own test library takes everything from the first line "{" to the
// last line "}").
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace poolwise::guest_runner {

inline constexpr std::size_t kLargestFioFile = 8U << 20U;  ///< bytes
inline constexpr int kDeepestFioDocument = 16;             ///< objects and arrays within another

struct FioDocument {
    std::optional<nlohmann::json> json;  ///< the last document, if it is complete and legal
    std::string fault;                   ///< why there is no json: one sentence
    std::vector<std::string> notes;      ///< text lines outside of documents, in order; not blank
    std::size_t documents = 0;           ///< complete ones; more than one with status intervals
};

/// Never throws for what the text contains. In the document, control characters in strings become
/// spaces, bytes that are not UTF-8 become U+FFFD, nan and inf become null. A key twice in one
/// object is refused: only fio's lists of options repeat keys, and there the last one stands.
[[nodiscard]] FioDocument find_fio_document(std::string_view file_text);

}  // namespace poolwise::guest_runner
