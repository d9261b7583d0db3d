// SPDX-License-Identifier: Apache-2.0
#include "module/codec/reader.hpp"

#include <algorithm>
#include <numeric>

#include "module/codec/timestamp.hpp"

namespace poolwise {
namespace {

/// Levenshtein's distance: insertions, deletions and replacements that lead from one to the other.
std::size_t edit_distance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

std::string_view nearest(const std::vector<std::string_view>& names, std::string_view name) {
    return *std::min_element(names.begin(), names.end(), [&](auto a, auto b) {
        return edit_distance(a, name) < edit_distance(b, name);
    });
}

std::string escaped(std::string_view step) {
    std::string text;
    for (const char c : step) {
        if (c == '~') {
            text += "~0";
        } else if (c == '/') {
            text += "~1";
        } else {
            text += c;
        }
    }
    return text;
}

/// What a person sees of a wrong value; long ones are cut.
std::string excerpt(const Document& value) {
    constexpr std::size_t kLongest = 60;
    if (value.is_structured()) return value.is_object() ? "an object" : "an array";
    std::string text = compact_text(value);
    if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
    return text;
}

std::string field_text(const std::string& pointer) {
    return pointer.empty() ? "the document" : "field '" + pointer + "'";
}

}  // namespace

void Reader::read(bool& out) const {
    if (!value_.is_boolean()) refuse("must be true or false");
    out = value_.get<bool>();
}

void Reader::read(double& out) const {
    if (!value_.is_number()) refuse("must be a number");
    out = value_.get<double>();
}

void Reader::read(std::string& out) const {
    if (!value_.is_string()) refuse("must be a string");
    out = value_.get_ref<const std::string&>();
}

void Reader::read(std::chrono::system_clock::time_point& out) const {
    std::string text;
    read(text);
    const auto time = parse_timestamp(text);
    if (!time) refuse("must be a UTC time like \"2026-03-01T09:05:07.250Z\"");
    out = *time;
}

void Reader::read(LatencyHistogram& out) const {
    std::vector<std::uint64_t> nanoseconds;
    std::vector<std::uint64_t> counts;
    if (!value_.is_object()) refuse("must be an object");
    Reader fields{value_, origin_, pointer_};
    fields.required("ns", nanoseconds);
    fields.required("count", counts);
    fields.refuse_unknown();
    const bool ascending =
        std::is_sorted(nanoseconds.begin(), nanoseconds.end(), std::less_equal{});
    if (nanoseconds.size() != counts.size() || !ascending) {
        refuse("must have as many counts as ns, and ns must ascend");
    }
    LatencyHistogram::Bins bins;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        bins.emplace_hint(bins.end(), nanoseconds[i], counts[i]);
    }
    out = LatencyHistogram{std::move(bins)};
}

Reader Reader::at(const Document& child, std::string_view step) const {
    return Reader{child, origin_, pointer_ + "/" + escaped(step)};
}

const Document* Reader::find(std::string_view name) {
    known_.push_back(name);
    const auto found = value_.find(name);
    return found == value_.end() ? nullptr : &*found;
}

void Reader::refuse(const std::string& requirement) const {
    throw Error{origin_.fault, "read '" + std::string{origin_.where} +
                                   "': " + field_text(pointer_) + " " + requirement + ", not " +
                                   excerpt(value_)};
}

void Reader::refuse_missing(std::string_view name) const {
    throw Error{origin_.fault, "read '" + std::string{origin_.where} + "': field '" + pointer_ +
                                   "/" + std::string{name} + "' is missing"};
}

void Reader::refuse_unknown() const {
    for (const auto& field : value_.items()) {
        const std::string& name = field.key();
        if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
        throw Error{origin_.fault, "read '" + std::string{origin_.where} + "': unknown field '" +
                                       pointer_ + "/" + escaped(name) +
                                       "': the nearest known one is '" +
                                       std::string{nearest(known_, name)} + "'"};
    }
}

}  // namespace poolwise
