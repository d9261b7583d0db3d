// SPDX-License-Identifier: Apache-2.0
#include "module/host/system_clock.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>

namespace poolwise {

Seconds SystemClock::now() {
    return std::chrono::steady_clock::now().time_since_epoch();
}

std::chrono::system_clock::time_point SystemClock::wall() {
    return std::chrono::system_clock::now();
}

bool SystemClock::sleep(Seconds duration, std::stop_token stop) {
    // A year: longer ones would overflow the nanoseconds of a deadline.
    const Seconds bounded = std::min(duration, Seconds{std::chrono::hours{24 * 365}});
    std::mutex mutex;
    std::condition_variable_any woken;
    std::unique_lock lock{mutex};
    woken.wait_for(lock, stop, std::chrono::duration_cast<std::chrono::nanoseconds>(bounded),
                   [] { return false; });
    return !stop.stop_requested();
}

}  // namespace poolwise
