// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>
#include <stdexcept>

#include <sys/wait.h>

#include <signal.h>
#include <unistd.h>

namespace poolwise::test {

/// A forked copy of the test that runs one function. Killed at the end unless waited for.
/// No store may be open when it is made: SQLite's connections do not survive a fork.
class ChildProcess {
public:
    /// @param body  gives the exit status; 99 if it throws.
    explicit ChildProcess(const std::function<int()>& body) : pid_{::fork()} {
        if (pid_ < 0) throw std::runtime_error{"fork failed"};
        if (pid_ > 0) return;
        int status = 99;
        try {
            status = body();
        } catch (const std::exception&) {
            // Reported by the status; the test that waits for it fails.
        }
        ::_exit(status);
    }
    ~ChildProcess() {
        if (pid_ > 0) kill();
    }
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    void kill() {
        ::kill(pid_, SIGKILL);
        wait();
    }

    /// The exit status, or minus the signal that ended it.
    int wait() {
        int status = 0;
        ::waitpid(pid_, &status, 0);
        pid_ = 0;
        return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    }

private:
    pid_t pid_;
};

}  // namespace poolwise::test
