// SPDX-License-Identifier: Apache-2.0
#include "module/codec/document.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/unit/testing.hpp"

namespace poolwise::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr Origin kOrigin{"some file"};

std::string nested(int levels) {
    const auto count = static_cast<std::size_t>(levels);
    return std::string(count, '[') + std::string(count, ']');
}

std::string message_for(const std::string& text) {
    return message_of([&] { static_cast<void>(parse_document(text, kOrigin)); });
}

TEST(Document, KeepsTheOrderOfFields) {
    EXPECT_EQ(compact_text(parse_document(R"({"z": 1, "a": 2, "m": 3})", kOrigin)),
              R"({"z":1,"a":2,"m":3})");
}

TEST(Document, NamesThePlaceWhereTheTextIsNotJson) {
    EXPECT_THAT(message_for("{\n  \"a\": 1,\n  b}"),
                AllOf(HasSubstr("'some file'"), HasSubstr("line 3, column 3")));
    EXPECT_THAT(message_for(""), HasSubstr("not valid JSON"));
    EXPECT_THAT(message_for("1e999"), HasSubstr("not valid JSON"));
    EXPECT_THAT(message_for("\"\xff\""), HasSubstr("not valid JSON"));
    EXPECT_THAT(message_for("{} {}"), HasSubstr("not valid JSON"));
}

TEST(Document, MayBeThirtyTwoLevelsDeepAndNoMore) {
    EXPECT_NO_THROW(static_cast<void>(parse_document(nested(kMaximumDepth), kOrigin)));
    EXPECT_THAT(message_for(nested(kMaximumDepth + 1)), HasSubstr("deeper than 32 levels"));
    EXPECT_THAT(message_for(std::string(1'000'000, '[')), HasSubstr("deeper than 32 levels"));
}

TEST(Document, RefusesAFieldGivenTwiceInOneObject) {
    EXPECT_THAT(message_for(R"({"a": {"x": 1}, "b": {"x": 1, "x": 2}})"),
                HasSubstr("field 'x' is given twice"));
    EXPECT_NO_THROW(static_cast<void>(parse_document(R"([{"x": 1}, {"x": {"x": 1}}])", kOrigin)));
}

TEST(Document, HasTheFaultThatItsOriginSays) {
    EXPECT_EQ(code_of([] { static_cast<void>(parse_document("?", {"x"})); }),
              ErrorCode::invalid_request);
    EXPECT_EQ(code_of([] {
                  static_cast<void>(parse_document("?", {"x", ErrorCode::store_failed}));
              }),
              ErrorCode::store_failed);
}

TEST(Document, ReplacesBytesThatAreNoUtf8) {
    EXPECT_EQ(compact_text(Document("bad \xff end")), "\"bad \xef\xbf\xbd end\"");
    EXPECT_NO_THROW(static_cast<void>(readable_text(Document{{"cut", "\xf0\x9d\x84"}})));
}

}  // namespace
}  // namespace poolwise::test
