// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>

#include "guest_runner/engine/job.hpp"
#include "guest_runner/engine/outbox.hpp"
#include "guest_runner/engine/placement.hpp"
#include "guest_runner/line_reader.hpp"
#include "guest_runner/payload.hpp"
#include "guest_runner/protocol.hpp"

namespace poolwise::guest_runner {

/// The engine: one thread, one poll() over the port, fio's output, dying children and a clock.
class EngineLoop {
public:
    /// Blocks SIGCHLD, SIGTERM and SIGINT for good: they arrive through a descriptor.
    /// @param port   not blocking; a virtio port in a guest, a socket on the host. Not owned.
    /// @param hello  the answer to every hello, but for nonce and job.
    EngineLoop(int port, Placement placement, HelloReply hello);
    ~EngineLoop();
    EngineLoop(const EngineLoop&) = delete;
    EngineLoop& operator=(const EngineLoop&) = delete;

    /// Serves until the host is gone for good: its socket closed, or nothing heard for
    /// kSilenceEndsEngine. No fio is left when it returns.
    void run();

private:
    using Clock = std::chrono::steady_clock;

    void turn();
    void read_port();
    void handle(const Request& request);
    void answer(const HelloRequest& request);
    void answer(const RunRequest& request);
    void answer(const CancelRequest& request);
    void answer(const FetchRequest& request);
    void answer(const Acknowledgement& request);
    void answer(const Ping&) { outbox_.add(Pong{}); }
    void read_signals();
    void restart_clock();
    void tick();
    void send_result();
    void pump_result();
    void lose_host();
    void end_job();
    [[nodiscard]] bool has_job(std::uint64_t id) const { return job_ && job_->id() == id; }

    int port_;
    Placement placement_;
    HelloReply hello_;
    int signals_ = -1;
    int timer_ = -1;
    LineReader lines_{kMaxLine};
    Outbox outbox_;
    std::optional<Job> job_;
    std::optional<ChunkCutter> cutter_;  ///< while a result is being sent
    Clock::time_point last_heard_;
    bool hung_up_ = false;  ///< nobody has the other end of a virtio port open
    bool over_ = false;
};

}  // namespace poolwise::guest_runner
