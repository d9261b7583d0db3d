// SPDX-License-Identifier: Apache-2.0
#include "module/codec/timestamp.hpp"

#include <gtest/gtest.h>

namespace poolwise::test {
namespace {

using namespace std::chrono;

system_clock::time_point at(milliseconds since_epoch) {
    return system_clock::time_point{since_epoch};
}

TEST(Timestamp, IsUtcWithMilliseconds) {
    EXPECT_EQ(format_timestamp(at(0ms)), "1970-01-01T00:00:00.000Z");
    EXPECT_EQ(format_timestamp(at(1'772'355'907'250ms)), "2026-03-01T09:05:07.250Z");
    EXPECT_EQ(format_timestamp(at(951'827'696'789ms)), "2000-02-29T12:34:56.789Z");
}

TEST(Timestamp, RoundsDownBeforeTheEpochToo) {
    EXPECT_EQ(format_timestamp(at(0ms) - 1ns), "1969-12-31T23:59:59.999Z");
}

TEST(Timestamp, ComesBackToTheMillisecond) {
    for (const auto time : {at(0ms), at(1'772'355'907'250ms), at(-1ms)}) {
        EXPECT_EQ(parse_timestamp(format_timestamp(time)), time);
    }
}

TEST(Timestamp, IsReadInOneShapeOnly) {
    for (const char* text :
         {"", "2026-03-01", "2026-03-01T09:05:07Z", "2026-03-01T09:05:07.250+00:00",
          "2026-03-01 09:05:07.250Z", "2026-02-30T09:05:07.250Z", "2026-13-01T09:05:07.250Z",
          "2026-03-01T24:00:00.000Z", "2026-03-01T09:60:00.000Z", "2026-03-01T09:05:60.000Z",
          "2026-03-01T09:05:07.250Zx", "+026-03-01T09:05:07.250Z", "0001-03-01T09:05:07.250Z"}) {
        EXPECT_FALSE(parse_timestamp(text)) << text;
    }
}

}  // namespace
}  // namespace poolwise::test
