// SPDX-License-Identifier: Apache-2.0
#include "module/core/units.hpp"

#include <gtest/gtest.h>

namespace poolwise {
namespace {

using namespace literals;

template <typename A, typename B>
concept Addable = requires(A a, B b) {
    a + b;
};

static_assert(Addable<Bytes, Bytes>);
static_assert(!Addable<Bytes, Iops>);
static_assert(!Addable<Bytes, BytesPerSecond>);

TEST(Units, BytesOverTimeAreAThroughput) {
    EXPECT_DOUBLE_EQ((3_MiB / Seconds{1.5}).count(), 2.0 * 1024 * 1024);
}

TEST(Units, LiteralsAreBinaryMultiples) {
    EXPECT_EQ((1_KiB).count(), 1024U);
    EXPECT_EQ((2_GiB).count(), 2147483648U);
}

}  // namespace
}  // namespace poolwise
