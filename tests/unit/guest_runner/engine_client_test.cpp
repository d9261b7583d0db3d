// SPDX-License-Identifier: Apache-2.0
// The client against an engine that is a script: each request calls it, what it answers is read.
#include "guest_runner/engine_client.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "guest_runner/job_exchange.hpp"
#include "guest_runner/payload.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::guest_runner {
namespace {

using namespace std::chrono_literals;

/// What the engine at the other end does. Replies are read at once; nothing ever waits.
class ScriptedEngine {
public:
    virtual ~ScriptedEngine() = default;

    virtual void hear(const Request& request) {
        if (const auto* hello = std::get_if<HelloRequest>(&request)) {
            say(hello_reply(hello->nonce));
        } else if (const auto* run = std::get_if<RunRequest>(&request)) {
            job = run->job;
            on_run(*run);
        } else if (std::get_if<FetchRequest>(&request) != nullptr) {
            ++fetches;
            say_result();
        } else if (std::get_if<CancelRequest>(&request) != nullptr) {
            ++cancels;
            say(Finished{job});
        } else if (std::get_if<Acknowledgement>(&request) != nullptr) {
            ++acknowledgements;
        }
    }

    HelloReply hello_reply(std::uint64_t nonce) const {
        HelloReply hello;
        hello.nonce = nonce;
        hello.engine_version = "0.1.0";
        hello.fio_version = fio_version;
        hello.fio_problem = fio_version.empty() ? "it is broken" : "";
        hello.job = job;
        hello.phase = phase;
        return hello;
    }
    void say(const Reply& reply) { say_raw(encode(++number_, reply)); }
    void say_raw(const std::string& bytes) { output += bytes; }
    void say_result() {
        ResultSummary summary;
        summary.job = job;
        summary.stopped = stopped;
        summary.parts = digest_of(parts);
        say(summary);
        ChunkCutter cutter;
        while (const auto chunk = cutter.next(job, parts)) say(*chunk);
    }

    std::function<void(const RunRequest&)> on_run = [this](const RunRequest& run) {
        say(Started{run.job});
        say(Progress{run.job, Seconds{1}, Iops{5}, Bytes{4096}});
        say(Finished{run.job});
        say_result();
    };

    std::string output;
    std::string fio_version = "fio-3.33";
    std::uint64_t job = 0;
    JobPhase phase = JobPhase::none;
    Stopped stopped = Stopped::no;
    Parts parts{"no document", "fio's words", "1000, 50, 0, 4096, 0\n"};
    int fetches = 0;
    int cancels = 0;
    int acknowledgements = 0;
    bool gone = false;

private:
    std::uint64_t number_ = 0;
};

class ScriptedChannel : public ByteChannel {
public:
    explicit ScriptedChannel(ScriptedEngine& engine) : engine_{engine} {}

    std::size_t read(std::span<char> buffer, std::chrono::milliseconds) override {
        if (engine_.gone) throw Error{ErrorCode::guest_failed, "the guest is gone"};
        const std::size_t size = engine_.output.copy(buffer.data(), buffer.size(), read_);
        read_ += size;
        return size;
    }
    void write(std::span<const char> data, std::chrono::milliseconds) override {
        lines_.feed({data.data(), data.size()});
        while (const auto line = lines_.next()) {
            if (const auto request = decode_request(*line)) engine_.hear(request->message);
        }
    }
    void close() noexcept override {}

private:
    ScriptedEngine& engine_;
    std::size_t read_ = 0;
    LineReader lines_{kMaxLine};
};

class Client : public testing::Test {
protected:
    std::unique_ptr<EngineClient> connect() {
        return std::make_unique<EngineClient>(std::make_unique<ScriptedChannel>(engine_),
                                              "in the guest", Seconds{0.5}, Engine::Watch{},
                                              std::stop_token{}, patience_);
    }
    static JobSpec job() {
        JobSpec spec;
        spec.disk = {.serial = "pwabcdefgh01", .path = {}, .size = Bytes{1U << 20U}};
        spec.workload.id = "read";
        spec.workload.runtime = 2s;
        return spec;
    }
    JobOutcome run() { return connect()->run(job(), {}, {}, {}); }
    ErrorCode code_of_run() {
        return test::code_of([this] { static_cast<void>(run()); });
    }

    ScriptedEngine engine_;
    Patience patience_{.hello_again = 20ms, .silence = 20ms, .cancel = 50ms, .gone = 300ms};
};

TEST_F(Client, BringsWhatTheEngineSays) {
    std::vector<JobProgress> progress;

    const JobOutcome outcome =
        connect()->run(job(), [&](const JobProgress& p) { progress.push_back(p); }, {}, {});

    EXPECT_EQ(outcome.report.fio_json, "no document");
    EXPECT_EQ(outcome.report.fio_messages, "fio's words");
    EXPECT_EQ(outcome.report.log.size(), 1U);
    EXPECT_FALSE(outcome.result);
    EXPECT_THAT(outcome.faults, testing::Not(testing::IsEmpty()));
    EXPECT_THAT(outcome.job_text, testing::HasSubstr("${POOLWISE_DISK}"));
    ASSERT_EQ(progress.size(), 1U);
    EXPECT_EQ(progress[0].eta, Seconds{1});
    EXPECT_EQ(engine_.acknowledgements, 1);
}

TEST_F(Client, FindsTheFirstGoodLineBehindNoise) {
    engine_.say_raw("[    0.1] Linux\r\n\xff\xfe garbage {\"v\":1\n\n" + std::string(200'000, 'x') +
                    "\n");

    EXPECT_EQ(connect()->facts().fio_version, "fio-3.33");
}

TEST_F(Client, GivesUpOnAnEngineThatNeverAnswers) {
    struct Mute : ScriptedEngine {
        void hear(const Request&) override {}
    } mute;

    EXPECT_EQ(test::code_of([&] {
                  EngineClient{std::make_unique<ScriptedChannel>(mute),
                               "in the guest",
                               Seconds{0.1},
                               Engine::Watch{},
                               std::stop_token{},
                               patience_};
              }),
              ErrorCode::timed_out);
}

TEST_F(Client, SaysWhyFioDoesNotStart) {
    engine_.fio_version = "";

    const Error error = test::error_of([&] { static_cast<void>(connect()); });

    EXPECT_EQ(error.code(), ErrorCode::unavailable);
    EXPECT_THAT(error.what(), testing::HasSubstr("it is broken"));
}

TEST_F(Client, KillsTheJobThatAFormerClientLeft) {
    engine_.job = 99;
    engine_.phase = JobPhase::running;

    static_cast<void>(connect());

    EXPECT_EQ(engine_.cancels, 1);
    EXPECT_EQ(engine_.acknowledgements, 1);
}

TEST_F(Client, AsksAgainWhenTheRequestWasLost) {
    int requests = 0;
    const auto answer = engine_.on_run;
    engine_.on_run = [&](const RunRequest& run) {
        if (++requests == 1) {
            engine_.job = 0;
        } else {
            answer(run);
        }
    };

    EXPECT_EQ(run().report.fio_messages, "fio's words");
    EXPECT_EQ(requests, 2);
}

TEST_F(Client, FetchesAResultWhoseLinesWereLost) {
    engine_.on_run = [&](const RunRequest& run) {
        engine_.say(Started{run.job});
        engine_.phase = JobPhase::finished;
    };

    EXPECT_EQ(run().report.fio_messages, "fio's words");
    EXPECT_EQ(engine_.fetches, 1);
}

TEST_F(Client, FillsTheGapOfALostChunk) {
    engine_.on_run = [&](const RunRequest& run) {
        engine_.say(Started{run.job});
        engine_.say(Finished{run.job});
        engine_.phase = JobPhase::finished;
        const auto before = engine_.output.size();
        engine_.say_result();
        const auto lost = engine_.output.rfind("{\"v\"");
        ASSERT_GT(lost, before);
        engine_.output.erase(lost);
    };

    EXPECT_EQ(run().report.log.size(), 1U);
    EXPECT_EQ(engine_.fetches, 1);
}

TEST_F(Client, IgnoresDuplicatesAndOtherJobs) {
    engine_.on_run = [&](const RunRequest& run) {
        engine_.say(Finished{run.job + 1});
        engine_.say(Refusal{run.job + 1, "no"});
        engine_.say(Started{run.job});
        engine_.say(Finished{run.job});
        const auto before = engine_.output.size();
        engine_.say_result();
        engine_.say_raw(engine_.output.substr(before));
    };

    EXPECT_EQ(run().report.fio_messages, "fio's words");
}

TEST_F(Client, ARefusalIsAFailureOfTheGuest) {
    engine_.on_run = [&](const RunRequest& run) {
        engine_.say(Refusal{run.job, "2 disks have this serial"});
    };

    const Error error = test::error_of([&] { static_cast<void>(run()); });

    EXPECT_EQ(error.code(), ErrorCode::guest_failed);
    EXPECT_THAT(error.what(), testing::HasSubstr("2 disks have this serial"));
}

TEST_F(Client, AJobPastTheEnginesLimitTimedOut) {
    engine_.stopped = Stopped::time_limit;
    EXPECT_EQ(code_of_run(), ErrorCode::timed_out);
}

TEST_F(Client, AJobWithoutAResultSaysWhatTheEngineSaidLast) {
    struct Case {
        std::vector<Reply> said;
        std::string known;
    };
    const std::vector<Case> cases{
        {{}, "the engine never said that fio had started"},
        {{Started{7}}, "fio had started, but the engine never said how it went on"},
        {{Started{7}, Progress{7, Seconds{3.25}, Iops{5}, Bytes{8192}}},
         "by the engine's clock fio last ran for 3.2 s and had moved 8192 bytes"},
        {{Started{7}, Finished{7}}, "fio had ended, but its result did not arrive whole"}};
    patience_.overrun = 20ms;
    for (const Case& one : cases) {
        ScriptedEngine engine;
        engine.on_run = [&](const RunRequest&) {
            for (const Reply& reply : one.said) engine.say(reply);
        };
        EngineLink link{std::make_unique<ScriptedChannel>(engine)};
        JobExchange exchange{link, {.job = 7, .serial = "pw01"}, patience_, "in the guest"};
        const std::string message = test::message_of([&] {
            while (true) {
                exchange.advance();
                if (const auto reply = link.receive(1ms)) {
                    exchange.handle(*reply, [](const Progress&) {});
                }
            }
        });
        EXPECT_EQ(
            message,
            "run fio on disk 'pw01' in the guest: no result 0 s after the time limit of 0 s; " +
                one.known);
    }
}

TEST_F(Client, AJobTheEngineGaveUpIsAFault) {
    engine_.stopped = Stopped::host_silent;

    const JobOutcome outcome = run();

    EXPECT_TRUE(outcome.report.cancelled);
    EXPECT_THAT(outcome.faults, testing::Contains(testing::HasSubstr("heard nothing")));
}

TEST_F(Client, StopKillsTheJobBeforeItThrows) {
    std::stop_source stop;
    engine_.on_run = [&](const RunRequest& run) {
        engine_.say(Started{run.job});
        stop.request_stop();
    };
    const auto client = connect();

    EXPECT_EQ(
        test::code_of([&] { static_cast<void>(client->run(job(), {}, {}, stop.get_token())); }),
        ErrorCode::cancelled);
    EXPECT_EQ(engine_.cancels, 1);
}

TEST_F(Client, WhatTheWatchThrowsComesOutAfterTheJobIsDead) {
    const auto client = connect();
    bool called = false;
    const auto watch = [&] {
        if (std::exchange(called, true)) throw Error{ErrorCode::no_space, "full"};
    };
    engine_.on_run = [&](const RunRequest& run) { engine_.say(Started{run.job}); };

    EXPECT_EQ(test::code_of([&] { static_cast<void>(client->run(job(), {}, watch, {})); }),
              ErrorCode::no_space);
    EXPECT_EQ(engine_.cancels, 1);
}

TEST_F(Client, AnEngineThatGoesAwayIsAFailureOfTheGuest) {
    engine_.on_run = [&](const RunRequest&) { engine_.gone = true; };
    EXPECT_EQ(code_of_run(), ErrorCode::guest_failed);
}

TEST_F(Client, ALostJobIsAFailureOfTheGuest) {
    engine_.on_run = [&](const RunRequest& run) {
        engine_.say(Started{run.job});
        engine_.job = 0;
    };
    EXPECT_EQ(code_of_run(), ErrorCode::guest_failed);
}

TEST_F(Client, MalformedMessagesEndTheJob) {
    engine_.on_run = [&](const RunRequest& run) {
        engine_.say(Started{run.job});
        engine_.say_raw(R"({"v":1,"n":50,"type":"result","job":7})"
                        "\n");
    };
    EXPECT_EQ(code_of_run(), ErrorCode::malformed_result);
    EXPECT_EQ(engine_.cancels, 1);
}

TEST_F(Client, EndlessNoiseIsMalformed) {
    engine_.on_run = [&](const RunRequest&) {
        for (int i = 0; i < 1000; ++i) engine_.say_raw("noise\n");
    };
    EXPECT_EQ(code_of_run(), ErrorCode::malformed_result);
}

TEST_F(Client, AFloodOfGoodMessagesIsMalformed) {
    struct Flood : ScriptedEngine {
        void hear(const Request& request) override {
            ScriptedEngine::hear(request);
            if (!std::holds_alternative<RunRequest>(request)) return;
            const std::string padding(60'000, ' ');
            for (std::uint64_t i = 0; i < 1200; ++i) {
                say_raw("{\"v\":1,\"n\":" + std::to_string(100 + i) + padding +
                        ",\"type\":\"pong\"}\n");
            }
        }
    } flood;
    flood.on_run = [](const RunRequest&) {};
    EngineClient client{std::make_unique<ScriptedChannel>(flood),
                        "in the guest",
                        Seconds{1},
                        Engine::Watch{},
                        std::stop_token{},
                        patience_};

    EXPECT_EQ(test::code_of([&] { static_cast<void>(client.run(job(), {}, {}, {})); }),
              ErrorCode::malformed_result);
}

TEST_F(Client, AResultWithWrongBytesIsMalformed) {
    engine_.on_run = [&](const RunRequest& run) {
        engine_.say(Started{run.job});
        ResultSummary summary;
        summary.job = run.job;
        summary.parts = digest_of(engine_.parts);
        summary.parts[0].digest ^= 1;
        engine_.say(summary);
        ChunkCutter cutter;
        while (const auto chunk = cutter.next(run.job, engine_.parts)) engine_.say(*chunk);
    };
    EXPECT_EQ(code_of_run(), ErrorCode::malformed_result);
}

TEST(TimeLimit, IsHalfAsLongAgainAndAMinute) {
    Workload workload;
    workload.ramp = 10s;
    workload.runtime = 30s;
    EXPECT_EQ(time_limit(workload), 120s);
    workload.runtime.reset();
    EXPECT_EQ(time_limit(workload), 900s);
}

}  // namespace
}  // namespace poolwise::guest_runner
