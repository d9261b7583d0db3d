// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "module/core/candidate.hpp"
#include "module/core/error.hpp"
#include "module/ports/engine.hpp"
#include "tests/fakes/planned_failures.hpp"

namespace poolwise::test {

/// An outcome whose figures agree with each other and with the job: `rate` requests a second, all
/// of them 1 ms long.
inline JobOutcome steady_outcome(const JobSpec& job, Iops rate = Iops{1000}) {
    const Workload& workload = job.workload;
    const std::uint64_t block = workload.block_size.count();
    const std::uint64_t by_size = span_of(job).count() / 100 * workload.size_percent / block;
    const Seconds span = workload.runtime ? Seconds{*workload.runtime}
                                          : Seconds{static_cast<double>(by_size) / rate.count()};
    const auto total = static_cast<std::uint64_t>(span.count() * rate.count());
    const bool mixed = reads(workload.access) && writes(workload.access);
    const std::uint64_t percent =
        mixed ? workload.read_percent : (reads(workload.access) ? 100 : 0);
    const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(span);

    const auto direction = [&](std::uint64_t ios) {
        DirectionResult result;
        if (ios == 0) return result;
        result.total_ios = ios;
        result.io_bytes = Bytes{ios * block};
        result.iops = Iops{static_cast<double>(ios) / span.count()};
        result.bandwidth = result.io_bytes / span;
        result.runtime = milliseconds;
        result.latency_mean = std::chrono::milliseconds{1};
        result.latency_max = std::chrono::milliseconds{1};
        result.latency.add(1'000'000, ios);
        return result;
    };

    FioResult result;
    result.fio_version = "fio-3.33";
    result.read = direction(total * percent / 100);
    result.write = direction(total - result.read.total_ios);
    result.job_runtime = milliseconds;
    result.depth_share = 1;
    if (workload.sync == Sync::fdatasync) {
        result.sync = SyncResult{.total = result.write.total_ios,
                                 .latency_mean = std::chrono::milliseconds{1},
                                 .latency = result.write.latency};
    }

    JobOutcome outcome;
    outcome.job_text = "[" + workload.id + "]\n";
    outcome.report.fio_json = "{}";
    for (auto at = std::chrono::milliseconds{1000}; at <= milliseconds;
         at += std::chrono::seconds{1}) {
        outcome.report.log.push_back({at, result.read.iops, result.write.iops});
    }
    const double with_ramp = (span + workload.ramp) / span;
    const auto seen = [&](std::uint64_t ios) {
        return static_cast<std::uint64_t>(static_cast<double>(ios) * with_ramp);
    };
    outcome.report.device = {.read_requests = seen(result.read.total_ios),
                             .write_requests = seen(result.write.total_ios),
                             .flush_requests = result.sync ? seen(result.sync->total) : 0,
                             .read_bytes = Bytes{seen(result.read.total_ios) * block},
                             .write_bytes = Bytes{seen(result.write.total_ios) * block}};
    outcome.report.wall = span + workload.ramp;
    outcome.report.cpu = {.busy = outcome.report.wall * 0.2, .idle = outcome.report.wall * 0.8};
    outcome.host_wall = outcome.report.wall;
    outcome.result = std::move(result);
    return outcome;
}

/// Engines in memory: a script decides what each job comes to. Jobs end at once. Safe from several
/// threads once they run; set the public members before.
class FakeEngines final : public Engines {
public:
    /// What a job on this layer comes to; may throw as Engine::run() does.
    using Script = std::function<JobOutcome(const JobSpec& job, Layer layer)>;

    Script script = [](const JobSpec& job, Layer) { return steady_outcome(job); };
    EngineFacts facts{.engine_version = "0.1.0",
                      .fio_version = "fio-3.33",
                      .kernel = "6.1.0-18-cloud-amd64",
                      .clocksource = "kvm-clock",
                      .cpus = 1,
                      .memory_available = Bytes{400ULL << 20U}};

    /// The next call of any function throws `error` and does nothing; several queue up.
    void fail_next(Error error) { failures_.add(std::move(error)); }

    /// The next call of "connect", "start_on_host" or "run" throws `error` and does nothing.
    void fail_next(const std::string& function, Error error) {
        failures_.add(function, std::move(error));
    }

    struct DoneJob {
        Layer layer = Layer::guest;
        JobSpec job;
    };
    /// All jobs asked for, in order.
    [[nodiscard]] std::vector<DoneJob> jobs() const {
        const std::lock_guard lock{mutex_};
        return jobs_;
    }
    /// Engines that exist now.
    [[nodiscard]] int alive() const {
        const std::lock_guard lock{mutex_};
        return alive_;
    }

    std::unique_ptr<Engine> connect(std::unique_ptr<ByteChannel> channel, Seconds,
                                    const Engine::Watch& watch, std::stop_token stop) override {
        failures_.throw_if_planned("connect");
        if (stop.stop_requested()) throw Error{ErrorCode::cancelled, "connect: cancelled"};
        if (watch) watch();
        return std::make_unique<FakeEngine>(*this, Layer::guest, std::move(channel));
    }

    std::unique_ptr<Engine> start_on_host() override {
        failures_.throw_if_planned("start_on_host");
        return std::make_unique<FakeEngine>(*this, Layer::host, nullptr);
    }

private:
    class FakeEngine final : public Engine {
    public:
        FakeEngine(FakeEngines& world, Layer layer, std::unique_ptr<ByteChannel> channel)
            : world_{world}, layer_{layer}, channel_{std::move(channel)} {
            world_.count(+1);
        }
        ~FakeEngine() override { world_.count(-1); }

        EngineFacts facts() override { return world_.facts; }

        JobOutcome run(const JobSpec& job, const ProgressHandler& progress, const Watch& watch,
                       std::stop_token stop) override {
            world_.record({layer_, job});
            world_.failures_.throw_if_planned("run");
            if (watch) watch();
            if (stop.stop_requested()) {
                throw Error{ErrorCode::cancelled, "run '" + job.workload.id + "': cancelled"};
            }
            JobOutcome outcome = world_.script(job, layer_);
            if (stop.stop_requested()) {
                throw Error{ErrorCode::cancelled, "run '" + job.workload.id + "': cancelled"};
            }
            if (progress && outcome.result) {
                progress({.elapsed = outcome.report.wall,
                          .eta = Seconds{0},
                          .iops = outcome.result->read.iops + outcome.result->write.iops,
                          .bytes = outcome.result->read.io_bytes + outcome.result->write.io_bytes});
            }
            return outcome;
        }

    private:
        FakeEngines& world_;
        Layer layer_;
        std::unique_ptr<ByteChannel> channel_;
    };

    void count(int change) {
        const std::lock_guard lock{mutex_};
        alive_ += change;
    }
    void record(DoneJob job) {
        const std::lock_guard lock{mutex_};
        jobs_.push_back(std::move(job));
    }

    PlannedFailures failures_;
    mutable std::mutex mutex_;  ///< guards all below
    std::vector<DoneJob> jobs_;
    int alive_ = 0;
};

}  // namespace poolwise::test
