// SPDX-License-Identifier: Apache-2.0
// Lists as JSON objects: {"pools": [...]}, {"runs": [...]}.
#pragma once

#include <vector>

#include "module/codec/document.hpp"
#include "module/core/pool.hpp"
#include "module/core/run.hpp"

namespace poolwise::api {

[[nodiscard]] Document pools_document(const std::vector<PoolInfo>& pools);
[[nodiscard]] Document runs_document(const std::vector<Run>& runs);

}  // namespace poolwise::api
