// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/engine/processes.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <map>

#include <sys/prctl.h>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "guest_runner/engine/system_readings.hpp"
#include "module/core/error.hpp"

namespace poolwise::guest_runner {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& words) {
    std::vector<char*> list;
    // exec takes char* for historical reasons and does not write.
    for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
    list.push_back(nullptr);
    return list;
}

/// Between fork and exec: only async-signal-safe calls.
[[noreturn]] void become(const Command& command, char* const* arguments, char* const* environment,
                         int output, int failure) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGPIPE, SIG_DFL);
    const int null = ::open("/dev/null", O_RDONLY);
    ::dup2(null, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    if (::chdir(command.folder.c_str()) == 0) ::execvpe(arguments[0], arguments, environment);
    const int error = errno;
    static_cast<void>(!::write(failure, &error, sizeof error));
    ::_exit(127);
}

/// Pids of all processes below `root`.
std::vector<pid_t> descendants(pid_t root) {
    std::multimap<pid_t, pid_t> children;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator{"/proc", ignored}) {
        const std::string name = entry.path().filename();
        pid_t pid = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), pid).ec != std::errc{})
            continue;
        // "pid (name) state ppid ...", where the name may hold anything.
        const std::string stat = read_text(entry.path() / "stat", 1024);
        const auto name_end = stat.rfind(") ");
        if (name_end == std::string::npos || stat.size() < name_end + 5) continue;
        pid_t parent = 0;
        std::from_chars(stat.data() + name_end + 4, stat.data() + stat.size(), parent);
        children.emplace(parent, pid);
    }
    std::vector<pid_t> found{root};
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto [first, last] = children.equal_range(found[i]);
        std::for_each(first, last, [&](const auto& child) { found.push_back(child.second); });
    }
    found.erase(found.begin());
    return found;
}

}  // namespace

Child start_child(const Command& command) {
    const auto arguments = pointers(command.arguments);
    const auto environment = pointers(command.environment);
    std::array<int, 2> output{};
    std::array<int, 2> failure{};
    const auto cannot = [&](int error) {
        return Error{error == ENOENT ? ErrorCode::not_found : ErrorCode::unavailable,
                     "start '" + command.arguments.front() + "': " + std::strerror(error)};
    };
    if (::pipe2(output.data(), O_CLOEXEC) != 0) throw cannot(errno);
    if (::pipe2(failure.data(), O_CLOEXEC) != 0) {
        const int error = errno;
        ::close(output[0]);
        ::close(output[1]);
        throw cannot(error);
    }

    const pid_t pid = ::fork();
    if (pid == 0) become(command, arguments.data(), environment.data(), output[1], failure[1]);
    int error = pid < 0 ? errno : 0;
    ::close(output[1]);
    ::close(failure[1]);
    // Ends at once when exec closes the pipe.
    if (pid > 0) static_cast<void>(!::read(failure[0], &error, sizeof error));
    ::close(failure[0]);
    if (error != 0) {
        ::close(output[0]);
        throw cannot(error);  // the child, if any, is reaped with the others
    }
    ::fcntl(output[0], F_SETFL, O_NONBLOCK);
    return {pid, output[0]};
}

void kill_descendants() {
    for (const pid_t pid : descendants(::getpid())) ::kill(pid, SIGKILL);
}

Bytes descendants_io() {
    Bytes total;
    for (const pid_t pid : descendants(::getpid())) {
        const std::string io = read_text("/proc/" + std::to_string(pid) + "/io", 1024);
        total += Bytes{parse_field(io, "read_bytes").value_or(0) +
                       parse_field(io, "write_bytes").value_or(0)};
    }
    return total;
}

}  // namespace poolwise::guest_runner
