// SPDX-License-Identifier: Apache-2.0
#include "module/codec/profile_codec.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/unit/testing.hpp"

namespace poolwise::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kSmall = R"({
    "name": "small",
    "workloads": [{"id": "read", "access": "randread", "block_size_bytes": 4096}]
})";

/// The message for kSmall with one value set by JSON pointer.
std::string message_with(const std::string& pointer, const Document& value) {
    Document document = Document::parse(kSmall);
    document[Document::json_pointer{pointer}] = value;
    const std::string text = document.dump();
    return message_of([&] { static_cast<void>(parse_profile(text, "small.json")); });
}

TEST(ProfileCodec, TakesDefaultsFromTheStructure) {
    const Profile profile = parse_profile(kSmall, "small.json");

    Profile expected;
    expected.name = "small";
    expected.workloads = {Workload{.id = "read", .access = Access::randread}};
    EXPECT_EQ(profile, expected);
}

TEST(ProfileCodec, ReadsNullAsUnset) {
    const Profile profile =
        parse_profile(R"({"name": "x", "workloads": [], "volume_size_bytes": null})", "x");
    EXPECT_FALSE(profile.volume_size);
}

TEST(ProfileCodec, NamesFilePointerAndNearestFieldForAnUnknownOne) {
    EXPECT_THAT(message_with("/workloads/0/iodpeth", 1),
                AllOf(HasSubstr("'small.json'"), HasSubstr("'/workloads/0/iodpeth'"),
                      HasSubstr("nearest known one is 'iodepth'")));
    EXPECT_THAT(message_with("/volume_size", 1), HasSubstr("'volume_size_bytes'"));
    EXPECT_THAT(message_with("/guest/memory_mib", 1),
                AllOf(HasSubstr("'/guest/memory_mib'"), HasSubstr("'memory_bytes'")));
    EXPECT_THAT(message_with("/a~1b~0c", 1), HasSubstr("'/a~1b~0c'"));
}

TEST(ProfileCodec, NamesAFieldThatIsMissing) {
    EXPECT_THAT(message_of([] { static_cast<void>(parse_profile(R"({"name": "x"})", "x.json")); }),
                HasSubstr("'/workloads' is missing"));
    EXPECT_THAT(message_with("/workloads/1", Document::object()),
                HasSubstr("'/workloads/1/id' is missing"));
}

TEST(ProfileCodec, RefusesWrongTypes) {
    EXPECT_THAT(message_with("/rounds", "5"),
                AllOf(HasSubstr("'/rounds' must be a whole number"), HasSubstr("not \"5\"")));
    EXPECT_THAT(message_with("/rounds", 5.0), HasSubstr("must be a whole number"));
    EXPECT_THAT(message_with("/rounds", nullptr), HasSubstr("must be a whole number"));
    EXPECT_THAT(message_with("/rounds", true), HasSubstr("must be a whole number"));
    EXPECT_THAT(message_with("/name", 1), HasSubstr("must be a string"));
    EXPECT_THAT(message_with("/drop_host_cache", 1), HasSubstr("must be true or false"));
    EXPECT_THAT(message_with("/workloads", Document::object()), HasSubstr("must be an array"));
    EXPECT_THAT(message_with("/guest", Document::array()),
                AllOf(HasSubstr("must be an object"), HasSubstr("not an array")));
    EXPECT_THAT(message_with("/workloads/0/rate_iops", "1"), HasSubstr("must be a number"));
    EXPECT_THAT(message_with("/fill", "sevens"),
                AllOf(HasSubstr("must be one of none, random, zeros"), HasSubstr("\"sevens\"")));
    EXPECT_THAT(message_of([] { static_cast<void>(parse_profile("[]", "x.json")); }),
                HasSubstr("the document must be an object"));
}

TEST(ProfileCodec, RefusesNumbersThatTheFieldCannotHold) {
    EXPECT_THAT(message_with("/rounds", -1), HasSubstr("from 0 to 4294967295, not -1"));
    EXPECT_THAT(message_with("/rounds", 4294967296), HasSubstr("from 0 to 4294967295"));
    EXPECT_THAT(message_with("/volume_size_bytes", -1),
                HasSubstr("from 0 to 18446744073709551615"));
}

TEST(ProfileCodec, CutsALongValueInTheMessage) {
    EXPECT_LT(message_with("/rounds", std::string(10'000, 'x')).size(), 300U);
}

TEST(ProfileCodec, WritesAFileForPeople) {
    const std::string text = write_profile(parse_profile(kSmall, "small.json"));

    EXPECT_THAT(text, testing::StartsWith("{\n  \"name\": \"small\",\n"));
    EXPECT_EQ(text.back(), '\n');
    EXPECT_THAT(text, testing::Not(HasSubstr("volume_size_bytes")));
}

}  // namespace
}  // namespace poolwise::test
