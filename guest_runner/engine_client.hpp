// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "guest_runner/engine_link.hpp"
#include "guest_runner/protocol.hpp"
#include "module/ports/engine.hpp"

namespace poolwise::guest_runner {

/// How long the client waits for what; tests shorten it.
struct Patience {
    std::chrono::milliseconds hello_again{1000};  ///< between two hellos that nobody answers
    std::chrono::milliseconds silence{5000};      ///< of a running job, before asking how it does
    std::chrono::milliseconds cancel{5000};       ///< for fio's death to be confirmed
    std::chrono::milliseconds overrun{15000};     ///< beyond the job's own time limit
    std::chrono::milliseconds gone{60000};        ///< silence that means the engine is gone
};

/// The host side of the engine protocol.
///
/// A thread of its own pings the engine while no job runs: an engine that hears nothing for long
/// ends itself. What the engine sends is taken for hostile: sizes, types and times are checked.
class EngineClient : public Engine {
public:
    /// Waits up to `ready_limit` for the engine's hello; a job that a former client left is killed.
    /// @param place  for messages: "in the guest", "on the host".
    /// @throws Error{timed_out} no hello in time; {unavailable} fio does not start there;
    ///         {cancelled} `stop`; {malformed_result}; whatever `watch` or the channel throws.
    EngineClient(std::unique_ptr<ByteChannel> channel, std::string place, Seconds ready_limit,
                 const Watch& watch, std::stop_token stop, Patience patience = {});
    ~EngineClient() override;

    EngineFacts facts() override { return facts_; }

    JobOutcome run(const JobSpec& job, const ProgressHandler& progress, const Watch& watch,
                   std::stop_token stop) override;

private:
    HelloReply await_hello(Seconds limit, const Watch& watch, const std::stop_token& stop);
    void end_left_job(std::uint64_t job);
    void keep_alive(const std::stop_token& stop);

    std::string place_;
    Patience patience_;
    EngineFacts facts_;
    std::mutex mutex_;  ///< whoever holds it uses link_
    EngineLink link_;
    std::condition_variable_any idle_;
    std::jthread pinger_;
};

/// The engine's time limit for a job: half as long again as asked and a minute for a start on a
/// loaded node; a quarter of an hour where size bounds it.
[[nodiscard]] std::chrono::seconds time_limit(const Workload& workload);

}  // namespace poolwise::guest_runner
