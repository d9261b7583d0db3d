// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/run_program.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <sys/wait.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

#include "module/core/error.hpp"

namespace poolwise::guest_runner {
namespace {

constexpr std::string_view kDefaultPath = "/usr/local/bin:/usr/bin:/bin";
constexpr std::string_view kAdministrationPath = ":/usr/local/sbin:/usr/sbin:/sbin";

std::string search_path() {
    const char* path = getenv("PATH");
    return std::string{path != nullptr ? std::string_view{path} : kDefaultPath} +
           std::string{kAdministrationPath};
}

Error start_error(const ProgramRun& run, int number) {
    return Error{ErrorCode::unavailable, "start '" + run.program.string() +
                                             "': " + std::generic_category().message(number)};
}

struct Pipe {
    explicit Pipe(const ProgramRun& run) {
        if (pipe2(ends.data(), O_CLOEXEC) != 0) throw start_error(run, errno);
    }
    ~Pipe() {
        close_writer();
        close(ends[0]);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    void close_writer() {
        if (ends[1] >= 0) close(ends[1]);
        ends[1] = -1;
    }

    std::array<int, 2> ends{-1, -1};
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

pid_t spawn(const ProgramRun& run, const Pipe& output, const Pipe& messages) {
    std::vector<std::string> arguments{run.program.string()};
    arguments.insert(arguments.end(), run.arguments.begin(), run.arguments.end());
    std::vector<std::string> environment{"PATH=" + search_path(), "LC_ALL=C"};
    environment.insert(environment.end(), run.environment.begin(), run.environment.end());

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output.ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, messages.ends[1], STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // This process may block or ignore signals; the program must not inherit that. Its own group,
    // so that a Ctrl-C at our terminal does not leave half an image behind a live parent.
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);

    pid_t child = -1;
    const int failure = posix_spawn(&child, run.program.c_str(), &actions, &attributes,
                                    pointers(arguments).data(), pointers(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) throw start_error(run, failure);
    return child;
}

int reap(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// Returns false when the limit passed before both streams ended.
bool collect(const Pipe& output, const Pipe& messages, std::chrono::seconds limit,
             ProgramResult& result) {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    std::array<pollfd, 2> streams{{{output.ends[0], POLLIN, 0}, {messages.ends[0], POLLIN, 0}}};
    const std::array<std::string*, 2> texts{&result.output, &result.messages};
    std::array<char, 65536> buffer;
    while (streams[0].fd >= 0 || streams[1].fd >= 0) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0) return false;
        if (poll(streams.data(), streams.size(), static_cast<int>(left.count())) <= 0) continue;
        for (std::size_t i = 0; i < streams.size(); ++i) {
            if (streams[i].fd < 0 || streams[i].revents == 0) continue;
            const ssize_t size = read(streams[i].fd, buffer.data(), buffer.size());
            if (size < 0 && errno == EINTR) continue;
            if (size <= 0) {
                streams[i].fd = -1;
            } else {
                texts[i]->append(buffer.data(), static_cast<std::size_t>(size));
            }
        }
    }
    return true;
}

}  // namespace

std::optional<std::filesystem::path> find_program(std::string_view name) {
    if (name.find('/') != std::string_view::npos) {
        if (access(std::string{name}.c_str(), X_OK) != 0) return std::nullopt;
        return std::filesystem::path{name};
    }
    const std::string path = search_path();
    std::size_t start = 0;
    while (start <= path.size()) {
        const std::size_t end = std::min(path.find(':', start), path.size());
        const std::filesystem::path folder = path.substr(start, end - start);
        const std::filesystem::path candidate = folder / name;
        if (folder.is_absolute() && access(candidate.c_str(), X_OK) == 0) return candidate;
        start = end + 1;
    }
    return std::nullopt;
}

ProgramResult run_program(const ProgramRun& run) {
    ProgramResult result;
    Pipe output{run};
    Pipe messages{run};
    const pid_t child = spawn(run, output, messages);
    output.close_writer();
    messages.close_writer();
    if (!collect(output, messages, run.limit, result)) {
        kill(-child, SIGKILL);
        reap(child);
        throw Error{ErrorCode::timed_out, "run '" + run.program.string() + "': not finished in " +
                                              std::to_string(run.limit.count()) +
                                              " s, so it was killed"};
    }
    result.status = reap(child);
    return result;
}

std::string output_of(const ProgramRun& run) {
    ProgramResult result = run_program(run);
    if (result.status != 0) {
        const std::string messages =
            result.messages.substr(0, result.messages.find_last_not_of('\n') + 1);
        throw Error{ErrorCode::unavailable, "run '" + run.program.string() + "': exit status " +
                                                std::to_string(result.status) +
                                                (messages.empty() ? "" : ": " + messages)};
    }
    return std::move(result.output);
}

}  // namespace poolwise::guest_runner
