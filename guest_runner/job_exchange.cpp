// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/job_exchange.hpp"

#include <algorithm>
#include <iomanip>
#include <random>
#include <sstream>
#include <utility>

#include "guest_runner/fio_result.hpp"
#include "module/core/error.hpp"

namespace poolwise::guest_runner {
namespace {

constexpr unsigned kMaxFetches = 4;

template <typename... Handlers>
struct Overloaded : Handlers... {
    using Handlers::operator()...;
};
template <typename... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

}  // namespace

std::uint64_t fresh_number() {
    std::random_device random;
    // 53 bits: a JSON number that every reader keeps exactly.
    return (std::uint64_t{random()} << 21U ^ random()) % ((std::uint64_t{1} << 53U) - 1) + 1;
}

JobExchange::JobExchange(EngineLink& link, RunRequest request, const Patience& patience,
                         std::string place)
    : link_{link},
      request_{std::move(request)},
      patience_{patience},
      place_{std::move(place)},
      begun_{Clock::now()},
      asked_{begun_},
      news_{begun_} {
    link_.renew_budget();
}

std::string JobExchange::doing() const {
    const std::string& disk = request_.serial.empty() ? request_.path : request_.serial;
    return "run fio on disk '" + disk + "' " + place_ + ": ";
}

std::string JobExchange::last_known() const {
    if (finished_) return "fio had ended, but its result did not arrive whole";
    if (!started_) return "the engine never said that fio had started";
    if (!last_progress_) return "fio had started, but the engine never said how it went on";
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << "by the engine's clock fio last ran for "
         << Seconds{last_progress_->elapsed}.count() << " s and had moved "
         << last_progress_->bytes.count() << " bytes";
    return text.str();
}

void JobExchange::advance() {
    const auto now = Clock::now();
    if (!std::exchange(sent_, true)) {
        link_.send(request_);
        return;
    }
    if (now - begun_ > request_.time_limit + patience_.overrun) {
        throw Error{ErrorCode::timed_out,
                    doing() + "no result " + std::to_string(patience_.overrun.count() / 1000) +
                        " s after the time limit of " +
                        std::to_string(request_.time_limit.count()) + " s; " + last_known()};
    }
    const auto quiet = now - std::max(link_.last_heard(), begun_);
    if (quiet > patience_.gone) {
        throw Error{ErrorCode::guest_failed,
                    doing() + "the engine has been silent for " +
                        std::to_string(std::chrono::ceil<std::chrono::seconds>(quiet).count()) +
                        " s"};
    }
    // Answered pings say that the engine lives, not that no line of the job was lost.
    if (now - std::max(news_, asked_) > patience_.silence) ask_hello();
    if (now - link_.last_sent() > kPingInterval / 2) link_.send(Ping{});
}

void JobExchange::ask_hello() {
    nonce_ = fresh_number();
    asked_ = Clock::now();
    link_.send(HelloRequest{nonce_});
}

void JobExchange::fetch() {
    if (++fetches_ > kMaxFetches) {
        throw Error{ErrorCode::malformed_result, doing() + "the result did not arrive whole in " +
                                                     std::to_string(kMaxFetches) + " tries"};
    }
    asked_ = Clock::now();
    link_.send(FetchRequest{request_.job});
}

void JobExchange::handle(const Numbered<Reply>& reply, const ProgressMessage& progress) {
    const std::uint64_t job = request_.job;
    if (!std::holds_alternative<Pong>(reply.message)) news_ = link_.last_heard();
    std::visit(Overloaded{[&](const HelloReply& hello) { handle_hello(reply, hello); },
                          [&](const Refusal& refusal) {
                              if (refusal.job != job && refusal.job != 0) return;
                              dead_ = true;
                              throw Error{ErrorCode::guest_failed, doing() + refusal.reason};
                          },
                          [&](const Started& started) {
                              if (started.job == job && !started_) started_ = link_.last_heard();
                          },
                          [&](const Progress& message) {
                              if (message.job != job || dead_) return;
                              last_progress_ = message;
                              progress(message);
                          },
                          [&](const Finished& finished) {
                              if (finished.job != job) return;
                              if (!finished_) finished_ = link_.last_heard();
                              dead_ = true;
                          },
                          [&](const ResultSummary& summary) {
                              if (summary.job == job) take_summary(summary);
                          },
                          [&](const Chunk& chunk) {
                              if (chunk.job == job && assembler_) assembler_->add(chunk);
                          },
                          [](const Pong&) {}},
               reply.message);
}

void JobExchange::handle_hello(const Numbered<Reply>& reply, const HelloReply& hello) {
    if (hello.nonce != nonce_) return;  // an answer to an older question
    link_.follow(reply.number);
    if (hello.job != request_.job) {
        if (started_) {
            dead_ = true;
            throw Error{ErrorCode::guest_failed, doing() + "the engine has lost the job"};
        }
        link_.send(request_);  // the line that asked for it was lost
    } else if (hello.phase == JobPhase::finished) {
        dead_ = true;
        fetch();
    }
}

void JobExchange::take_summary(const ResultSummary& summary) {
    dead_ = true;
    if (summary_) return;  // fetched again: the chunks that follow fill the gaps
    summary_ = summary;
    assembler_.emplace(summary);
}

void JobExchange::abandon() noexcept try {
    if (!sent_) return;
    const auto deadline = Clock::now() + patience_.cancel;
    link_.send(CancelRequest{request_.job});
    while (!dead_ && Clock::now() < deadline) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
        if (const auto reply = link_.receive(left)) handle(*reply, [](const Progress&) {});
    }
    link_.send(Acknowledgement{request_.job});
} catch (const Error&) {
    // The caller is already failing for a better reason, and the engine kills fio by itself when
    // nobody talks to it.
}

JobReport JobExchange::take_report() {
    Parts parts = assembler_->take();
    link_.send(Acknowledgement{request_.job});
    if (summary_->stopped == Stopped::time_limit) {
        throw Error{ErrorCode::timed_out, doing() + "the engine ended it at its time limit of " +
                                              std::to_string(request_.time_limit.count()) + " s"};
    }
    JobReport report;
    report.exit_status = summary_->exit_status;
    report.cancelled = summary_->stopped != Stopped::no;
    report.fio_json = std::move(parts[static_cast<std::size_t>(Part::fio_json)]);
    report.fio_messages = std::move(parts[static_cast<std::size_t>(Part::fio_messages)]);
    report.log = read_fio_iops_log(parts[static_cast<std::size_t>(Part::fio_log)]);
    report.device = summary_->device;
    report.cpu = summary_->cpu;
    report.wall = summary_->wall;
    return report;
}

Seconds JobExchange::host_wall() const {
    // Where the line that carried an end was lost, the engine's own clock is the best there is.
    return started_ && finished_ ? Seconds{*finished_ - *started_} : summary_->wall;
}

}  // namespace poolwise::guest_runner
