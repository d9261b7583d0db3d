// SPDX-License-Identifier: Apache-2.0
#include "module/core/profile.hpp"

#include <gtest/gtest.h>

#include "tests/unit/testing.hpp"

namespace poolwise {
namespace {

Profile good() {
    return {.name = "p", .workloads = {{.id = "read", .runtime = std::chrono::seconds{5}}}};
}

std::string refusal_of(const Profile& profile) {
    return test::message_of([&] { check_profile(profile); });
}

TEST(ProfileCheck, AGoodOnePasses) {
    EXPECT_NO_THROW(check_profile(good()));
}

TEST(ProfileCheck, NamesWhatIsWrong) {
    Profile twins = good();
    twins.workloads.push_back(twins.workloads.front());
    EXPECT_NE(refusal_of(twins).find("two workloads are called 'read'"), std::string::npos);

    Profile empty = good();
    empty.workloads.clear();
    EXPECT_NE(refusal_of(empty).find("workloads is empty"), std::string::npos);

    Profile rounds = good();
    rounds.rounds = 0;
    EXPECT_NE(refusal_of(rounds).find("rounds"), std::string::npos);

    Profile small = good();
    small.volume_size = Bytes{1U << 20U};
    EXPECT_NE(refusal_of(small).find("at least 64 MiB, not 1 MiB"), std::string::npos);

    Profile memory = good();
    memory.guest.memory = Bytes{64U << 20U};
    EXPECT_NE(refusal_of(memory).find("guest.memory_bytes"), std::string::npos);
}

TEST(ProfileCheck, ReadsOfAVolumeThatIsNeverFilledAreRefused) {
    Profile profile = good();
    profile.fill = FillData::none;

    EXPECT_NE(refusal_of(profile).find("blocks never written"), std::string::npos);
}

}  // namespace
}  // namespace poolwise
