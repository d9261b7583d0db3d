// SPDX-License-Identifier: Apache-2.0
// A run: a request and all that comes of it.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "module/core/candidate.hpp"
#include "module/core/enum_text.hpp"
#include "module/core/node_facts.hpp"
#include "module/core/pool.hpp"
#include "module/core/profile.hpp"

namespace poolwise {

enum class RunState {
    queued,
    preparing,
    measuring,
    analysing,
    cleaning,
    succeeded,
    failed,
    cancelled,
    interrupted
};
inline constexpr EnumNames<RunState, 9> kRunStateNames{{{RunState::queued, "queued"},
                                                        {RunState::preparing, "preparing"},
                                                        {RunState::measuring, "measuring"},
                                                        {RunState::analysing, "analysing"},
                                                        {RunState::cleaning, "cleaning"},
                                                        {RunState::succeeded, "succeeded"},
                                                        {RunState::failed, "failed"},
                                                        {RunState::cancelled, "cancelled"},
                                                        {RunState::interrupted, "interrupted"}}};

struct RunTransition {
    RunState from;
    RunState to;
};

/// The life of a run as data. Every end leads through cleaning; `interrupted` is where recovery
/// puts a run whose process died.
inline constexpr std::array kRunTransitions{
    RunTransition{RunState::queued, RunState::preparing},
    RunTransition{RunState::queued, RunState::cancelled},
    RunTransition{RunState::preparing, RunState::measuring},
    RunTransition{RunState::preparing, RunState::cleaning},
    RunTransition{RunState::measuring, RunState::analysing},
    RunTransition{RunState::measuring, RunState::cleaning},
    RunTransition{RunState::analysing, RunState::cleaning},
    RunTransition{RunState::cleaning, RunState::succeeded},
    RunTransition{RunState::cleaning, RunState::failed},
    RunTransition{RunState::cleaning, RunState::cancelled},
    RunTransition{RunState::queued, RunState::interrupted},
    RunTransition{RunState::preparing, RunState::interrupted},
    RunTransition{RunState::measuring, RunState::interrupted},
    RunTransition{RunState::analysing, RunState::interrupted},
    RunTransition{RunState::cleaning, RunState::interrupted},
};

[[nodiscard]] constexpr bool may_follow(RunState from, RunState to) noexcept {
    for (const RunTransition& transition : kRunTransitions) {
        if (transition.from == from && transition.to == to) return true;
    }
    return false;
}

[[nodiscard]] constexpr bool is_final(RunState state) noexcept {
    return state == RunState::succeeded || state == RunState::failed ||
           state == RunState::cancelled || state == RunState::interrupted;
}

enum class Severity { ok, warning };
inline constexpr EnumNames<Severity, 2> kSeverityNames{
    {{Severity::ok, "ok"}, {Severity::warning, "warning"}}};

/// Something the reader of a result should know; `code` is stable, `text` is for people.
struct Remark {
    std::string code;  ///< lower_snake_case: "cache_sized", "emulated", "host_not_measured"
    std::string text;

    friend bool operator==(const Remark&, const Remark&) = default;
};

/// What was asked for, complete: nothing is defaulted later than this.
struct RunRequest {
    Profile profile;
    std::vector<Candidate> candidates;
    std::optional<Bytes> volume_size;        ///< overrides the profile's
    std::uint64_t seed = 0;                  ///< of the order of samples and of fio
    bool exclusive = false;                  ///< refuse when other guests run
    std::optional<Accelerator> accelerator;  ///< unset: KVM if our guest boots on it, else TCG

    friend bool operator==(const RunRequest&, const RunRequest&) = default;
};

/// One planned sample.
struct PlannedSample {
    unsigned round = 0;     ///< from 1
    unsigned position = 0;  ///< from 1
    std::string candidate;
    std::string workload;

    friend bool operator==(const PlannedSample&, const PlannedSample&) = default;
};

/// What a run will do and cost, before anything is created.
struct Plan {
    Bytes volume_size;
    bool cache_sized = false;  ///< the size rule is not met
    std::string size_reason;   ///< where the size comes from, in words
    std::vector<PlannedSample> samples;
    Bytes bytes_written;  ///< estimate, fill included
    Bytes peak_space;     ///< in the pool
    Seconds shortest{0};
    Seconds longest{0};

    friend bool operator==(const Plan&, const Plan&) = default;
};

/// The image the guest was booted with.
struct ImageFacts {
    std::string hash;    ///< of kernel, initramfs and tools disk together
    std::string kernel;  ///< release
    std::string fio;     ///< "fio-3.33"

    friend bool operator==(const ImageFacts&, const ImageFacts&) = default;
};

struct Run {
    std::string id;  ///< 8 base32 characters
    RunState state = RunState::queued;
    Severity severity = Severity::ok;
    std::chrono::system_clock::time_point created;
    std::optional<std::chrono::system_clock::time_point> finished;
    RunRequest request;
    std::optional<Plan> plan;
    NodeFacts node;
    std::vector<PoolInfo> pools;    ///< the pools used
    std::vector<PathFacts> places;  ///< where those pools keep their volumes
    std::optional<Accelerator> accelerator;
    std::string accelerator_reason;
    std::optional<ImageFacts> image;
    unsigned guest_vcpus = 0;
    std::vector<Remark> remarks;
    std::string error_code;              ///< to_string(ErrorCode) of what ended the run early
    std::string error;                   ///< the sentence
    std::vector<std::string> leftovers;  ///< what cleaning could not remove, and why

    friend bool operator==(const Run&, const Run&) = default;
};

}  // namespace poolwise
