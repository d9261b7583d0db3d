// SPDX-License-Identifier: Apache-2.0
// Writes described records (records.hpp) into a document. Private to codec.
#pragma once

#include <chrono>
#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <nlohmann/json.hpp>

#include "module/codec/document.hpp"
#include "module/codec/timestamp.hpp"
#include "module/core/enum_text.hpp"
#include "module/core/histogram.hpp"
#include "module/core/units.hpp"

namespace poolwise {

/// A visitor for describe(): each call adds one field. What has no JSON value (an unset optional, a
/// number that is not finite) adds none.
class Writer {
public:
    template <typename T>
    [[nodiscard]] static Document record(const T& value) {
        Writer fields;
        describe(fields, value);
        return std::move(fields.object_);
    }

    template <typename T>
    void operator()(std::string_view name, const T& member) {
        Document field = value(member);
        if (!field.is_null()) object_.emplace(name, std::move(field));
    }

    template <typename T>
    void required(std::string_view name, const T& member) {
        (*this)(name, member);
    }

private:
    static Document value(bool member) { return member; }
    static Document value(const std::string& member) { return member; }
    static Document value(std::integral auto member) { return member; }
    static Document value(double member) {
        return std::isfinite(member) ? Document(member) : Document(nullptr);
    }
    static Document value(std::chrono::system_clock::time_point member) {
        return format_timestamp(member);
    }

    template <typename T>
    requires std::is_enum_v<T>
    static Document value(T member) { return enum_name(names_of(member), member); }

    template <typename Tag, typename Rep>
    static Document value(Quantity<Tag, Rep> member) {
        return value(member.count());
    }

    template <typename Rep, typename Period>
    static Document value(std::chrono::duration<Rep, Period> member) {
        return value(member.count());
    }

    template <typename T>
    static Document value(const std::optional<T>& member) {
        return member ? value(*member) : Document(nullptr);
    }

    template <typename T>
    static Document value(const std::vector<T>& member) {
        Document array = Document::array();
        for (const T& element : member) array.push_back(value(element));
        return array;
    }

    static Document value(const LatencyHistogram& member) {
        Document nanoseconds = Document::array();
        Document counts = Document::array();
        for (const auto& [ns, count] : member.bins()) {
            nanoseconds.push_back(ns);
            counts.push_back(count);
        }
        Document object = Document::object();
        object.emplace("ns", std::move(nanoseconds));
        object.emplace("count", std::move(counts));
        return object;
    }

    template <typename T>
    requires std::is_class_v<T>
    static Document value(const T& member) { return record(member); }

    Document object_ = Document::object();
};

}  // namespace poolwise
