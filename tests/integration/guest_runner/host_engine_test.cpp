// SPDX-License-Identifier: Apache-2.0
// The real client, the real engine as a child process, the real fio on a temporary file.
#include "guest_runner/host_engine.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "guest_runner/engines.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::guest_runner {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr Bytes kSize{64ULL << 20U};

/// A file as a disk; it is removed with the test. Named so that fio's processes can be told by it.
class TestDisk {
public:
    TestDisk() {
        const int file = ::mkstemp(path_.data());
        if (file < 0 || ::posix_fallocate(file, 0, static_cast<off_t>(kSize.count())) != 0) {
            throw std::runtime_error{"cannot make '" + path_ + "'"};
        }
        ::close(file);
    }
    ~TestDisk() { std::filesystem::remove(path_); }
    TestDisk(const TestDisk&) = delete;
    TestDisk& operator=(const TestDisk&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }

    /// Processes that have the disk open, other than this one.
    [[nodiscard]] std::vector<pid_t> users() const {
        std::vector<pid_t> pids;
        std::error_code ignored;
        for (const auto& process : std::filesystem::directory_iterator{"/proc", ignored}) {
            const std::string name = process.path().filename();
            if (name.find_first_not_of("0123456789") != std::string::npos) continue;
            for (const auto& file :
                 std::filesystem::directory_iterator{process.path() / "fd", ignored}) {
                if (std::filesystem::read_symlink(file, ignored) == path_) {
                    pids.push_back(static_cast<pid_t>(std::stol(name)));
                    break;
                }
            }
        }
        return pids;
    }

private:
    std::string path_ = "/var/tmp/poolwise-engine-test-XXXXXX";
};

bool eventually(const std::function<bool()>& holds, std::chrono::milliseconds limit) {
    const auto deadline = Clock::now() + limit;
    while (!holds()) {
        if (Clock::now() > deadline) return false;
        std::this_thread::sleep_for(10ms);
    }
    return true;
}

class HostEngine : public testing::Test {
protected:
    void SetUp() override {
        if (std::system("fio --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no fio here";
    }

    [[nodiscard]] JobSpec job(std::chrono::seconds runtime) const {
        JobSpec spec;
        spec.disk = {.serial = {}, .path = disk_.path(), .size = kSize};
        spec.workload.id = "mixed";
        spec.workload.access = Access::randrw;
        spec.workload.jobs = 2;
        spec.workload.runtime = runtime;
        spec.seed = 7;
        return spec;
    }

    TestDisk disk_;
    EngineConnector engines_{POOLWISE_ENGINE};
};

TEST_F(HostEngine, RunsAJobAndBringsItsResult) {
    const auto engine = engines_.start_on_host();
    std::vector<JobProgress> progress;
    int watched = 0;

    const JobOutcome outcome = engine->run(
        job(3s), [&](const JobProgress& p) { progress.push_back(p); }, [&] { ++watched; }, {});

    ASSERT_TRUE(outcome.result) << outcome.report.fio_messages;
    EXPECT_THAT(outcome.faults, testing::IsEmpty());
    EXPECT_EQ(outcome.report.exit_status, 0);
    EXPECT_GT(outcome.result->read.total_ios, 0U);
    EXPECT_GT(outcome.result->write.total_ios, 0U);
    EXPECT_GE(outcome.report.log.size(), 2U);
    EXPECT_GE(outcome.report.wall, 3s);
    EXPECT_NEAR(outcome.host_wall.count(), outcome.report.wall.count(), 0.5);
    EXPECT_GE(watched, 3);
    ASSERT_GE(progress.size(), 2U);
    EXPECT_GT(progress.back().bytes, progress.front().bytes);
    EXPECT_GT(progress.back().iops, Iops{0});
}

TEST_F(HostEngine, SaysWhatItIs) {
    const EngineFacts facts = engines_.start_on_host()->facts();

    EXPECT_THAT(facts.fio_version, testing::StartsWith("fio-"));
    EXPECT_FALSE(facts.kernel.empty());
    EXPECT_FALSE(facts.clocksource.empty());
    EXPECT_GT(facts.cpus, 0U);
    EXPECT_GT(facts.memory_available, Bytes{0});
}

TEST_F(HostEngine, ACancelledJobLeavesNoFioBehind) {
    const auto engine = engines_.start_on_host();
    std::stop_source stop;
    Clock::time_point stopped_at;
    const auto stop_when_running = [&] {
        if (stop.stop_requested() || disk_.users().empty()) return;
        stopped_at = Clock::now();
        stop.request_stop();
    };

    EXPECT_EQ(test::code_of([&] {
                  static_cast<void>(engine->run(job(60s), {}, stop_when_running, stop.get_token()));
              }),
              ErrorCode::cancelled);

    EXPECT_LT(Clock::now() - stopped_at, 2s);
    EXPECT_THAT(disk_.users(), testing::IsEmpty());
}

TEST_F(HostEngine, WhatTheWatchThrowsEndsTheJob) {
    const auto engine = engines_.start_on_host();
    const auto watch = [&] {
        if (!disk_.users().empty()) throw Error{ErrorCode::no_space, "the pool is full"};
    };

    EXPECT_EQ(test::code_of([&] { static_cast<void>(engine->run(job(60s), {}, watch, {})); }),
              ErrorCode::no_space);

    EXPECT_THAT(disk_.users(), testing::IsEmpty());
}

TEST_F(HostEngine, AKilledFioIsAFaultAndTheNextJobRuns) {
    const auto engine = engines_.start_on_host();
    bool killed = false;
    const auto kill_one = [&] {
        const auto users = disk_.users();
        if (killed || users.empty()) return;
        for (const pid_t pid : users) ::kill(pid, SIGKILL);
        killed = true;
    };

    const JobOutcome broken = engine->run(job(60s), {}, kill_one, {});
    EXPECT_THAT(broken.faults, testing::Not(testing::IsEmpty()));
    EXPECT_THAT(disk_.users(), testing::IsEmpty());

    const JobOutcome next = engine->run(job(1s), {}, {}, {});
    EXPECT_THAT(next.faults, testing::IsEmpty());
}

TEST_F(HostEngine, ADiskOfAnotherSizeIsRefused) {
    const auto engine = engines_.start_on_host();
    JobSpec spec = job(1s);
    spec.disk.size = Bytes{kSize.count() + 512};

    const Error error = test::error_of([&] { static_cast<void>(engine->run(spec, {}, {}, {})); });

    EXPECT_EQ(error.code(), ErrorCode::guest_failed);
    EXPECT_THAT(error.what(), testing::HasSubstr("67108864 bytes, not 67109376"));
    EXPECT_THAT(engine->run(job(1s), {}, {}, {}).faults, testing::IsEmpty());
}

TEST_F(HostEngine, TheEngineDyingIsNoticedAtOnce) {
    const auto engine = engines_.start_on_host();
    const auto kill_engine = [&] {
        if (disk_.users().empty()) return;
        // The engine is the only child of this process.
        std::ifstream children{"/proc/self/task/" + std::to_string(::getpid()) + "/children"};
        for (pid_t child = 0; children >> child;) ::kill(child, SIGKILL);
    };

    EXPECT_EQ(test::code_of([&] { static_cast<void>(engine->run(job(60s), {}, kill_engine, {})); }),
              ErrorCode::guest_failed);
}

TEST_F(HostEngine, NothingIsLeftWhenTheParentIsKilled) {
    const pid_t parent = ::fork();
    if (parent == 0) {
        static_cast<void>(engines_.start_on_host()->run(job(60s), {}, {}, {}));
        ::_exit(0);
    }
    ASSERT_TRUE(eventually([&] { return !disk_.users().empty(); }, 20s));

    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);

    EXPECT_TRUE(eventually([&] { return disk_.users().empty(); }, 5s));
}

TEST(HostEngineWithout, FioSaysWhatToInstall) {
    EngineConnector engines{POOLWISE_ENGINE, "/nonexistent/fio"};

    const Error error = test::error_of([&] { static_cast<void>(engines.start_on_host()); });

    EXPECT_EQ(error.code(), ErrorCode::unavailable);
    EXPECT_THAT(error.what(), testing::HasSubstr("apt install fio"));
}

TEST(HostEngineWithout, EngineProgramIsUnavailable) {
    EngineConnector engines{"/nonexistent/poolwise_engine"};

    EXPECT_EQ(test::code_of([&] { static_cast<void>(engines.start_on_host()); }),
              ErrorCode::unavailable);
}

}  // namespace
}  // namespace poolwise::guest_runner
