// SPDX-License-Identifier: Apache-2.0
// Physical quantities. Every number that crosses a function boundary has one of these types or a
// std::chrono duration; a bare integer is allowed only for counts that have no unit.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

namespace poolwise {

template <typename Tag, typename Rep>
class Quantity {
public:
    constexpr Quantity() noexcept = default;
    constexpr explicit Quantity(Rep count) noexcept : count_{count} {}

    [[nodiscard]] constexpr Rep count() const noexcept { return count_; }

    friend constexpr auto operator<=>(const Quantity&, const Quantity&) = default;
    friend constexpr Quantity operator+(Quantity a, Quantity b) {
        return Quantity{a.count_ + b.count_};
    }
    /// Precondition for unsigned quantities: a >= b.
    friend constexpr Quantity operator-(Quantity a, Quantity b) {
        return Quantity{a.count_ - b.count_};
    }
    friend constexpr Quantity operator*(Quantity a, Rep factor) {
        return Quantity{a.count_ * factor};
    }
    constexpr Quantity& operator+=(Quantity other) {
        count_ += other.count_;
        return *this;
    }

private:
    Rep count_{};
};

using Bytes = Quantity<struct BytesTag, std::uint64_t>;
using BytesPerSecond = Quantity<struct BytesPerSecondTag, double>;
using Iops = Quantity<struct IopsTag, double>;
using Microseconds = std::chrono::duration<double, std::micro>;  // latencies; fractions are real
using Seconds = std::chrono::duration<double>;

/// Mean throughput of `total` moved in `elapsed`. Precondition: elapsed > 0.
constexpr BytesPerSecond operator/(Bytes total, Seconds elapsed) {
    return BytesPerSecond{static_cast<double>(total.count()) / elapsed.count()};
}

namespace literals {
constexpr Bytes operator""_B(unsigned long long n) {
    return Bytes{n};
}
constexpr Bytes operator""_KiB(unsigned long long n) {
    return Bytes{n << 10U};
}
constexpr Bytes operator""_MiB(unsigned long long n) {
    return Bytes{n << 20U};
}
constexpr Bytes operator""_GiB(unsigned long long n) {
    return Bytes{n << 30U};
}
}  // namespace literals

}  // namespace poolwise
