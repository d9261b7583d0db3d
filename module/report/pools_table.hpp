// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "module/core/pool.hpp"
#include "module/report/text_table.hpp"

namespace poolwise {

/// Every pool with its free space, what can be measured on it, and if not, why.
[[nodiscard]] std::string render_pools(const std::vector<PoolInfo>& pools, const TableStyle& style);

}  // namespace poolwise
