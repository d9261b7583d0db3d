// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace poolwise::test {

/// Fails unless `text` is what tests/data/report/<name> holds. With POOLWISE_UPDATE_GOLDEN=1 in the
/// environment the file is written instead, for a person to look at in the diff.
void expect_golden(const std::string& name, const std::string& text);

}  // namespace poolwise::test
