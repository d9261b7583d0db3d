// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "module/core/error.hpp"

namespace poolwise {

/// @throws Error{cancelled} once `stop` was requested.
inline void throw_if_stopped(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Error{ErrorCode::cancelled, "the run was cancelled"};
}

}  // namespace poolwise
