// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/module/report/golden.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/paths.hpp"

namespace poolwise::test {
namespace {

bool updating() {
    const char* value = std::getenv("POOLWISE_UPDATE_GOLDEN");
    return value != nullptr && std::string_view{value} == "1";
}

}  // namespace

void expect_golden(const std::string& name, const std::string& text) {
    const std::string path = poolwise::test::kTestData + "/report/" + name;
    if (updating()) {
        std::ofstream file{path, std::ios::binary};
        ASSERT_TRUE(file << text) << "cannot write " << path;
        return;
    }
    std::ifstream file{path, std::ios::binary};
    ASSERT_TRUE(file) << "no golden file " << path << "; POOLWISE_UPDATE_GOLDEN=1 makes it";
    const std::string expected{std::istreambuf_iterator<char>{file}, {}};
    EXPECT_EQ(text, expected) << "differs from " << path;
}

}  // namespace poolwise::test
