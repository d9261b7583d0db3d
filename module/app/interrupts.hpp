// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace poolwise {

/// Turns SIGINT, SIGTERM and SIGHUP into a stop request, for as long as it lives.
///
/// Construct it before any other thread: threads inherit the blocked signals, so only ours hears
/// them. They are consumed: a second one changes nothing, since cleaning up has its own deadlines,
/// and none kills the process at the end.
class Interrupts {
public:
    Interrupts();
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

private:
    void listen(int heard);

    std::stop_source source_;
    sigset_t before_{};
    int wake_ = -1;  ///< eventfd that ends the thread
    std::thread thread_;
};

}  // namespace poolwise
