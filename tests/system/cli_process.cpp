// SPDX-License-Identifier: Apache-2.0
#include "tests/system/cli_process.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <sys/wait.h>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include "tests/paths.hpp"

extern char** environ;

namespace poolwise::test {
namespace {

using namespace std::chrono_literals;

std::string read_all(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

std::string virsh(const std::vector<std::string>& words) {
    std::vector<std::string> command{"virsh", "-q", "-c", "qemu:///system"};
    command.insert(command.end(), words.begin(), words.end());
    return run(command).out;
}

}  // namespace

Process::Process(const std::vector<std::string>& command)
    : start_{std::chrono::steady_clock::now()} {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, (folder_.path() / "out").c_str(),
                                     O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, (folder_.path() / "err").c_str(),
                                     O_WRONLY | O_CREAT, 0600);
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const int failure = posix_spawnp(&pid_, words[0], &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) throw std::runtime_error{"cannot run " + command.front()};
}

Process::~Process() {
    if (!ended()) {
        kill(pid_, SIGKILL);
        waitpid(pid_, &wait_status_, 0);
    }
}

bool Process::ended() {
    if (!reaped_ && waitpid(pid_, &wait_status_, WNOHANG) == pid_) reaped_ = true;
    return reaped_;
}

void Process::signal(int number) const {
    kill(pid_, number);
}

bool Process::wait_for_error_text(const std::string& text, std::chrono::seconds limit) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (std::chrono::steady_clock::now() < end) {
        if (read_all(folder_.path() / "err").find(text) != std::string::npos) return true;
        if (ended()) return false;
        std::this_thread::sleep_for(10ms);
    }
    return false;
}

Finished Process::finish(std::chrono::seconds limit) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!ended() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(10ms);
    if (!ended()) {
        kill(pid_, SIGKILL);
        waitpid(pid_, &wait_status_, 0);
        reaped_ = true;
    }
    const int status =
        WIFEXITED(wait_status_) ? WEXITSTATUS(wait_status_) : 128 + WTERMSIG(wait_status_);
    return {.status = status,
            .out = read_all(folder_.path() / "out"),
            .err = read_all(folder_.path() / "err"),
            .took = std::chrono::steady_clock::now() - start_};
}

Finished run(const std::vector<std::string>& command) {
    Process process{command};
    return process.finish(300s);
}

std::string poolwise_program() {
    return kBinaryFolder + "/bin/poolwise";
}

std::string node_inventory() {
    std::string inventory = virsh({"list", "--all", "--name"}) + virsh({"pool-list", "--all"});
    std::istringstream pools{virsh({"pool-list", "--name"})};
    for (std::string pool; std::getline(pools, pool);) {
        while (!pool.empty() && pool.back() == ' ') pool.pop_back();
        if (!pool.empty()) inventory += virsh({"vol-list", pool});
    }
    return inventory;
}

bool libvirt_answers() {
    return run({"virsh", "-q", "-c", "qemu:///system", "version"}).status == 0;
}

}  // namespace poolwise::test
