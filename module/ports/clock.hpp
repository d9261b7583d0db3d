// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <stop_token>

#include "module/core/units.hpp"
#include "module/ports/port.hpp"

namespace poolwise {

class Clock : public Port {
public:
    /// Monotonic; only differences mean something.
    virtual Seconds now() = 0;
    virtual std::chrono::system_clock::time_point wall() = 0;

    /// @return false if `stop` was requested meanwhile.
    virtual bool sleep(Seconds duration, std::stop_token stop) = 0;
};

}  // namespace poolwise
