// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "guest_runner/engine/placement.hpp"
#include "guest_runner/protocol.hpp"

namespace poolwise::guest_runner {

/// Who we are, fio's version included: runs `fio --version` once and waits for it (up to 30 s).
/// A fio that does not start is no error here: the hello says why.
[[nodiscard]] HelloReply make_hello(const Placement& placement);

}  // namespace poolwise::guest_runner
