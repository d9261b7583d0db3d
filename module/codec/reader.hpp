// SPDX-License-Identifier: Apache-2.0
// Reads described records (records.hpp) out of a document. Private to codec.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "module/codec/document.hpp"
#include "module/core/enum_text.hpp"
#include "module/core/histogram.hpp"
#include "module/core/units.hpp"

namespace poolwise {

/// One value of a document and where it is. A visitor for describe(): called with each field.
class Reader {
public:
    /// `value` and `origin` outlive the reader.
    Reader(const Document& value, const Origin& origin, std::string pointer = {})
        : value_{value}, origin_{origin}, pointer_{std::move(pointer)} {}

    /// A field that may be absent; `member` keeps its default then.
    template <typename T>
    void operator()(std::string_view name, T& member) {
        if (const Document* field = find(name)) at(*field, name).read(member);
    }

    template <typename T>
    void required(std::string_view name, T& member) {
        const Document* field = find(name);
        if (field == nullptr) refuse_missing(name);
        at(*field, name).read(member);
    }

    void read(bool& out) const;
    void read(double& out) const;
    void read(std::string& out) const;
    void read(std::chrono::system_clock::time_point& out) const;
    void read(LatencyHistogram& out) const;

    template <std::integral T>
    void read(T& out) const {
        if (value_.is_number_unsigned()) {
            const auto number = value_.get<std::uint64_t>();
            if (std::in_range<T>(number)) return void(out = static_cast<T>(number));
        } else if (value_.is_number_integer()) {
            const auto number = value_.get<std::int64_t>();
            if (std::in_range<T>(number)) return void(out = static_cast<T>(number));
        }
        refuse("must be a whole number from " + std::to_string(std::numeric_limits<T>::min()) +
               " to " + std::to_string(std::numeric_limits<T>::max()));
    }

    template <typename T>
    requires std::is_enum_v<T>
    void read(T& out) const {
        const auto& names = names_of(out);
        if (value_.is_string()) {
            if (const auto known = enum_value(names, value_.get_ref<const std::string&>())) {
                out = *known;
                return;
            }
        }
        std::string choices;
        for (const auto& entry : names) {
            choices += (choices.empty() ? "" : ", ") + std::string{entry.second};
        }
        refuse("must be one of " + choices);
    }

    template <typename Tag, typename Rep>
    void read(Quantity<Tag, Rep>& out) const {
        Rep count{};
        read(count);
        out = Quantity<Tag, Rep>{count};
    }

    template <typename Rep, typename Period>
    void read(std::chrono::duration<Rep, Period>& out) const {
        Rep count{};
        read(count);
        out = std::chrono::duration<Rep, Period>{count};
    }

    template <typename T>
    void read(std::optional<T>& out) const {
        out.reset();
        if (!value_.is_null()) read(out.emplace());
    }

    template <typename T>
    void read(std::vector<T>& out) const {
        if (!value_.is_array()) refuse("must be an array");
        out.clear();
        out.reserve(value_.size());
        for (const Document& element : value_) {
            at(element, std::to_string(out.size())).read(out.emplace_back());
        }
    }

    /// A record: everything that has a describe().
    template <typename T>
    void read(T& out) const {
        if (!value_.is_object()) refuse("must be an object");
        Reader fields{value_, origin_, pointer_};
        describe(fields, out);
        fields.refuse_unknown();
    }

private:
    Reader at(const Document& child, std::string_view step) const;
    const Document* find(std::string_view name);

    [[noreturn]] void refuse(const std::string& requirement) const;
    [[noreturn]] void refuse_missing(std::string_view name) const;
    void refuse_unknown() const;

    const Document& value_;
    const Origin& origin_;
    std::string pointer_;                  ///< JSON pointer (RFC 6901)
    std::vector<std::string_view> known_;  ///< fields asked for so far
};

template <typename T>
[[nodiscard]] T read_record(std::string_view json, const Origin& origin) {
    const Document document = parse_document(json, origin);
    T record;
    Reader{document, origin}.read(record);
    return record;
}

}  // namespace poolwise
