// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <sys/types.h>

#include "guest_runner/engine/disk_finder.hpp"
#include "guest_runner/engine/placement.hpp"
#include "guest_runner/engine/private_folder.hpp"
#include "guest_runner/payload.hpp"
#include "guest_runner/protocol.hpp"

namespace poolwise::guest_runner {

/// One execution of fio, watched from its start to the death of its last worker.
class Job {
public:
    using Clock = std::chrono::steady_clock;  // CLOCK_MONOTONIC

    /// Finds the disk and starts fio.
    /// @throws Error{refused} not the disk that was meant; {not_found, unavailable} no fio, no
    /// room.
    Job(const RunRequest& request, const Placement& placement);
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    [[nodiscard]] std::uint64_t id() const noexcept { return summary_.job; }
    [[nodiscard]] bool finished() const noexcept { return finished_; }

    /// Poll this for reading while it is not negative, and call drain_output().
    [[nodiscard]] int output() const noexcept { return output_; }
    void drain_output();

    /// Call upon SIGCHLD.
    /// @return true when the job has just finished: its result is there.
    [[nodiscard]] bool reap();

    /// Kills fio and its workers; reap() tells when they are gone. The first reason counts.
    void stop(Stopped why);

    /// Once a second: the time limit, and stragglers of a stopped job.
    void check_limits();
    [[nodiscard]] Progress progress();

    /// Precondition of both: finished().
    [[nodiscard]] const ResultSummary& summary() const noexcept { return summary_; }
    [[nodiscard]] const Parts& parts() const noexcept { return parts_; }

private:
    void finish();
    [[nodiscard]] std::string read_logs() const;

    Disk disk_;
    Bytes block_size_;
    std::chrono::seconds time_limit_;
    std::optional<PrivateFolder> folder_;  ///< until the result is read
    ResultSummary summary_;
    Parts parts_;
    std::string messages_;
    std::size_t messages_cut_ = 0;
    BlockCounters counters_before_;
    CpuTimes cpu_before_;
    Clock::time_point started_;
    Clock::time_point progress_at_;
    double progress_requests_ = 0;
    Bytes io_seen_;  ///< of a regular file: most that descendants_io() has said
    pid_t fio_ = 0;
    int output_ = -1;
    bool fio_dead_ = false;
    bool finished_ = false;
};

}  // namespace poolwise::guest_runner
