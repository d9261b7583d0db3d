// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "guest_runner/engine_client.hpp"
#include "guest_runner/engine_link.hpp"
#include "guest_runner/payload.hpp"

namespace poolwise::guest_runner {

/// One job's conversation with the engine: from `run` to the acknowledged result, lost lines
/// included.
class JobExchange {
public:
    using Clock = EngineLink::Clock;
    using ProgressMessage = std::function<void(const Progress&)>;

    JobExchange(EngineLink& link, RunRequest request, const Patience& patience, std::string place);

    /// Sends what is due: the request, pings, questions after silence.
    /// @throws Error{guest_failed} silence for too long; {timed_out} the job overran its limit.
    void advance();

    /// @throws Error{guest_failed} the engine refused the job; {malformed_result}.
    void handle(const Numbered<Reply>& reply, const ProgressMessage& progress);

    [[nodiscard]] bool complete() const { return assembler_ && assembler_->complete(); }

    /// Kills the job and waits for the engine to confirm it; best effort, never throws for a broken
    /// channel.
    void abandon() noexcept;

    /// Acknowledges the result. Preconditions: complete(), called once.
    /// @throws Error{malformed_result} bytes that are not those announced; {timed_out} the engine
    ///         ended the job at its time limit.
    [[nodiscard]] JobReport take_report();

    /// fio's span on this side's clock. Precondition: complete().
    [[nodiscard]] Seconds host_wall() const;

    [[nodiscard]] Stopped stopped() const { return summary_->stopped; }

private:
    void ask_hello();
    void fetch();
    void handle_hello(const Numbered<Reply>& reply, const HelloReply& hello);
    void take_summary(const ResultSummary& summary);
    [[nodiscard]] std::string doing() const;
    [[nodiscard]] std::string last_known() const;

    EngineLink& link_;
    RunRequest request_;
    Patience patience_;
    std::string place_;
    Clock::time_point begun_;
    Clock::time_point asked_;  ///< when the engine was last asked or told something
    Clock::time_point news_;   ///< when it last said something of the job
    std::optional<Clock::time_point> started_;
    std::optional<Clock::time_point> finished_;
    std::optional<Progress> last_progress_;
    std::optional<ResultSummary> summary_;
    std::optional<PayloadAssembler> assembler_;
    std::uint64_t nonce_ = 0;
    unsigned fetches_ = 0;
    bool sent_ = false;
    bool dead_ = false;  ///< the engine said that nothing of the job runs any more
};

/// A number no other client of this engine has used; never 0.
[[nodiscard]] std::uint64_t fresh_number();

}  // namespace poolwise::guest_runner
