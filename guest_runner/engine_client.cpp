// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/engine_client.hpp"

#include <algorithm>
#include <utility>

#include "guest_runner/fio_job.hpp"
#include "guest_runner/fio_result.hpp"
#include "guest_runner/job_exchange.hpp"
#include "module/core/error.hpp"

namespace poolwise::guest_runner {
namespace {

using Clock = EngineLink::Clock;
using std::chrono::milliseconds;

// How late a request to stop may be noticed; `watch` is called as often.
constexpr milliseconds kTick{200};

/// What the workload will move in all, if that is known.
std::optional<Bytes> bytes_asked(const JobSpec& job) {
    if (job.workload.runtime) return std::nullopt;
    return Bytes{span_of(job).count() / 100 * job.workload.size_percent};
}

JobProgress to_progress(const JobSpec& job, const Progress& message) {
    JobProgress progress{message.elapsed, std::nullopt, message.iops, message.bytes};
    if (const auto total = bytes_asked(job)) {
        const double done = static_cast<double>(message.bytes.count());
        const double left = static_cast<double>(total->count()) - done;
        if (done > 0) progress.eta = message.elapsed * (std::max(left, 0.0) / done);
    } else {
        const Seconds asked = job.workload.ramp + *job.workload.runtime;
        progress.eta = std::max(asked - message.elapsed, Seconds{0});
    }
    return progress;
}

RunRequest to_request(const JobSpec& job, const std::string& job_text) {
    return {.job = fresh_number(),
            .serial = job.disk.serial,
            .path = job.disk.path,
            .size = job.disk.size,
            .block_size = job.workload.block_size,
            .time_limit = time_limit(job.workload),
            .job_text = job_text};
}

}  // namespace

std::chrono::seconds time_limit(const Workload& workload) {
    if (!workload.runtime) return std::chrono::minutes{15};
    return (workload.ramp + *workload.runtime) * 3 / 2 + std::chrono::seconds{60};
}

EngineClient::EngineClient(std::unique_ptr<ByteChannel> channel, std::string place,
                           Seconds ready_limit, const Watch& watch, std::stop_token stop,
                           Patience patience)
    : place_{std::move(place)}, patience_{patience}, link_{std::move(channel)} {
    const HelloReply hello = await_hello(ready_limit, watch, stop);
    if (hello.fio_version.empty()) {
        throw Error{ErrorCode::unavailable,
                    "start fio " + place_ + ": " +
                        (hello.fio_problem.empty() ? "it gave no version" : hello.fio_problem)};
    }
    facts_ = {.engine_version = hello.engine_version,
              .fio_version = hello.fio_version,
              .kernel = hello.kernel,
              .clocksource = hello.clocksource,
              .cpus = static_cast<unsigned>(hello.cpus),
              .memory_available = hello.memory_available};
    if (hello.phase == JobPhase::running) end_left_job(hello.job);
    pinger_ = std::jthread{[this](const std::stop_token& token) { keep_alive(token); }};
}

EngineClient::~EngineClient() {
    pinger_.request_stop();
    link_.close();  // wakes the pinger
}

HelloReply EngineClient::await_hello(Seconds limit, const Watch& watch,
                                     const std::stop_token& stop) {
    const auto deadline = Clock::now() + limit;
    auto ask_at = Clock::now();
    const std::uint64_t first_nonce = fresh_number();
    std::uint64_t asked = 0;
    for (;;) {
        const auto now = Clock::now();
        if (stop.stop_requested()) {
            throw Error{ErrorCode::cancelled, "wait for the engine " + place_ + ": cancelled"};
        }
        if (watch) watch();
        if (now >= deadline) {
            throw Error{ErrorCode::timed_out, "wait for the engine " + place_ + ": no answer in " +
                                                  std::to_string(static_cast<int>(limit.count())) +
                                                  " s"};
        }
        if (now >= ask_at) {
            link_.send(HelloRequest{first_nonce + asked});
            ++asked;
            ask_at = now + patience_.hello_again;
        }
        const auto reply = link_.receive(std::min(kTick, patience_.hello_again));
        if (!reply) continue;
        const auto* refusal = std::get_if<Refusal>(&reply->message);
        if (refusal != nullptr && refusal->job == 0) {
            throw Error{ErrorCode::guest_failed,
                        "greet the engine " + place_ + ": " + refusal->reason};
        }
        const auto* hello = std::get_if<HelloReply>(&reply->message);
        // fio takes a second to start under emulation: the answer to any of our questions will do,
        // but not one that a former client was still owed.
        if (hello == nullptr || hello->nonce - first_nonce >= asked) continue;
        link_.follow(reply->number);
        return *hello;
    }
}

void EngineClient::end_left_job(std::uint64_t job) {
    const auto deadline = Clock::now() + patience_.cancel;
    link_.send(CancelRequest{job});
    while (Clock::now() < deadline) {
        const auto reply = link_.receive(kTick);
        if (!reply) continue;
        const auto* finished = std::get_if<Finished>(&reply->message);
        if (finished == nullptr || finished->job != job) continue;
        link_.send(Acknowledgement{job});
        return;
    }
    throw Error{ErrorCode::guest_failed,
                "take over the engine " + place_ + ": a job left there does not end"};
}

JobOutcome EngineClient::run(const JobSpec& job, const ProgressHandler& progress,
                             const Watch& watch, std::stop_token stop) {
    JobOutcome outcome;
    outcome.job_text = write_fio_job(job);
    const auto on_progress = [&](const Progress& message) {
        if (progress) progress(to_progress(job, message));
    };

    const std::lock_guard lock{mutex_};
    JobExchange exchange{link_, to_request(job, outcome.job_text), patience_, place_};
    try {
        const milliseconds tick = std::min(kTick, patience_.silence);
        auto watch_at = Clock::now();
        while (!exchange.complete()) {
            if (stop.stop_requested()) {
                throw Error{ErrorCode::cancelled,
                            "run workload '" + job.workload.id + "' " + place_ + ": cancelled"};
            }
            if (watch && Clock::now() >= watch_at) {
                watch();
                watch_at = Clock::now() + kTick;
            }
            exchange.advance();
            if (const auto reply = link_.receive(tick)) exchange.handle(*reply, on_progress);
        }
        outcome.report = exchange.take_report();
    } catch (...) {
        exchange.abandon();  // whatever the reason, no job may go on unwatched
        throw;
    }
    outcome.host_wall = exchange.host_wall();

    FioReading reading =
        read_fio_result(outcome.report.fio_json, outcome.report.exit_status, job.workload);
    outcome.result = std::move(reading.result);
    outcome.faults = std::move(reading.faults);
    if (exchange.stopped() == Stopped::host_silent) {
        outcome.faults.emplace_back("the engine ended fio because it heard nothing from this side");
    } else if (outcome.report.cancelled) {
        outcome.faults.emplace_back("the engine ended fio because it was asked to");
    }
    return outcome;
}

void EngineClient::keep_alive(const std::stop_token& stop) try {
    std::unique_lock lock{mutex_};
    while (!idle_.wait_for(lock, stop, kPingInterval, [&] { return stop.stop_requested(); })) {
        link_.send(Ping{});
        link_.renew_budget();
        while (link_.receive(milliseconds{0})) {
        }
    }
} catch (const Error&) {
    // The channel is broken: the next run() meets the same and says so.
}

}  // namespace poolwise::guest_runner
