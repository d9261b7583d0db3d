// SPDX-License-Identifier: Apache-2.0
#include "module/core/error.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace poolwise {
namespace {

TEST(ErrorCodes, EachHasItsOwnNameAndADocumentedExitStatus) {
    std::set<std::string> names;
    for (const ErrorCode code : kErrorCodes) {
        names.emplace(to_string(code));
        EXPECT_TRUE(std::set({2, 4, 5, 6}).contains(exit_code(code))) << to_string(code);
    }
    EXPECT_EQ(names.size(), kErrorCodes.size());
    EXPECT_FALSE(names.contains("unknown"));
}

}  // namespace
}  // namespace poolwise
