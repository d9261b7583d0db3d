// SPDX-License-Identifier: Apache-2.0
#include "module/host/program_version.hpp"

#include <array>
#include <cerrno>
#include <chrono>

#include <sys/wait.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

namespace poolwise {
namespace {

constexpr std::chrono::seconds kLimit{10};

pid_t spawn(std::string program, int output) {
    std::string argument = "--version";
    const std::array<char*, 3> arguments{program.data(), argument.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    pid_t child = -1;
    const int failure =
        posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return failure == 0 ? child : -1;
}

/// What comes before the stream ends or the limit passes.
std::string read_all(int stream) {
    const auto deadline = std::chrono::steady_clock::now() + kLimit;
    std::string text;
    std::array<char, 512> buffer;
    while (true) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        pollfd ready{stream, POLLIN, 0};
        if (left.count() <= 0) return text;
        if (poll(&ready, 1, static_cast<int>(left.count())) <= 0) continue;
        const ssize_t size = read(stream, buffer.data(), buffer.size());
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) return text;
        text.append(buffer.data(), static_cast<std::size_t>(size));
    }
}

}  // namespace

std::string program_version(const std::string& program) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return "";
    const pid_t child = spawn(program, ends[1]);
    close(ends[1]);
    const std::string text = child < 0 ? "" : read_all(ends[0]);
    close(ends[0]);
    if (child < 0) return "";
    kill(child, SIGKILL);  // it has ended its output or overrun its time; a zombie does not mind
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return text.substr(0, text.find('\n'));
}

}  // namespace poolwise
