// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/engine/engine_loop.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "guest_runner/engine/processes.hpp"
#include "module/core/error.hpp"

namespace poolwise::guest_runner {
namespace {

// A virtio port without a host side reports POLLHUP for as long, so it is left out of poll() and
// looked at again after this time.
constexpr int kHangUpPauseMs = 5;
constexpr std::chrono::seconds kEndLimit{2};

sigset_t handled_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGCHLD, SIGTERM, SIGINT}) sigaddset(&set, signal);
    return set;
}

[[nodiscard]] Error cannot(const char* doing) {
    return {ErrorCode::unavailable, std::string{doing} + ": " + std::strerror(errno)};
}

}  // namespace

EngineLoop::EngineLoop(int port, Placement placement, HelloReply hello)
    : port_{port},
      placement_{std::move(placement)},
      hello_{std::move(hello)},
      last_heard_{Clock::now()} {
    const sigset_t set = handled_signals();
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    ::signal(SIGPIPE, SIG_IGN);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    signals_ = ::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    timer_ = ::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (signals_ < 0 || timer_ < 0) throw cannot("prepare the engine");
    restart_clock();
}

EngineLoop::~EngineLoop() {
    ::close(signals_);
    ::close(timer_);
}

void EngineLoop::restart_clock() {
    const itimerspec every_second{{1, 0}, {1, 0}};
    if (::timerfd_settime(timer_, 0, &every_second, nullptr) != 0) throw cannot("set the clock");
}

void EngineLoop::run() {
    while (!over_) turn();
    end_job();
}

void EngineLoop::turn() {
    pump_result();
    const auto port_events = static_cast<short>(POLLIN | (outbox_.empty() ? 0 : POLLOUT));
    std::array<pollfd, 4> entries{{{signals_, POLLIN, 0},
                                   {timer_, POLLIN, 0},
                                   {job_ ? job_->output() : -1, POLLIN, 0},
                                   {hung_up_ ? -1 : port_, port_events, 0}}};
    const int ready = ::poll(entries.data(), entries.size(), hung_up_ ? kHangUpPauseMs : -1);
    hung_up_ = false;
    if (ready < 0 && errno != EINTR) throw cannot("wait for something to do");
    if (ready <= 0) return;

    const auto& [signals, timer, output, port] = entries;
    if (output.revents != 0) job_->drain_output();
    if (signals.revents != 0) read_signals();
    if (timer.revents != 0) tick();
    if ((port.revents & POLLIN) != 0) {
        read_port();
    } else if ((port.revents & (POLLHUP | POLLERR)) != 0) {
        lose_host();
    }
    if ((port.revents & POLLOUT) != 0 && !hung_up_ && !outbox_.flush(port_)) lose_host();
}

void EngineLoop::lose_host() {
    if (placement_.place == Place::host) {
        over_ = true;  // a closed socket never comes back
    } else {
        hung_up_ = true;  // another client may open the port
    }
}

void EngineLoop::read_port() {
    std::array<char, 16U << 10U> buffer;
    const ssize_t got = ::read(port_, buffer.data(), buffer.size());
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
        lose_host();
        return;
    }
    lines_.feed({buffer.data(), static_cast<std::size_t>(got)});
    while (const auto line = lines_.next()) {
        try {
            const auto request = decode_request(*line);
            if (!request) continue;
            last_heard_ = Clock::now();
            handle(request->message);
        } catch (const Error& error) {
            // Job 0: whatever the other side wanted, it does not speak our protocol.
            outbox_.add(Refusal{0, error.what()});
        }
    }
}

void EngineLoop::handle(const Request& request) {
    std::visit([this](const auto& message) { answer(message); }, request);
}

void EngineLoop::answer(const HelloRequest& request) {
    HelloReply reply = hello_;
    reply.nonce = request.nonce;
    if (job_) {
        reply.job = job_->id();
        reply.phase = job_->finished() ? JobPhase::finished : JobPhase::running;
    }
    outbox_.add(reply);
}

void EngineLoop::answer(const RunRequest& request) {
    if (has_job(request.job)) {
        if (job_->finished()) send_result();
        return;
    }
    if (job_ && !job_->finished()) {
        outbox_.add(Refusal{request.job, "the engine is busy with another job"});
        return;
    }
    cutter_.reset();
    job_.reset();
    try {
        job_.emplace(request, placement_);
        outbox_.add(Started{request.job});
        restart_clock();  // progress comes at whole seconds of the job
    } catch (const Error& error) {
        outbox_.add(Refusal{request.job, error.what()});
    }
}

void EngineLoop::answer(const CancelRequest& request) {
    if (has_job(request.job) && !job_->finished()) {
        job_->stop(Stopped::cancelled);
    } else {
        outbox_.add(Finished{request.job});
    }
}

void EngineLoop::answer(const FetchRequest& request) {
    if (has_job(request.job) && job_->finished()) {
        send_result();
    } else if (!has_job(request.job)) {
        outbox_.add(Refusal{request.job, "the engine has no such job"});
    }
}

void EngineLoop::answer(const Acknowledgement& request) {
    if (!has_job(request.job) || !job_->finished()) return;
    cutter_.reset();
    job_.reset();
}

void EngineLoop::read_signals() {
    signalfd_siginfo info{};
    while (::read(signals_, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT) over_ = true;
    }
    if (job_ && !job_->finished()) {
        if (!job_->reap()) return;
        outbox_.add(Finished{job_->id()});
        send_result();
        return;
    }
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {  // orphans, and children that never became fio
    }
}

void EngineLoop::tick() {
    std::uint64_t expirations = 0;
    static_cast<void>(!::read(timer_, &expirations, sizeof expirations));
    const auto silence = Clock::now() - last_heard_;
    if (silence > kSilenceEndsEngine) over_ = true;
    if (!job_ || job_->finished()) return;
    if (silence > kSilenceKillsJob) job_->stop(Stopped::host_silent);
    job_->check_limits();
    outbox_.add(job_->progress());
}

void EngineLoop::send_result() {
    outbox_.add(job_->summary());
    cutter_.emplace();
}

void EngineLoop::pump_result() {
    while (cutter_ && outbox_.has_room()) {
        if (auto chunk = cutter_->next(job_->id(), job_->parts())) {
            outbox_.add(*std::move(chunk));
        } else {
            cutter_.reset();
        }
    }
}

void EngineLoop::end_job() {
    if (!job_ || job_->finished()) return;
    job_->stop(Stopped::cancelled);
    const auto deadline = Clock::now() + kEndLimit;
    while (!job_->reap() && Clock::now() < deadline) {
        pollfd entry{signals_, POLLIN, 0};
        ::poll(&entry, 1, 50);
        signalfd_siginfo info{};
        static_cast<void>(!::read(signals_, &info, sizeof info));
    }
}

}  // namespace poolwise::guest_runner
