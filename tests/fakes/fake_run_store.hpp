// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "module/core/error.hpp"
#include "module/ports/run_store.hpp"
#include "tests/fakes/planned_failures.hpp"

namespace poolwise::test {

/// A run store in memory; safe from several threads.
class FakeRunStore : public RunStore {
public:
    /// The next call that no earlier plan is for throws `error` and does nothing.
    void fail_next(Error error) { failures_.add(std::move(error)); }

    void add_run(const Run& run) override {
        const auto guard = enter();
        if (find(run.id)) throw Error{ErrorCode::conflict, "store run '" + run.id + "': id taken"};
        runs_.push_back(run);
    }

    void update_run(const Run& run) override {
        const auto guard = enter();
        Run& stored = existing(run.id);
        if (stored.state != run.state && !may_follow(stored.state, run.state)) {
            throw Error{ErrorCode::conflict, "update run '" + run.id + "': state may not follow"};
        }
        stored = run;
    }

    std::optional<Run> find_run(const std::string& id) override {
        const auto guard = enter();
        const Run* run = find(id);
        return run ? std::optional{*run} : std::nullopt;
    }

    std::vector<Run> runs(std::size_t limit) override {
        const auto guard = enter();
        std::vector<Run> newest{runs_.rbegin(), runs_.rend()};
        std::stable_sort(newest.begin(), newest.end(),
                         [](const Run& a, const Run& b) { return a.created > b.created; });
        if (newest.size() > limit) newest.resize(limit);
        return newest;
    }

    void add_sample(const std::string& run_id, const Sample& sample, const RawFiles& raw) override {
        const auto guard = enter();
        static_cast<void>(existing(run_id));
        const auto added = samples_[run_id].try_emplace(sample.position, sample, raw);
        if (!added.second) {
            throw Error{ErrorCode::conflict, "add a sample to run '" + run_id + "': taken"};
        }
    }

    std::vector<Sample> samples(const std::string& run_id) override {
        const auto guard = enter();
        std::vector<Sample> found;
        for (const auto& [position, entry] : samples_[run_id]) found.push_back(entry.first);
        return found;
    }

    std::optional<RawFiles> raw_files(const std::string& run_id, unsigned position) override {
        const auto guard = enter();
        const auto& of_run = samples_[run_id];
        const auto found = of_run.find(position);
        return found == of_run.end() ? std::nullopt : std::optional{found->second.second};
    }

    void remember(const std::string& key, const std::string& value) override {
        const auto guard = enter();
        memory_[key] = value;
    }

    std::optional<std::string> recall(const std::string& key) override {
        const auto guard = enter();
        const auto found = memory_.find(key);
        return found == memory_.end() ? std::nullopt : std::optional{found->second};
    }

    std::string store_id() override { return "fake-store"; }

private:
    /// The lock, unless this call is planned to fail.
    std::unique_lock<std::mutex> enter() {
        failures_.throw_if_planned();
        return std::unique_lock{mutex_};
    }

    Run* find(const std::string& id) {
        const auto found =
            std::find_if(runs_.begin(), runs_.end(), [&](const Run& run) { return run.id == id; });
        return found == runs_.end() ? nullptr : &*found;
    }

    Run& existing(const std::string& id) {
        if (Run* run = find(id)) return *run;
        throw Error{ErrorCode::not_found, "find run '" + id + "': no such run"};
    }

    std::mutex mutex_;
    std::vector<Run> runs_;  ///< as added
    std::map<std::string, std::map<unsigned, std::pair<Sample, RawFiles>>> samples_;
    std::map<std::string, std::string> memory_;
    PlannedFailures failures_;
};

}  // namespace poolwise::test
