// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/fio_document.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <utility>

namespace poolwise::guest_runner {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLongestNote = 300;  ///< bytes; a line beyond it is cut

std::string_view without_return(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

bool is_continuation(unsigned char byte) {
    return (byte & 0xC0U) == 0x80U;
}

/// Length of the well-formed UTF-8 sequence at the start of `text`, 0 if there is none.
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i])
                               : static_cast<unsigned char>(0);
    };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return is_continuation(byte(1)) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const bool overlong = first == 0xE0 && byte(1) < 0xA0;
        const bool surrogate = first == 0xED && byte(1) > 0x9F;
        return is_continuation(byte(1)) && is_continuation(byte(2)) && !overlong && !surrogate ? 3
                                                                                               : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool overlong = first == 0xF0 && byte(1) < 0x90;
        const bool beyond = first == 0xF4 && byte(1) > 0x8F;
        return is_continuation(byte(1)) && is_continuation(byte(2)) && is_continuation(byte(3)) &&
                       !overlong && !beyond
                   ? 4
                   : 0;
    }
    return 0;
}

/// Length of printf's nan or inf at the start of `text`, 0 if it is something else.
std::size_t not_a_number_length(std::string_view text) {
    static constexpr std::array<std::string_view, 6> kTokens{"nan",  "-nan", "inf",
                                                             "-inf", "+nan", "+inf"};
    for (const std::string_view token : kTokens) {
        if (text.starts_with(token)) return token.size();
    }
    return 0;
}

bool is_plain(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

/// Copies the next plain run, escape or other character of a string; returns how many bytes it
/// took.
std::size_t copy_from_string(std::string_view rest, std::string& out) {
    const auto plain = static_cast<std::size_t>(
        std::find_if_not(rest.begin(), rest.end(), is_plain) - rest.begin());
    if (plain > 0) {
        out += rest.substr(0, plain);
        return plain;
    }
    if (rest[0] == '\\' && rest.size() > 1 &&
        (is_plain(rest[1]) || rest[1] == '"' || rest[1] == '\\')) {
        out += rest.substr(0, 2);
        return 2;
    }
    if (static_cast<unsigned char>(rest[0]) < 0x20) {
        out += ' ';
        return 1;
    }
    const std::size_t length = utf8_length(rest);
    if (length == 0) {
        out += "\xEF\xBF\xBD";
        return 1;
    }
    out += rest.substr(0, length);
    return length;
}

/// A text line that can be stored and shown anywhere.
std::string printable(std::string_view line) {
    std::string out;
    for (std::size_t at = 0; at < line.size() && out.size() < kLongestNote;) {
        const std::size_t room = kLongestNote - out.size();
        at += copy_from_string(line.substr(at, std::max<std::size_t>(room, 4)), out);
    }
    return out;
}

struct Span {
    std::string_view last;      ///< the last document
    bool cut = false;           ///< `last` has no end
    std::size_t documents = 0;  ///< complete ones
    std::vector<std::string> notes;
};

/// Splits by lines: fio indents all braces but the outermost.
Span split(std::string_view text) {
    Span found;
    std::size_t begin = std::string_view::npos;  // of the document that is open
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = without_return(text.substr(at, end - at));
        if (line == "{") {
            if (begin != std::string_view::npos) {
                found.notes.emplace_back("a document without an end was skipped");
            }
            begin = at;
        } else if (line == "}" && begin != std::string_view::npos) {
            found.last = text.substr(begin, end - begin);
            ++found.documents;
            begin = std::string_view::npos;
        } else if (begin == std::string_view::npos &&
                   line.find_first_not_of(" \t") != std::string_view::npos) {
            found.notes.push_back(printable(line));
        }
        at = end + 1;
    }
    if (begin != std::string_view::npos) {
        found.last = text.substr(begin);
        found.cut = true;
    }
    return found;
}

/// Copies what stands before the next string, nan and inf as null; returns how many bytes it took.
std::size_t copy_between_strings(std::string_view rest, std::string& out) {
    if (const std::size_t length = not_a_number_length(rest); length > 0) {
        out += "null";
        return length;
    }
    const std::size_t next = std::min(rest.find_first_of("\"ni+-", 1), rest.size());
    out += rest.substr(0, next);
    return next;
}

/// nlohmann_json is strict, so what fio garbles is mended before it sees it.
std::string mend(std::string_view document) {
    std::string out;
    out.reserve(document.size());
    bool in_string = false;
    for (std::size_t at = 0; at < document.size();) {
        const std::string_view rest = document.substr(at);
        if (rest[0] == '"') {
            in_string = !in_string;
            out += '"';
            ++at;
        } else {
            at += in_string ? copy_from_string(rest, out) : copy_between_strings(rest, out);
        }
    }
    return out;
}

/// Watches a parse for what the grammar allows and we do not.
class Watcher {
public:
    bool operator()(Json::parse_event_t event, const Json& parsed) {
        using Event = Json::parse_event_t;
        if (event == Event::object_start) {
            levels_.push_back({.options = is_options(last_key_), .keys = {}});
        } else if (event == Event::object_end) {
            levels_.pop_back();
        } else if (event == Event::key) {
            last_key_ = parsed.get<std::string>();
            Level& level = levels_.back();
            if (!level.keys.insert(last_key_).second && !level.options) twice_ = last_key_;
        }
        return true;
    }

    /// A key that stands twice where it must not.
    [[nodiscard]] const std::optional<std::string>& twice() const noexcept { return twice_; }

private:
    struct Level {
        bool options = false;
        std::set<std::string> keys;
    };

    static bool is_options(std::string_view key) {
        return key == "job options" || key == "global options";
    }

    std::vector<Level> levels_;
    std::string last_key_;
    std::optional<std::string> twice_;
};

/// Nesting is limited before parsing: a parser's own stack is not for strangers to size.
bool nested_too_deep(std::string_view json) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t at = 0; at < json.size(); ++at) {
        const char c = json[at];
        if (in_string) {
            if (c == '\\') ++at;
            if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            if (++depth > kDeepestFioDocument) return true;
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return false;
}

void parse(std::string_view text, FioDocument& document) {
    const std::string mended = mend(text);
    if (nested_too_deep(mended)) {
        document.fault = "read fio result: the document is nested more than 16 deep";
        return;
    }
    Watcher watcher;
    const Json::parser_callback_t callback = [&watcher](int /*depth*/, Json::parse_event_t event,
                                                        const Json& parsed) {
        return watcher(event, parsed);
    };
    Json json = Json::parse(mended, callback, /*allow_exceptions=*/false);
    if (json.is_discarded() || !json.is_object()) {
        document.fault = "read fio result: the document is not legal JSON";
    } else if (watcher.twice()) {
        document.fault = "read fio result: the key '" + *watcher.twice() +
                         "' stands twice in one object of the document";
    } else {
        document.json = std::move(json);
    }
}

}  // namespace

FioDocument find_fio_document(std::string_view file_text) {
    FioDocument document;
    if (file_text.size() > kLargestFioFile) {
        document.fault = "read fio result: the file has " + std::to_string(file_text.size()) +
                         " bytes, more than the 8 MiB that are read";
        return document;
    }
    Span found = split(file_text);
    document.notes = std::move(found.notes);
    document.documents = found.documents;
    if (found.cut) {
        document.fault = "read fio result: the file is truncated, its last document has no end";
    } else if (found.documents == 0) {
        document.fault = document.notes.empty()
                             ? "read fio result: the file is empty, fio did not run a job"
                             : "read fio result: the file holds no JSON document, only text: '" +
                                   document.notes.front() + "'";
    } else {
        parse(found.last, document);
    }
    return document;
}

}  // namespace poolwise::guest_runner
