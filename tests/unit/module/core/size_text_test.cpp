// SPDX-License-Identifier: Apache-2.0
#include "module/core/size_text.hpp"

#include <gtest/gtest.h>

#include "tests/unit/testing.hpp"

namespace poolwise {
namespace {

struct SizeCase {
    const char* text;
    std::uint64_t bytes;
};

/// What the test's name shows.
void PrintTo(const SizeCase& size, std::ostream* out) {
    *out << size.text;
}

class SizeText : public testing::TestWithParam<SizeCase> {};

TEST_P(SizeText, ReadsEveryCommonSpelling) {
    EXPECT_EQ(parse_size(GetParam().text).count(), GetParam().bytes);
}

INSTANTIATE_TEST_SUITE_P(Spellings, SizeText,
                         testing::Values(SizeCase{"512", 512}, SizeCase{"512B", 512},
                                         SizeCase{"64K", 65536}, SizeCase{"64KiB", 65536},
                                         SizeCase{"64KB", 65536}, SizeCase{"1M", 1048576},
                                         SizeCase{"50G", 53687091200},
                                         SizeCase{"50Gi", 53687091200},
                                         SizeCase{"2TiB", 2199023255552}));

class BadSizeText : public testing::TestWithParam<const char*> {};

TEST_P(BadSizeText, IsRefusedWithTheTextInTheMessage) {
    const std::string text = GetParam();
    const Error error = test::error_of([&] { static_cast<void>(parse_size(text)); });

    EXPECT_EQ(error.code(), ErrorCode::invalid_request);
    EXPECT_NE(std::string{error.what()}.find("'" + text + "'"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Spellings, BadSizeText,
                         testing::Values("", "G", "-5G", "1.5G", "5 G", "5X", "5GiBB", "+5",
                                         "99999999999999999999", "18446744073709551615K"));

TEST(SizeText, IsWrittenInTheLargestUnitWithOneDecimalCut) {
    EXPECT_EQ(format_size(Bytes{0}), "0 B");
    EXPECT_EQ(format_size(Bytes{1023}), "1023 B");
    EXPECT_EQ(format_size(Bytes{1024}), "1 KiB");
    EXPECT_EQ(format_size(Bytes{1536}), "1.5 KiB");
    EXPECT_EQ(format_size(Bytes{(2ULL << 30U) - 1}), "1.9 GiB");
    EXPECT_EQ(format_size(Bytes{25ULL << 30U}), "25 GiB");
}

}  // namespace
}  // namespace poolwise
