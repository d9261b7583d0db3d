// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/engine/fio_version.hpp"

#include <array>
#include <chrono>

#include <sys/utsname.h>
#include <sys/wait.h>

#include <poll.h>
#include <unistd.h>

#include "guest_runner/engine/processes.hpp"
#include "guest_runner/engine/system_readings.hpp"
#include "module/core/error.hpp"

namespace poolwise::guest_runner {
namespace {

constexpr int kVersionLimitMs = 30000;
constexpr std::size_t kMaxAnswer = 1024;

/// What the child writes until it closes its output, or until its time is up.
std::string read_answer(int output) {
    std::string answer;
    std::array<char, 256> buffer{};
    pollfd entry{output, POLLIN, 0};
    while (answer.size() < kMaxAnswer && ::poll(&entry, 1, kVersionLimitMs) > 0) {
        const ssize_t got = ::read(output, buffer.data(), buffer.size());
        if (got <= 0) break;
        answer.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return trimmed(answer);
}

void ask_fio(const Placement& placement, HelloReply& hello) try {
    Command command{placement.fio, {"LC_ALL=C"}, "/"};
    command.arguments.emplace_back("--version");
    const Child child = start_child(command);
    const std::string answer = read_answer(child.output);
    ::close(child.output);
    ::kill(child.pid, SIGKILL);  // a no-op unless it hangs: it has closed its output
    ::waitpid(child.pid, nullptr, 0);
    if (answer.starts_with("fio-")) {
        hello.fio_version = answer.substr(0, answer.find_first_of(" \n"));
    } else {
        hello.fio_problem = "'fio --version' answered '" + answer.substr(0, 256) + "'";
    }
} catch (const Error& error) {
    hello.fio_problem = error.code() == ErrorCode::not_found
                            ? "fio is not installed: apt install fio"
                            : error.what();
}

}  // namespace

HelloReply make_hello(const Placement& placement) {
    HelloReply hello;
    hello.engine_version = POOLWISE_VERSION;
    ask_fio(placement, hello);
    utsname system{};
    ::uname(&system);
    hello.kernel = system.release;
    hello.clocksource =
        trimmed(read_text("/sys/devices/system/clocksource/clocksource0/current_clocksource", 64));
    hello.cpus = static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
    const auto available = parse_field(read_text("/proc/meminfo"), "MemAvailable");
    hello.memory_available = Bytes{available.value_or(0) * 1024};
    return hello;
}

}  // namespace poolwise::guest_runner
