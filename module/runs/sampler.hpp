// SPDX-License-Identifier: Apache-2.0
// Takes one sample: prepare, attach, measure between two readings of every witness, detach, wait.
#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>

#include "module/core/run.hpp"
#include "module/core/sample.hpp"
#include "module/runs/candidate_disk.hpp"
#include "module/runs/run_observer.hpp"
#include "module/runs/run_ports.hpp"
#include "module/runs/seat.hpp"

namespace poolwise {

/// How long to wait for the backing device to come to rest after a job.
inline constexpr Seconds kIdleLimit{30};

struct TakenSample {
    Sample sample;
    RawFiles raw;
};

class Sampler {
public:
    Sampler(const Run& run, RunPorts& ports, RunObserver& observer)
        : run_{run}, ports_{ports}, observer_{observer} {}

    /// Brings the disk's blocks into the state that `workload` needs.
    /// @throws Error{guest_failed}, {no_space} a fill failed; {cancelled}.
    void prepare(CandidateDisk& disk, Seat& seat, const Workload& workload, std::stop_token stop);

    /// Fills a new volume, and takes the snapshot of a candidate that has one.
    /// @throws as prepare().
    void prepare_first(CandidateDisk& disk, Seat& seat, std::stop_token stop);

    /// @throws Error as Engine::run(); bad figures make a void sample instead.
    [[nodiscard]] TakenSample take(const PlannedSample& planned, CandidateDisk& disk, Seat& seat,
                                   const Workload& workload, std::stop_token stop);

    /// Bandwidth of the fills so far, by pool: the host layer's where there was one.
    [[nodiscard]] const std::map<std::string, BytesPerSecond>& fill_bandwidth() const {
        return fill_bandwidth_;
    }

private:
    void step(PrepareStep step, CandidateDisk& disk, Seat& seat, std::stop_token stop);
    void write_every_block(CandidateDisk& disk, Seat& seat, std::stop_token stop);
    void note_bandwidth(const CandidateDisk& disk, const FioResult& result);
    [[nodiscard]] std::string drop_host_cache();
    void wait_until_idle(const CandidateDisk& disk, SampleTimings& timings, std::stop_token stop);
    [[nodiscard]] std::string device_of(const CandidateDisk& disk) const;

    const Run& run_;
    RunPorts& ports_;
    RunObserver& observer_;
    std::map<std::string, BytesPerSecond> fill_bandwidth_;
    std::map<std::string, Layer> fill_layer_;
};

}  // namespace poolwise
