// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <mutex>
#include <stop_token>
#include <vector>

#include "module/ports/clock.hpp"

namespace poolwise::test {

/// A clock that stands still until somebody sleeps or moves it. Safe from several threads.
class FakeClock : public Clock {
public:
    Seconds now() override {
        const std::lock_guard lock{mutex_};
        return now_;
    }

    /// 2024-01-01T00:00:00Z plus the time that has passed here.
    std::chrono::system_clock::time_point wall() override {
        const std::lock_guard lock{mutex_};
        return std::chrono::system_clock::from_time_t(1704067200) +
               std::chrono::duration_cast<std::chrono::system_clock::duration>(now_);
    }

    /// Returns at once, `duration` later; if `stop` was requested, now.
    bool sleep(Seconds duration, std::stop_token stop) override {
        if (on_sleep) on_sleep(duration);
        if (stop.stop_requested()) return false;
        const std::lock_guard lock{mutex_};
        sleeps_.push_back(duration);
        now_ += duration;
        return true;
    }

    void advance(Seconds duration) {
        const std::lock_guard lock{mutex_};
        now_ += duration;
    }

    [[nodiscard]] std::vector<Seconds> sleeps() const {
        const std::lock_guard lock{mutex_};
        return sleeps_;
    }

    /// Called when a sleep begins: the world may move on meanwhile. Set it before others sleep.
    std::function<void(Seconds)> on_sleep;

private:
    mutable std::mutex mutex_;
    Seconds now_{1000};
    std::vector<Seconds> sleeps_;
};

}  // namespace poolwise::test
