// SPDX-License-Identifier: Apache-2.0
// Records with random content, for tests of what stores and transports them.
#pragma once

#include <array>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "module/codec/records.hpp"

namespace poolwise::test {

/// `complete`: every member differs from its default, no optional is unset, no vector is empty.
enum class Filling { random, complete };

/// Structured bindings name every member, so that a new one does not compile until it is here.
class RandomRecords {
public:
    RandomRecords(std::uint64_t seed, Filling filling) : random_{seed}, filling_{filling} {}

    template <typename Record>
    Record make() {
        Record record;
        fill(record);
        return record;
    }

private:
    [[nodiscard]] bool complete() const { return filling_ == Filling::complete; }
    std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

    void fill(bool& value) { value = complete() ? !value : below(2) == 1; }

    void fill(std::string& value) {
        constexpr std::array<std::string_view, 9> kParts{
            "a", "Z", "0", " ", "\"\\/", "\n\t\x01", "\xc3\xa9", "\xf0\x9d\x84\x9e", "{}"};
        value.clear();
        const std::uint64_t length = below(12) + (complete() ? 1 : 0);
        for (std::uint64_t i = 0; i < length; ++i) value += kParts[below(kParts.size())];
    }

    void fill(double& value) {
        const double sign = below(2) == 0 ? 1 : -1;
        value = sign * (1 + static_cast<double>(random_())) *
                std::pow(10, static_cast<double>(below(30)) - 20);
    }

    template <std::integral T>
    void fill(T& value) {
        const T before = value;
        do {
            value = below(8) == 0 ? std::numeric_limits<T>::max() : static_cast<T>(random_());
        } while (complete() && value == before);
    }

    template <typename T>
    requires std::is_enum_v<T>
    void fill(T& value) {
        const auto& names = names_of(value);
        const T before = value;
        do {
            value = names[below(names.size())].first;
        } while (complete() && value == before);
    }

    template <typename Tag, typename Rep>
    void fill(Quantity<Tag, Rep>& value) {
        Rep count = value.count();
        fill(count);
        value = Quantity<Tag, Rep>{count};
    }

    template <typename Rep, typename Period>
    void fill(std::chrono::duration<Rep, Period>& value) {
        Rep count = value.count();
        fill(count);
        value = std::chrono::duration<Rep, Period>{count};
    }

    void fill(std::chrono::system_clock::time_point& value) {
        constexpr std::uint64_t kSpan = 7'000'000'000'000;  // 1970 to 2191, in milliseconds
        value = std::chrono::system_clock::time_point{} +
                std::chrono::milliseconds{static_cast<std::int64_t>(1 + below(kSpan))};
    }

    template <typename T>
    void fill(std::optional<T>& value) {
        value.reset();
        if (complete() || below(2) == 0) fill(value.emplace());
    }

    template <typename T>
    void fill(std::vector<T>& value) {
        value.resize(below(4) + (complete() ? 1 : 0));
        for (T& element : value) fill(element);
    }

    void fill(LatencyHistogram& value) {
        const std::uint64_t bins = below(20) + (complete() ? 1 : 0);
        value = {};
        for (std::uint64_t i = 0; i < bins; ++i) value.add(random_(), random_());
    }

    template <typename... Members>
    void all(Members&... members) {
        (fill(members), ...);
    }

    void fill(FormatOptions& r) {
        auto& [a, b, c] = r;
        all(a, b, c);
    }
    void fill(DiskDriver& r) {
        auto& [a, b, c, d, e, f] = r;
        all(a, b, c, d, e, f);
    }
    void fill(Candidate& r) {
        auto& [a, b, c, d, e, f, g] = r;
        all(a, b, c, d, e, f, g);
    }
    void fill(Workload& r) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = r;
        all(a, b, c, d, e, f, g, h, i, j, k, l, m);
    }
    void fill(GuestShape& r) {
        auto& [a, b] = r;
        all(a, b);
    }
    void fill(Profile& r) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = r;
        all(a, b, c, d, e, f, g, h, i, j, k, l, m);
    }
    void fill(NodeFacts& r) {
        auto& [a, b, c, d, e, f, g, h, i] = r;
        all(a, b, c, d, e, f, g, h, i);
    }
    void fill(BackingDevice& r) {
        auto& [a, b, c, d, e, f, g, h] = r;
        all(a, b, c, d, e, f, g, h);
    }
    void fill(PathFacts& r) {
        auto& [a, b, c, d, e, f, g, h] = r;
        all(a, b, c, d, e, f, g, h);
    }
    void fill(PoolInfo& r) {
        auto& [a, b, c, d, e, f, g, h, i, j] = r;
        all(a, b, c, d, e, f, g, h, i, j);
    }
    void fill(Remark& r) {
        auto& [a, b] = r;
        all(a, b);
    }
    void fill(RunRequest& r) {
        auto& [a, b, c, d, e, f] = r;
        all(a, b, c, d, e, f);
    }
    void fill(PlannedSample& r) {
        auto& [a, b, c, d] = r;
        all(a, b, c, d);
    }
    void fill(Plan& r) {
        auto& [a, b, c, d, e, f, g, h] = r;
        all(a, b, c, d, e, f, g, h);
    }
    void fill(ImageFacts& r) {
        auto& [a, b, c] = r;
        all(a, b, c);
    }
    void fill(Run& r) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, s] = r;
        all(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, s);
    }
    void fill(DirectionResult& r) {
        auto& [a, b, c, d, e, f, g, h, i, j] = r;
        all(a, b, c, d, e, f, g, h, i, j);
    }
    void fill(SyncResult& r) {
        auto& [a, b, c] = r;
        all(a, b, c);
    }
    void fill(FioResult& r) {
        auto& [a, b, c, d, e, f, g] = r;
        all(a, b, c, d, e, f, g);
    }
    void fill(BlockCounters& r) {
        auto& [a, b, c, d, e] = r;
        all(a, b, c, d, e);
    }
    void fill(CpuTimes& r) {
        auto& [a, b, c] = r;
        all(a, b, c);
    }
    void fill(RatePoint& r) {
        auto& [a, b, c] = r;
        all(a, b, c);
    }
    void fill(Evidence& r) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = r;
        all(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
    }
    void fill(SampleTimings& r) {
        auto& [a, b, c, d, e, f, g] = r;
        all(a, b, c, d, e, f, g);
    }
    void fill(Sample& r) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l] = r;
        all(a, b, c, d, e, f, g, h, i, j, k, l);
    }

    std::mt19937_64 random_;
    Filling filling_;
};

}  // namespace poolwise::test
