// SPDX-License-Identifier: Apache-2.0
#include "module/runs/runner.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "module/core/error.hpp"
#include "module/core/names.hpp"
#include "module/core/size_text.hpp"
#include "module/runs/candidate_disk.hpp"
#include "module/runs/cleaner.hpp"
#include "module/runs/guest_boot.hpp"
#include "module/runs/provisioner.hpp"
#include "module/runs/recovery.hpp"
#include "module/runs/sampler.hpp"
#include "module/runs/seat.hpp"
#include "module/runs/size_rule.hpp"
#include "module/runs/stop.hpp"

namespace poolwise {
namespace {

bool has_layer(const RunRequest& request, Layer layer) {
    return std::any_of(request.candidates.begin(), request.candidates.end(),
                       [layer](const Candidate& c) { return c.layer == layer; });
}

/// The part of a run between "stored" and "clean". Owns the engines and the guest's seat, so that
/// they are gone before cleaning begins.
class Measuring {
public:
    Measuring(Run& run, const Preflight& facts, RunPorts& ports, RunObserver& observer,
              std::stop_token stop)
        : run_{run},
          facts_{facts},
          ports_{ports},
          observer_{observer},
          stop_{std::move(stop)},
          provisioner_{run.id, ports.storage, ports.guests, ports.journal},
          sampler_{run, ports, observer} {}

    void execute() {
        seat_engines();
        make_disks();
        enter(RunState::measuring);
        measure();
        enter(RunState::analysing);
        judge_size();
    }

private:
    void enter(RunState state) {
        throw_if_stopped(stop_);
        run_.state = state;
        ports_.store.update_run(run_);
    }

    void remark(const std::string& code, const std::string& text) {
        run_.remarks.push_back({code, text});
        run_.severity = Severity::warning;
        observer_.remarked(run_.remarks.back());
    }

    void seat_engines() {
        if (has_layer(run_.request, Layer::host)) seat_host();
        if (has_layer(run_.request, Layer::guest)) seat_guest();
    }

    void seat_host() {
        try {
            seats_[Layer::host] = std::make_unique<HostSeat>(ports_.engines.start_on_host());
        } catch (const Error& error) {
            if (error.code() != ErrorCode::unavailable) throw;
            leave_out_host(error.what());
        }
    }

    void leave_out_host(const std::string& reason) {
        seats_.erase(Layer::host);
        remark("host_not_measured", "the host layer was not measured: " + reason);
    }

    void seat_guest() {
        throw_if_stopped(stop_);
        observer_.step("make the guest's image");
        const GuestImage image = ports_.images.ensure();
        run_.image = image.facts;
        throw_if_stopped(stop_);
        observer_.step("boot the guest");
        BootedGuest guest = boot_guest(run_, image, provisioner_, ports_, stop_);
        run_.accelerator = guest.accelerator;
        run_.accelerator_reason = guest.accelerator_reason;
        run_.guest_vcpus = guest.vcpus;
        if (guest.accelerator == Accelerator::tcg) {
            remark("emulated", "measured under emulation (" + guest.accelerator_reason +
                                   "): compare the storages with each other, not with real "
                                   "hardware");
        }
        ports_.store.update_run(run_);
        seats_[Layer::guest] = std::make_unique<GuestSeat>(std::move(guest), ports_.guests);
    }

    /// libvirt's name of the pool for `spec`; makes the transient pool where there is none.
    std::string pool_for(const std::string& spec) {
        const auto known = pool_names_.find(spec);
        if (known != pool_names_.end()) return known->second;
        const PoolTarget& target = facts_.targets.at(spec);
        PoolInfo pool =
            target.pool ? *target.pool
                        : provisioner_.create_pool(
                              object_name(run_.id, "pool" + std::to_string(pool_names_.size() + 1)),
                              target.directory);
        run_.pools.push_back(pool);
        return pool_names_[spec] = pool.name;
    }

    void make_disks() {
        unsigned number = 0;
        for (const Candidate& candidate : run_.request.candidates) {
            throw_if_stopped(stop_);
            ++number;
            const auto seat = seats_.find(candidate.layer);
            if (seat == seats_.end()) continue;
            observer_.step("make " + label(candidate));
            auto [at, fresh] =
                disks_.try_emplace(candidate.id, candidate, pool_for(candidate.pool), run_.id,
                                   number, run_.plan->volume_size, provisioner_, ports_.storage);
            at->second.provision();
            first_fill(at->second, *seat->second);
        }
    }

    void first_fill(CandidateDisk& disk, Seat& seat) {
        try {
            sampler_.prepare_first(disk, seat, stop_);
        } catch (const Error& error) {
            // Without root the host's engine may not open the volume's file.
            const bool host_only =
                disk.candidate().layer == Layer::host && error.code() == ErrorCode::unavailable;
            if (!host_only) throw;
            leave_out_host(error.what());
        }
    }

    void measure() {
        std::size_t believed = 0;
        std::string last_reason;
        for (const PlannedSample& planned : run_.plan->samples) {
            throw_if_stopped(stop_);
            const auto disk = disks_.find(planned.candidate);
            if (disk == disks_.end()) continue;
            const auto seat = seats_.find(disk->second.candidate().layer);
            if (seat == seats_.end()) continue;
            const TakenSample taken = sampler_.take(planned, disk->second, *seat->second,
                                                    workload(planned.workload), stop_);
            ports_.store.add_sample(run_.id, taken.sample, taken.raw);
            observer_.sample_done(taken.sample);
            if (taken.sample.is_void()) {
                last_reason = taken.sample.void_reasons.front();
                run_.severity = Severity::warning;
            } else {
                ++believed;
            }
        }
        if (believed == 0) {
            throw Error{ErrorCode::guest_failed,
                        "no sample can be believed: " +
                            (last_reason.empty() ? "none was taken" : last_reason)};
        }
    }

    const Workload& workload(const std::string& id) const {
        const auto& all = run_.request.profile.workloads;
        return *std::find_if(all.begin(), all.end(),
                             [&id](const Workload& w) { return w.id == id; });
    }

    /// The size rule again, now with the bandwidth that the fills showed.
    void judge_size() {
        for (const auto& [pool, bandwidth] : sampler_.fill_bandwidth()) {
            const PoolPlanFacts& known = facts_.plan_facts.pools.at(pool);
            ports_.store.remember(bandwidth_key(facts_.targets.at(pool).directory),
                                  std::to_string(bandwidth.count()));
            const Bytes wanted =
                wanted_size(run_.request.candidates,
                            {.host_memory = run_.node.memory,
                             .usable = {},
                             .bandwidth = bandwidth,
                             .rotational = known.place.device && known.place.device->rotational});
            run_.plan->cache_sized = run_.plan->volume_size < wanted;
            run_.plan->size_reason += "; the speed measured asks for " + format_size(wanted);
            if (!run_.plan->cache_sized) continue;
            remark("cache_sized", "the test volumes of " + format_size(run_.plan->volume_size) +
                                      " are smaller than the " + format_size(wanted) +
                                      " that this storage's speed asks for: caches below the host "
                                      "may have helped");
            return;
        }
    }

    Run& run_;
    const Preflight& facts_;
    RunPorts& ports_;
    RunObserver& observer_;
    std::stop_token stop_;
    Provisioner provisioner_;
    Sampler sampler_;
    std::map<std::string, std::string> pool_names_;
    std::map<std::string, CandidateDisk> disks_;
    std::map<Layer, std::unique_ptr<Seat>> seats_;
};

/// How a run's work came out, before cleaning.
RunState measure_all(Run& run, const Preflight& facts, RunPorts& ports, RunObserver& observer,
                     const std::stop_token& stop) {
    const auto fail = [&run](std::string_view code, const std::string& what) {
        run.severity = Severity::warning;
        run.error_code = code;
        run.error = what;
    };
    try {
        Measuring{run, facts, ports, observer, stop}.execute();
        return RunState::succeeded;
    } catch (const Error& error) {
        fail(to_string(error.code()), error.what());
        return error.code() == ErrorCode::cancelled || stop.stop_requested() ? RunState::cancelled
                                                                             : RunState::failed;
    } catch (const std::exception& error) {  // a fault of ours: what was made must still be removed
        fail("internal", error.what());
        return RunState::failed;
    }
}

}  // namespace

PreparedRun prepare_run(const RunRequest& request, RunPorts& ports) {
    PreparedRun prepared{.run = {}, .facts = preflight(request, ports)};
    Run& run = prepared.run;
    run.id = make_run_id(ports.node.random_bits());
    run.created = ports.clock.wall();
    run.request = request;
    run.node = prepared.facts.node;
    run.remarks = prepared.facts.remarks;
    if (!run.remarks.empty()) run.severity = Severity::warning;
    for (const auto& [pool, known] : prepared.facts.plan_facts.pools) {
        run.places.push_back(known.place);
    }
    run.plan = make_plan(request, prepared.facts.plan_facts);
    return prepared;
}

Run execute_run(const RunRequest& request, RunPorts& ports, RunObserver& observer,
                std::stop_token stop) {
    const auto lock = ports.node.lock("store " + ports.store.store_id());
    for (const RecoveredRun& recovered : recover(ports)) {
        observer.step("cleaned up after run " + recovered.run_id + ", which had died");
    }
    auto [run, facts] = prepare_run(request, ports);
    ports.store.add_run(run);
    observer.planned(run);
    run.state = RunState::preparing;
    ports.store.update_run(run);
    const RunState end = measure_all(run, facts, ports, observer, stop);

    run.state = RunState::cleaning;
    ports.store.update_run(run);
    observer.step("clean up");
    run.leftovers = Cleaner{ports.storage, ports.guests, ports.journal}.clean_run(run.id);
    if (!run.leftovers.empty()) run.severity = Severity::warning;
    run.state = end;
    run.finished = ports.clock.wall();
    ports.store.update_run(run);
    return run;
}

}  // namespace poolwise
