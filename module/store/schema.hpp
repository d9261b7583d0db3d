// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "module/store/database.hpp"

namespace poolwise {

/// Marks the file as ours (PRAGMA application_id): "plws".
inline constexpr std::int64_t kApplicationId = 0x706c7773;

/// Brings the tables of `database` up to this program's version.
///
/// Two processes may do this at once; one of them does the work.
/// @throws Error{store_failed}: the file belongs to another program or to a newer version of this
///         one. It is not changed then.
void migrate(Database& database);

}  // namespace poolwise
