// SPDX-License-Identifier: Apache-2.0
#include "module/codec/document.hpp"

#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace poolwise {
namespace {

[[noreturn]] void refuse(const Origin& origin, const std::string& reason) {
    throw Error{origin.fault, "read '" + std::string{origin.where} + "': " + reason};
}

/// Watches a text while it is parsed, for what the parser itself lets pass.
class Guard {
public:
    explicit Guard(const Origin& origin) : origin_{origin} {}

    bool operator()(int depth, Document::parse_event_t event, const Document& parsed) {
        using Event = Document::parse_event_t;
        if (event == Event::object_start || event == Event::array_start) {
            if (depth >= kMaximumDepth) {
                refuse(origin_, "nested deeper than " + std::to_string(kMaximumDepth) + " levels");
            }
        }
        if (event == Event::object_start) fields_.emplace_back();
        if (event == Event::object_end) fields_.pop_back();
        if (event == Event::key) check_new(parsed.get_ref<const std::string&>());
        return true;
    }

private:
    void check_new(const std::string& field) {
        if (!fields_.back().insert(field).second) {
            refuse(origin_, "field '" + field + "' is given twice in one object: keep one");
        }
    }

    const Origin& origin_;
    std::vector<std::set<std::string>> fields_;  ///< of each object that is open
};

/// "line 3, column 5: ..." out of the parser's message, which begins with names of its own.
std::string position_and_reason(std::string_view message) {
    constexpr std::string_view kBeforePosition = "parse error at ";
    const std::size_t start = message.find(kBeforePosition);
    return std::string{
        start == std::string_view::npos ? message : message.substr(start + kBeforePosition.size())};
}

std::string dump(const Document& document, int indent) {
    return document.dump(indent, ' ', false, Document::error_handler_t::replace);
}

}  // namespace

Document parse_document(std::string_view text, const Origin& origin) {
    Guard guard{origin};
    try {
        return Document::parse(text.begin(), text.end(), std::ref(guard));
    } catch (const Document::exception& error) {
        refuse(origin, "not valid JSON: " + position_and_reason(error.what()));
    }
}

std::string compact_text(const Document& document) {
    return dump(document, -1);
}

std::string readable_text(const Document& document) {
    return dump(document, 2) + "\n";
}

}  // namespace poolwise
