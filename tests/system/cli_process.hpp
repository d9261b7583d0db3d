// SPDX-License-Identifier: Apache-2.0
// Runs the real program as a user does, and looks at what it left on the node.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <sys/types.h>

#include "tests/unit/scratch_folder.hpp"

namespace poolwise::test {

struct Finished {
    int status = -1;  ///< exit status; 128 + signal if killed
    std::string out;
    std::string err;
    std::chrono::duration<double> took{0};
};

/// A child process whose output goes to files. Killed on destruction if it still runs.
class Process {
public:
    explicit Process(const std::vector<std::string>& command);
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    void signal(int number) const;
    /// Waits until stderr holds `text`.
    /// @return false if the process ended, or `limit` passed, before that.
    [[nodiscard]] bool wait_for_error_text(const std::string& text, std::chrono::seconds limit);
    /// Waits for the end; kills the process after `limit`.
    Finished finish(std::chrono::seconds limit);

private:
    [[nodiscard]] bool ended();

    const ScratchFolder folder_;
    pid_t pid_ = -1;
    int wait_status_ = 0;
    bool reaped_ = false;
    std::chrono::steady_clock::time_point start_;
};

/// Runs a command to its end, at most 300 s.
[[nodiscard]] Finished run(const std::vector<std::string>& command);

/// The program under test.
[[nodiscard]] std::string poolwise_program();

/// Everything on the node that a run could leave: all domains, pools, and the names of volumes in
/// every active pool, as virsh lists them.
[[nodiscard]] std::string node_inventory();

/// True if a libvirtd answers on qemu:///system.
[[nodiscard]] bool libvirt_answers();

}  // namespace poolwise::test
