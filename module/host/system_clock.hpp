// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "module/ports/clock.hpp"

namespace poolwise {

/// The machine's clocks. Safe from several threads; stopping a sleep ends it at once.
class SystemClock : public Clock {
public:
    Seconds now() override;
    std::chrono::system_clock::time_point wall() override;
    bool sleep(Seconds duration, std::stop_token stop) override;
};

}  // namespace poolwise
