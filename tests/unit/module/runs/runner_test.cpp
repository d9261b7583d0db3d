// SPDX-License-Identifier: Apache-2.0
#include "module/runs/runner.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include <gmock/gmock.h>

#include "tests/unit/module/runs/world.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// Notes what a run says, and may act on it.
class NotingObserver final : public RunObserver {
public:
    void planned(const Run&) override { heard.emplace_back("planned"); }
    void step(const std::string& what) override {
        heard.push_back(what);
        if (on_step) on_step(what);
    }
    void sample_started(const PlannedSample& sample) override {
        heard.push_back("sample " + std::to_string(sample.position));
        if (on_step) on_step(heard.back());
    }
    void progress(const JobProgress&) override {}
    void sample_done(const Sample&) override {}
    void remarked(const Remark& remark) override { heard.push_back("remark " + remark.code); }

    std::vector<std::string> heard;
    std::function<void(const std::string&)> on_step;
};

class RunnerTest : public testing::Test {
protected:
    RunnerTest() {
        request.profile = {.name = "p",
                           .workloads = {{.id = "read", .iodepth = 4, .ramp = 1s, .runtime = 5s},
                                         {.id = "first",
                                          .access = Access::randwrite,
                                          .block_size = 128_KiB,
                                          .phase = Phase::first_write}},
                           .rounds = 2,
                           .volume_size = 256_MiB};
        request.candidates = {{.id = "host-raw", .pool = "fast", .layer = Layer::host},
                              {.id = "guest-raw", .pool = "fast"},
                              {.id = "guest-qcow2", .pool = "fast", .format = Format::qcow2},
                              {.id = "guest-snap",
                               .pool = "fast",
                               .format = Format::qcow2,
                               .snapshot = SnapshotKind::internal}};
        request.seed = 1;
    }

    poolwise::Run execute() {
        RunPorts ports = world.ports();
        return execute_run(request, ports, observer, stop.get_token());
    }

    /// Nothing of a run is left in any port.
    void expect_clean() {
        EXPECT_THAT(world.storage.volumes("fast"), IsEmpty());
        EXPECT_THAT(world.storage.carriers(), IsEmpty());
        EXPECT_THAT(world.guests.guests(), IsEmpty());
        EXPECT_THAT(world.journal.open_entries(), IsEmpty());
        EXPECT_EQ(world.engines.alive(), 0);
        EXPECT_FALSE(world.node.lock_holder());
    }

    std::vector<Sample> samples_of(const poolwise::Run& run) { return world.store.samples(run.id); }

    test::World world;
    RunRequest request;
    NotingObserver observer;
    std::stop_source stop;
};

TEST_F(RunnerTest, AGoodRunSucceedsWithEverySampleBelievedAndNothingLeft) {
    const auto run = execute();

    EXPECT_EQ(run.state, RunState::succeeded) << run.error;
    EXPECT_THAT(run.leftovers, IsEmpty());
    const auto samples = samples_of(run);
    EXPECT_THAT(samples, SizeIs(16));
    for (const Sample& sample : samples) {
        EXPECT_THAT(sample.void_reasons, IsEmpty()) << sample.candidate << " " << sample.workload;
    }
    expect_clean();
    EXPECT_EQ(world.store.find_run(run.id)->state, RunState::succeeded);
}

TEST_F(RunnerTest, SamplesAreTakenInThePlannedOrder) {
    const auto run = execute();
    const auto samples = samples_of(run);
    ASSERT_EQ(samples.size(), run.plan->samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        EXPECT_EQ(samples[i].candidate, run.plan->samples[i].candidate);
        EXPECT_EQ(samples[i].workload, run.plan->samples[i].workload);
        EXPECT_EQ(samples[i].round, run.plan->samples[i].round);
    }
}

TEST_F(RunnerTest, EveryVolumeIsFilledBeforeItsFirstSample) {
    execute();
    std::vector<std::string> filled;
    for (const auto& [layer, job] : world.engines.jobs()) {
        const std::string disk = job.disk.serial + job.disk.path;
        if (job.workload.id == "fill") {
            filled.push_back(disk);
        } else {
            EXPECT_THAT(filled, Contains(disk));
        }
    }
}

TEST_F(RunnerTest, AFillReachesTheLastByteOfEverySize) {
    for (const Bytes size : {64_MiB, 65_MiB, 66_MiB}) {
        request.volume_size = size;
        execute();
        for (const auto& [layer, job] : world.engines.jobs()) {
            if (job.workload.id != "fill") continue;
            EXPECT_EQ(job.disk.size.count() % job.workload.block_size.count(), 0U);
        }
    }
}

TEST_F(RunnerTest, FirstWritesOfASnapshotCandidateAlwaysMeetAFreshSnapshot) {
    const auto run = execute();
    for (const Sample& sample : samples_of(run)) {
        if (sample.candidate == "guest-snap" && sample.workload == "first") {
            EXPECT_EQ(sample.evidence.snapshot_state, "fresh");
        }
    }
    const auto history = world.storage.history();
    const auto taken = std::count_if(history.begin(), history.end(), [](const std::string& call) {
        return call.starts_with("create_internal_snapshot");
    });
    EXPECT_EQ(taken, 2);  // once for each round
}

TEST_F(RunnerTest, ADiskIsInTheGuestOnlyWhileItIsFilledOrMeasured) {
    world.engines.script = [this](const JobSpec& job, Layer layer) {
        if (layer == Layer::guest) {
            EXPECT_THAT(world.guests.disks(world.guests.guests().front()),
                        ElementsAre(Field(&GuestDisk::serial, job.disk.serial)));
        } else {
            EXPECT_THAT(world.guests.disks(world.guests.guests().front()), IsEmpty());
        }
        return world.steady(job, layer);
    };
    EXPECT_EQ(execute().state, RunState::succeeded);
}

TEST_F(RunnerTest, AllCandidatesOfARoundMeetTheSameOffsets) {
    execute();
    std::set<std::uint64_t> seeds;
    for (const auto& [layer, job] : world.engines.jobs()) {
        if (job.workload.id != "fill") seeds.insert(job.seed);
    }
    EXPECT_THAT(seeds, SizeIs(2));
}

TEST_F(RunnerTest, KvmIsTriedFirstAndWhatBootsIsRemembered) {
    EXPECT_EQ(execute().accelerator, Accelerator::kvm);

    const auto again = execute();
    EXPECT_EQ(again.accelerator, Accelerator::kvm);
}

TEST_F(RunnerTest, WhereKvmDoesNotBringTheGuestUpEmulationDoesAndTheResultSaysSo) {
    world.engines.fail_next("connect", Error{ErrorCode::timed_out, "no hello in 20 s"});

    const auto first = execute();
    EXPECT_EQ(first.state, RunState::succeeded) << first.error;
    EXPECT_EQ(first.accelerator, Accelerator::tcg);
    EXPECT_THAT(first.accelerator_reason, HasSubstr("no hello in 20 s"));
    EXPECT_THAT(first.remarks, Contains(Field(&Remark::code, "emulated")));
    EXPECT_EQ(first.severity, Severity::warning);

    const auto starts_before = world.guests.history().size();
    const auto second = execute();
    EXPECT_EQ(second.accelerator, Accelerator::tcg);
    EXPECT_GT(world.guests.history().size(), starts_before);
    expect_clean();
}

TEST_F(RunnerTest, AnAcceleratorAskedForIsNotReplaced) {
    request.accelerator = Accelerator::kvm;
    world.engines.fail_next("connect", Error{ErrorCode::timed_out, "no hello"});

    const auto run = execute();
    EXPECT_EQ(run.state, RunState::failed);
    expect_clean();
}

TEST_F(RunnerTest, WithoutAHostEngineTheGuestIsStillMeasured) {
    world.engines.fail_next("start_on_host", Error{ErrorCode::unavailable, "not root"});

    const auto run = execute();
    EXPECT_EQ(run.state, RunState::succeeded) << run.error;
    EXPECT_EQ(run.severity, Severity::warning);
    EXPECT_THAT(run.remarks, Contains(AllOf(Field(&Remark::code, "host_not_measured"),
                                            Field(&Remark::text, HasSubstr("not root")))));
    EXPECT_THAT(samples_of(run), Each(Field(&Sample::candidate, Not("host-raw"))));
}

TEST_F(RunnerTest, BadFiguresMakeAVoidSampleWithTheReasonAndTheRunGoesOn) {
    int reads = 0;
    world.engines.script = [&](const JobSpec& job, Layer layer) {
        JobOutcome outcome = world.steady(job, layer);
        if (job.workload.id == "read" && ++reads == 3) {
            outcome.faults = {"disk error 5 (EIO)"};
            outcome.result.reset();
        }
        return outcome;
    };

    const auto run = execute();
    EXPECT_EQ(run.state, RunState::succeeded) << run.error;
    EXPECT_EQ(run.severity, Severity::warning);
    const auto samples = samples_of(run);
    EXPECT_THAT(samples, SizeIs(16));
    EXPECT_EQ(
        std::count_if(samples.begin(), samples.end(), [](const Sample& s) { return s.is_void(); }),
        1);
}

TEST_F(RunnerTest, ARunWithoutOneBelievedSampleFailsWithTheReason) {
    world.engines.script = [&](const JobSpec& job, Layer layer) {
        JobOutcome outcome = world.steady(job, layer);
        if (job.workload.id != "fill") outcome.faults = {"fio exited with 1"};
        return outcome;
    };

    const auto run = execute();
    EXPECT_EQ(run.state, RunState::failed);
    EXPECT_THAT(run.error, HasSubstr("fio exited with 1"));
    expect_clean();
}

TEST_F(RunnerTest, TheFillsBandwidthIsRememberedForThePool) {
    execute();
    EXPECT_TRUE(world.store.recall(bandwidth_key("/fake/fast")));
}

TEST_F(RunnerTest, VolumesSmallerThanTheRuleAsksForAreRemarked) {
    const auto run = execute();
    EXPECT_TRUE(run.plan->cache_sized);
    EXPECT_THAT(run.remarks, Contains(Field(&Remark::code, "cache_sized")));
}

TEST_F(RunnerTest, ABusyNodeIsAConflictAndNothingIsStored) {
    const auto lock = world.node.lock("somebody else");
    EXPECT_EQ(test::code_of([&] { execute(); }), ErrorCode::conflict);
    EXPECT_THAT(world.store.runs(10), IsEmpty());
}

TEST_F(RunnerTest, WhatADeadRunLeftIsCleanedFirstAndThatRunIsInterrupted) {
    poolwise::Run dead;
    dead.id = "aaaabbbb";
    dead.request = request;
    dead.state = RunState::queued;
    world.store.add_run(dead);
    dead.state = RunState::preparing;
    world.store.update_run(dead);
    world.journal.intend({.run_id = dead.id,
                          .kind = ObjectKind::volume,
                          .name = "poolwise-aaaabbbb-01.raw",
                          .place = "fast"});
    static_cast<void>(world.storage.create_volume(
        {.ref = {.pool = "fast", .name = "poolwise-aaaabbbb-01.raw"}, .capacity = 64_MiB}));

    EXPECT_EQ(execute().state, RunState::succeeded);
    expect_clean();
    EXPECT_EQ(world.store.find_run(dead.id)->state, RunState::interrupted);
}

TEST_F(RunnerTest, ADirectoryWithoutAPoolGetsATransientOneThatIsGoneAfterwards) {
    world.node.places["/scratch"] = world.node.places["/fake/fast"];
    world.storage.add_directory("/scratch");
    for (Candidate& candidate : request.candidates) candidate.pool = "dir:/scratch";

    const auto run = execute();
    EXPECT_EQ(run.state, RunState::succeeded) << run.error;
    EXPECT_THAT(world.storage.pools(), SizeIs(1));
    expect_clean();
}

TEST_F(RunnerTest, AStopAtAnyStepEndsCancelledAndClean) {
    ASSERT_EQ(execute().state, RunState::succeeded);
    const std::vector<std::string> steps = observer.heard;
    for (const std::string& moment : steps) {
        if (moment == "planned" || moment == "clean up" || moment.starts_with("remark")) continue;
        SCOPED_TRACE(moment);
        stop = std::stop_source{};
        observer.on_step = [&](const std::string& what) {
            if (what == moment) stop.request_stop();
        };
        const auto run = execute();
        EXPECT_EQ(run.state, RunState::cancelled) << run.error;
        expect_clean();
    }
}

struct Failure {
    const char* where;
    std::function<void(test::World&)> plan;
};

/// What the test's name shows.
void PrintTo(const Failure& failure, std::ostream* out) {
    *out << failure.where;
}

class RunnerFailureTest : public RunnerTest, public testing::WithParamInterface<Failure> {};

TEST_P(RunnerFailureTest, EndsTheRunFailedWithTheReasonAndClean) {
    GetParam().plan(world);

    const auto run = execute();

    EXPECT_EQ(run.state, RunState::failed);
    EXPECT_THAT(run.error, HasSubstr("planned failure"));
    EXPECT_EQ(run.severity, Severity::warning);
    expect_clean();
}

const Error kFailure{ErrorCode::hypervisor_failed, "planned failure"};

INSTANTIATE_TEST_SUITE_P(
    Steps, RunnerFailureTest,
    testing::Values(
        Failure{"Image", [](test::World& w) { w.images.fail_next(kFailure); }},
        Failure{"Volume", [](test::World& w) { w.storage.fail_next("create_volume", kFailure); }},
        Failure{"Snapshot",
                [](test::World& w) { w.storage.fail_next("create_internal_snapshot", kFailure); }},
        Failure{"Attach", [](test::World& w) { w.guests.fail_next("attach_disk", kFailure); }},
        Failure{"Detach", [](test::World& w) { w.guests.fail_next("detach_disk", kFailure); }},
        Failure{"Counters", [](test::World& w) { w.guests.fail_next("block_counters", kFailure); }},
        Failure{"Fill", [](test::World& w) { w.engines.fail_next("run", kFailure); }}),
    [](const auto& named) { return std::string{named.param.where}; });

TEST_F(RunnerTest, WhatCannotBeRemovedIsToldAndStaysInTheJournal) {
    world.storage.fail_next("remove_volume", kFailure);

    const auto run = execute();

    EXPECT_EQ(run.state, RunState::succeeded);
    EXPECT_EQ(run.severity, Severity::warning);
    EXPECT_THAT(run.leftovers, ElementsAre(HasSubstr("planned failure")));
    EXPECT_THAT(world.journal.open_entries(), SizeIs(1));
}

TEST_F(RunnerTest, AGuestThatCrashesEndsTheRunWithThatReason) {
    world.engines.script = [&](const JobSpec& job, Layer layer) -> JobOutcome {
        if (job.workload.id == "read" && layer == Layer::guest) {
            world.guests.crash(world.guests.guests().front());
            throw Error{ErrorCode::guest_failed, "the guest is gone"};
        }
        return world.steady(job, layer);
    };

    const auto run = execute();
    EXPECT_EQ(run.state, RunState::failed);
    EXPECT_THAT(run.error, HasSubstr("the guest is gone"));
    expect_clean();
}

TEST_F(RunnerTest, AVolumeIsNotTouchedWhileTheGuestHoldsItsDisk) {
    world.engines.script = [&](const JobSpec& job, Layer layer) {
        if (layer == Layer::guest) world.guests.hold_disks(world.guests.guests().front());
        return world.steady(job, layer);
    };

    const auto run = execute();
    EXPECT_EQ(run.state, RunState::failed);
    expect_clean();
}

TEST_F(RunnerTest, AFaultOfOursStillLeadsThroughCleaning) {
    world.engines.script = [](const JobSpec&, Layer) -> JobOutcome {
        throw std::runtime_error{"a bug"};
    };

    const auto run = execute();
    EXPECT_EQ(run.state, RunState::failed);
    EXPECT_EQ(run.error_code, "internal");
    expect_clean();
}

TEST_F(RunnerTest, ProfilesThatReproduceASourceDropTheCacheAndFillBeforeEachSample) {
    request.profile.drop_host_cache = true;
    request.profile.fill = FillData::zeros;
    request.profile.fill_when = FillWhen::each_sample;
    request.profile.order = Order::source;
    request.profile.snapshot_rounds = 1;

    const auto run = execute();
    EXPECT_EQ(run.state, RunState::succeeded) << run.error;
    const auto samples = samples_of(run);
    EXPECT_THAT(samples, SizeIs(3 * 2 * 2 + 2));
    EXPECT_EQ(world.node.cache_drops(), 14);
    for (const auto& [layer, job] : world.engines.jobs()) {
        EXPECT_EQ(job.data, FillData::zeros);
    }
}

}  // namespace
}  // namespace poolwise
