// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "module/core/error.hpp"
#include "module/ports/node.hpp"
#include "tests/fakes/planned_failures.hpp"

namespace poolwise::test {

/// A node in memory. Calls are safe from several threads; set the public members before.
class FakeNode : public Node {
public:
    NodeFacts facts() override {
        failures_.throw_if_planned();
        return node;
    }

    /// What `places` holds for the path or the nearest folder above it.
    PathFacts path_facts(const std::string& path) override {
        failures_.throw_if_planned();
        const std::lock_guard guard{state_->mutex};
        for (std::string at = path; !at.empty(); at.erase(at.rfind('/'))) {
            if (const auto place = places.find(at); place != places.end()) {
                PathFacts facts = place->second;
                facts.path = path;
                return facts;
            }
            if (at.find('/') == std::string::npos) break;
        }
        throw Error{ErrorCode::not_found, "look at '" + path + "': No such file or directory"};
    }

    /// Each call finds the node `cpu_step` later.
    CpuTimes cpu_times() override {
        failures_.throw_if_planned();
        const std::lock_guard guard{state_->mutex};
        cpu.busy += cpu_step.busy;
        cpu.idle += cpu_step.idle;
        cpu.steal += cpu_step.steal;
        return cpu;
    }

    /// The next of `activities`; the last one stays. None: unknown.
    std::optional<DeviceActivity> device_activity(const std::string& device_name) override {
        failures_.throw_if_planned();
        const std::lock_guard guard{state_->mutex};
        const auto found = activities.find(device_name);
        if (found == activities.end() || found->second.empty()) return std::nullopt;
        const DeviceActivity activity = found->second.front();
        if (found->second.size() > 1) found->second.pop_front();
        return activity;
    }

    void drop_caches() override {
        failures_.throw_if_planned();
        const std::lock_guard guard{state_->mutex};
        ++cache_drops_;
    }

    std::unique_ptr<NodeLock> lock(const std::string& holder) override {
        failures_.throw_if_planned();
        const std::lock_guard guard{state_->mutex};
        if (state_->holder) {
            throw Error{ErrorCode::conflict,
                        "take the node's lock: this node is being measured by '" + *state_->holder +
                            "'; wait for its end or cancel it"};
        }
        state_->holder = holder;
        return std::make_unique<Held>(state_);
    }

    std::optional<std::string> unsearchable_parent(const std::string& path) override {
        failures_.throw_if_planned();
        for (const std::string& closed : closed_folders) {
            if (path.starts_with(closed + '/')) return closed;
        }
        return std::nullopt;
    }

    /// 1, 2, 3, ...
    std::uint64_t random_bits() override {
        const std::lock_guard guard{state_->mutex};
        return ++last_random_;
    }

    /// The next call that can fail does.
    void fail_next(Error error) { failures_.add(std::move(error)); }

    /// Who holds the lock now.
    [[nodiscard]] std::optional<std::string> lock_holder() const {
        const std::lock_guard guard{state_->mutex};
        return state_->holder;
    }
    [[nodiscard]] int cache_drops() const {
        const std::lock_guard guard{state_->mutex};
        return cache_drops_;
    }

    NodeFacts node{.hostname = "node1",
                   .kernel = "6.1.0-18-amd64",
                   .cpu_model = "Fake CPU",
                   .cores = 8,
                   .memory = Bytes{std::uint64_t{16} << 30U},
                   .governor = "performance",
                   .libvirt = "",
                   .qemu = "",
                   .fio = "fio-3.33"};
    std::map<std::string, PathFacts> places;                       ///< by path
    std::map<std::string, std::deque<DeviceActivity>> activities;  ///< by device name
    std::vector<std::string> closed_folders;                       ///< not searchable by others
    CpuTimes cpu;
    CpuTimes cpu_step{.busy = Seconds{0.1}, .idle = Seconds{0.9}};

private:
    struct State {
        std::mutex mutex;
        std::optional<std::string> holder;
    };

    class Held : public NodeLock {
    public:
        explicit Held(std::shared_ptr<State> state) : state_{std::move(state)} {}
        ~Held() override {
            const std::lock_guard guard{state_->mutex};
            state_->holder.reset();
        }

    private:
        std::shared_ptr<State> state_;
    };

    std::shared_ptr<State> state_ = std::make_shared<State>();
    PlannedFailures failures_;
    std::uint64_t last_random_ = 0;
    int cache_drops_ = 0;
};

}  // namespace poolwise::test
