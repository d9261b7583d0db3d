// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "module/core/measurement.hpp"
#include "module/core/profile.hpp"
#include "module/core/workload.hpp"
#include "module/ports/byte_channel.hpp"
#include "module/ports/port.hpp"

namespace poolwise {

/// The disk a job may use, and nothing else. In a guest it is found by serial (exactly one match)
/// and size; on the host it is the file or device at `path`, checked by size.
struct DiskIdentity {
    std::string serial;  ///< guest; empty on the host
    std::string path;    ///< host; empty in a guest
    Bytes size;
};

/// One execution of fio.
struct JobSpec {
    DiskIdentity disk;
    Workload workload;
    std::optional<Bytes> span;  ///< the first bytes of the disk, which alone are used; unset: all
    std::uint64_t seed = 0;
    FillData data = FillData::random;  ///< what writes carry; `none` is not legal here
    bool per_second_log = true;
};

[[nodiscard]] inline Bytes span_of(const JobSpec& job) {
    return job.span.value_or(job.disk.size);
}

struct JobProgress {
    Seconds elapsed{0};
    std::optional<Seconds> eta;
    Iops iops;
    Bytes bytes;  ///< moved since the job began
};

struct EngineFacts {
    std::string engine_version;
    std::string fio_version;  ///< "fio-3.33"; asked for by running it, so fio is known to start
    std::string kernel;
    std::string clocksource;
    unsigned cpus = 0;
    Bytes memory_available;
};

struct JobOutcome {
    std::string job_text;  ///< the exact fio job file
    JobReport report;
    std::optional<FioResult> result;  ///< absent where fio left no readable document
    std::vector<std::string> faults;  ///< why the figures must not be used; empty = good
    Seconds host_wall{0};             ///< fio's span on this side's clock, from engine messages
};

/// The benchmark engine, wherever it runs. One job at a time, one thread.
class Engine : public Port {
public:
    using ProgressHandler = std::function<void(const JobProgress&)>;
    /// Called at least once a second while a job runs; throws to abort it.
    using Watch = std::function<void()>;

    virtual EngineFacts facts() = 0;

    /// Runs a job to its end. Bad figures are faults in the outcome; what throws is the engine.
    /// @throws Error{guest_failed} engine or disk gone, wrong disk; {timed_out} the job overran its
    ///         time limit; {cancelled} `stop` was requested (the job is dead by then); anything
    ///         that `watch` throws (likewise).
    virtual JobOutcome run(const JobSpec& job, const ProgressHandler& progress, const Watch& watch,
                           std::stop_token stop) = 0;
};

/// Connects to engines. Implemented by guest_runner::Engines and tests/fakes/fake_engines.hpp.
class Engines : public Port {
public:
    /// Speaks to an engine behind a channel; waits for its hello up to `ready_limit`.
    /// @param watch  called while waiting; throws to give up (guest crashed).
    virtual std::unique_ptr<Engine> connect(std::unique_ptr<ByteChannel> channel,
                                            Seconds ready_limit, const Engine::Watch& watch,
                                            std::stop_token stop) = 0;

    /// Starts the engine as a child process of this one.
    /// @throws Error{unavailable} engine program or fio missing.
    virtual std::unique_ptr<Engine> start_on_host() = 0;
};

}  // namespace poolwise
