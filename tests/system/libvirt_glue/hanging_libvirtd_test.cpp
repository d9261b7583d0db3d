// SPDX-License-Identifier: Apache-2.0
// What happens when libvirtd hangs, and when it goes away.
#include <array>
#include <chrono>
#include <string>
#include <thread>

#include <sys/inotify.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libvirt/libvirt.h>
#include <signal.h>
#include <unistd.h>

#include "tests/system/libvirt_glue/libvirtd_subject.hpp"
#include "tests/system/libvirt_glue/private_libvirtd.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// Sees files come and go in a folder.
class Lookout {
public:
    explicit Lookout(const std::string& folder) : descriptor_{inotify_init1(IN_NONBLOCK)} {
        inotify_add_watch(descriptor_, folder.c_str(), IN_CREATE | IN_DELETE);
    }
    ~Lookout() { close(descriptor_); }
    Lookout(const Lookout&) = delete;
    Lookout& operator=(const Lookout&) = delete;

    /// Whether a file came (IN_CREATE) or went (IN_DELETE) within `limit`; asked in that order.
    bool saw(std::uint32_t what, Clock::duration limit) {
        const auto end = Clock::now() + limit;
        while ((seen_ & what) == 0 && Clock::now() < end) {
            look();
            std::this_thread::sleep_for(20ms);
        }
        return (seen_ & what) != 0;
    }

private:
    void look() {
        alignas(inotify_event) std::array<char, 4096> buffer{};
        const ssize_t size = read(descriptor_, buffer.data(), buffer.size());
        for (ssize_t at = 0; at < size;) {
            // inotify's events are read as bytes; the buffer is aligned for them.
            const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
            seen_ |= event->mask;
            at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
        }
    }

    int descriptor_;
    std::uint32_t seen_ = 0;
};

class HangingLibvirtd : public testing::Test {
protected:
    void SetUp() override {
        if (!daemon_.trouble().empty()) GTEST_SKIP() << daemon_.trouble();
    }

    const ScratchFolder folder_{"/var/tmp"};
    PrivateLibvirtd daemon_{folder_.path()};
};

TEST_F(HangingLibvirtd, ACreateThatSucceedsAfterItsDeadlineIsRemoved) {
    LibvirtdSubject subject{daemon_.uri(), {.look_up = Seconds{10}, .change = Seconds{1}}};
    ASSERT_EQ(subject.trouble(), "");
    const VolumeSpec spec{.ref = {subject.pool(), "poolwise-abcdefgh-01.raw"},
                          .format = Format::raw,
                          .options = {},
                          .capacity = Bytes{1U << 20U},
                          .backing = {}};
    Lookout lookout{subject.pool_path().string()};

    const auto pause = daemon_.pause();
    const auto begun = Clock::now();
    const ErrorCode code = code_of([&] { subject.storage().create_volume(spec); });
    const auto took = Clock::now() - begun;
    std::this_thread::sleep_for(5s);
    pause.resume();

    EXPECT_EQ(code, ErrorCode::timed_out);
    EXPECT_LT(took, 1500ms);
    EXPECT_TRUE(lookout.saw(IN_CREATE, 15s));
    EXPECT_TRUE(lookout.saw(IN_DELETE, 15s));
    EXPECT_FALSE(std::filesystem::exists(subject.pool_path() / spec.ref.name));
    EXPECT_FALSE(subject.storage().find_volume(spec.ref));
}

TEST_F(HangingLibvirtd, TheProcessCanExitWhileACallHangs) {
    std::array<int, 2> to{};
    std::array<int, 2> from{};
    ASSERT_EQ(pipe2(to.data(), O_CLOEXEC), 0);
    ASSERT_EQ(pipe2(from.data(), O_CLOEXEC), 0);
    const std::string uri = daemon_.uri();
    const pid_t child = fork();
    if (child == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        execl(POOLWISE_EXIT_PROBE, "exit_probe", uri.c_str(), nullptr);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    std::array<char, 6> ready{};
    ASSERT_EQ(read(from[0], ready.data(), ready.size()), 6);

    const auto pause = daemon_.pause();
    const auto begun = Clock::now();
    ASSERT_EQ(write(to[1], "\n", 1), 1);
    int status = -1;
    pid_t ended = 0;
    while (ended == 0 && Clock::now() - begun < 10s) {
        ended = waitpid(child, &status, WNOHANG);
        std::this_thread::sleep_for(10ms);
    }
    const auto took = Clock::now() - begun;
    pause.resume();
    if (ended == 0) {
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
    }
    close(to[1]);
    close(from[0]);

    EXPECT_EQ(ended, child);
    EXPECT_EQ(status, 0);
    EXPECT_LT(took, 2s) << "1 s of deadline, 1 s to exit";
}

TEST_F(HangingLibvirtd, ALibvirtdThatCameBackIsConnectedToAgain) {
    libvirt_glue::Caller caller{daemon_.uri()};
    libvirt_glue::LibvirtStorage storage{caller, caller};
    EXPECT_NO_THROW(storage.pools());

    daemon_.end();
    const ErrorCode away = code_of([&] { storage.pools(); });
    daemon_.start();

    EXPECT_THAT(away, testing::AnyOf(ErrorCode::unavailable, ErrorCode::hypervisor_failed));
    EXPECT_NO_THROW(storage.pools());
}

TEST_F(HangingLibvirtd, HangingCallsOnOneLibvirtdLeaveOtherCallersAlone) {
    libvirt_glue::Caller stuck{daemon_.uri()};
    libvirt_glue::Caller other{"test:///default"};
    const auto version = [](virConnectPtr libvirt) {
        unsigned long number = 0;
        virConnectGetLibVersion(libvirt, &number);
        return number;
    };
    ASSERT_GT(stuck.call("ask", Seconds{10}, version), 0U);

    const auto pause = daemon_.pause();
    std::array<std::thread, 5> threads;
    for (auto& thread : threads) {
        thread = std::thread{[&] {
            EXPECT_EQ(code_of([&] { stuck.call("ask", Seconds{2}, version); }),
                      ErrorCode::timed_out);
        }};
    }
    const auto begun = Clock::now();
    EXPECT_GT(other.call("ask", Seconds{10}, version), 0U);
    EXPECT_LT(Clock::now() - begun, 1s);
    for (auto& thread : threads) thread.join();
    pause.resume();

    EXPECT_GT(stuck.call("ask", Seconds{10}, version), 0U);
}

}  // namespace
}  // namespace poolwise::test
