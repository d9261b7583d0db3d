// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/host_engine.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <unistd.h>

#include "guest_runner/socket_channel.hpp"
#include "module/core/error.hpp"

namespace poolwise::guest_runner {
namespace {

constexpr int kChildFd = 3;
constexpr int kExitPatienceMs = 2000;

/// The socket to a child process, and the child.
class ChildChannel : public ByteChannel {
public:
    ChildChannel(int socket, pid_t child) : socket_{socket}, child_{child} {}
    ~ChildChannel() override {
        close();
        reap();
    }

    std::size_t read(std::span<char> buffer, std::chrono::milliseconds timeout) override {
        return socket_.read(buffer, timeout);
    }
    void write(std::span<const char> data, std::chrono::milliseconds timeout) override {
        socket_.write(data, timeout);
    }
    void close() noexcept override { socket_.close(); }

private:
    void reap() noexcept {
        // By number: <sys/pidfd.h> of glibc 2.36 declares it without extern "C".
        const int handle = static_cast<int>(::syscall(SYS_pidfd_open, child_, 0));
        pollfd entry{handle, POLLIN, 0};
        if (handle < 0 || ::poll(&entry, 1, kExitPatienceMs) == 0) ::kill(child_, SIGKILL);
        if (handle >= 0) ::close(handle);
        while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }

    SocketChannel socket_;
    pid_t child_;
};

[[nodiscard]] Error unavailable(const std::string& program, int error) {
    return {ErrorCode::unavailable, "start engine '" + program + "': " + std::strerror(error) +
                                        "; install poolwise completely or name its engine"};
}

/// posix_spawn's lists, released.
struct SpawnSettings {
    SpawnSettings() {
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawnattr_init(&attributes);
    }
    ~SpawnSettings() {
        ::posix_spawnattr_destroy(&attributes);
        ::posix_spawn_file_actions_destroy(&actions);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;

    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};
};

}  // namespace

std::unique_ptr<ByteChannel> start_host_engine(const std::string& engine_program,
                                               const std::string& fio_path) {
    std::array<int, 2> sockets{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) {
        throw unavailable(engine_program, errno);
    }

    std::vector<std::string> words{engine_program, "--child", std::to_string(kChildFd)};
    if (!fio_path.empty()) words.insert(words.end(), {"--fio", fio_path});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);

    SpawnSettings settings;
    // A socket that already has the child's number would keep its close-on-exec flag: dup2 onto
    // itself is made to clear it by posix_spawn (POSIX.1-2017 says so, glibc does).
    ::posix_spawn_file_actions_adddup2(&settings.actions, sockets[1], kChildFd);
    ::posix_spawn_file_actions_addopen(&settings.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addclosefrom_np(&settings.actions, kChildFd + 1);
    sigset_t none;
    sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&settings.attributes, &none);
    // A group of its own: Ctrl-C on the terminal is for this process, which then ends the engine.
    ::posix_spawnattr_setpgroup(&settings.attributes, 0);
    ::posix_spawnattr_setflags(&settings.attributes,
                               POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);

    pid_t child = 0;
    const int error = ::posix_spawn(&child, engine_program.c_str(), &settings.actions,
                                    &settings.attributes, arguments.data(), environ);
    ::close(sockets[1]);
    if (error != 0) {
        ::close(sockets[0]);
        throw unavailable(engine_program, error);
    }
    return std::make_unique<ChildChannel>(sockets[0], child);
}

}  // namespace poolwise::guest_runner
