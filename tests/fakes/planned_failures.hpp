// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "module/core/error.hpp"

namespace poolwise::test {

/// What a fake was told to fail with. Safe from several threads.
class PlannedFailures {
public:
    /// The next call of any function fails; several queue up.
    void add(Error error) {
        const std::lock_guard lock{mutex_};
        next_.push_back(std::move(error));
    }

    /// The next call of `function` fails; several queue up.
    void add(const std::string& function, Error error) {
        const std::lock_guard lock{mutex_};
        of_[function].push_back(std::move(error));
    }

    void throw_if_planned(const std::string& function = "") {
        const std::lock_guard lock{mutex_};
        take_and_throw(next_);
        if (const auto found = of_.find(function); found != of_.end())
            take_and_throw(found->second);
    }

private:
    static void take_and_throw(std::deque<Error>& errors) {
        if (errors.empty()) return;
        const Error error = std::move(errors.front());
        errors.pop_front();
        throw error;
    }

    std::mutex mutex_;
    std::deque<Error> next_;
    std::map<std::string, std::deque<Error>> of_;
};

}  // namespace poolwise::test
