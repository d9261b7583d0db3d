// SPDX-License-Identifier: Apache-2.0
#include "tests/system/libvirt_glue/private_libvirtd.hpp"

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>
#include <utility>

#include <sys/wait.h>

#include <unistd.h>

#include "libvirt_glue/caller.hpp"
#include "module/core/error.hpp"

namespace poolwise::test {

namespace {

using namespace std::chrono_literals;

// $0 is the folder.
constexpr const char* kScript = R"(set -e
for place in /run/libvirt /var/lib/libvirt /var/cache/libvirt /etc/libvirt/qemu /etc/libvirt/storage
do
    mkdir -p "$place"
    mount -t tmpfs -o mode=755 none "$place"
done
exec libvirtd --config "$0/libvirtd.conf" --pid-file "$0/pid" >"$0/log" 2>&1)";

bool answers(const std::string& uri) {
    try {
        libvirt_glue::Caller{uri}.call("knock", Seconds{2}, [](virConnectPtr) {});
        return true;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

PrivateLibvirtd::PrivateLibvirtd(std::filesystem::path folder) : folder_{std::move(folder)} {
    std::ofstream{folder_ / "libvirtd.conf"} << "unix_sock_dir = \"" << folder_.string()
                                             << "\"\nauth_unix_rw = \"none\"\n";
    start();
}

PrivateLibvirtd::~PrivateLibvirtd() {
    end();
}

std::string PrivateLibvirtd::uri() const {
    return "qemu:///system?socket=" + (folder_ / "libvirt-sock").string();
}

void PrivateLibvirtd::start() {
    if (geteuid() != 0) {
        trouble_ = "a libvirtd of our own needs root";
        return;
    }
    const std::string folder = folder_.string();
    pid_ = fork();
    if (pid_ == 0) {
        execlp("unshare", "unshare", "--mount", "sh", "-c", kScript, folder.c_str(), nullptr);
        _exit(127);
    }
    for (int tries = 0; tries < 100; ++tries) {
        if (answers(uri())) return;
        std::this_thread::sleep_for(100ms);
    }
    end();
    trouble_ = "a libvirtd of our own does not start here";
}

PrivateLibvirtd::Pause::Pause(pid_t pid) : pid_{pid} {
    kill(pid_, SIGSTOP);
}

void PrivateLibvirtd::Pause::resume() const {
    kill(pid_, SIGCONT);
}

void PrivateLibvirtd::end() {
    if (pid_ < 0) return;
    kill(pid_, SIGTERM);
    kill(pid_, SIGCONT);
    for (int tries = 0; tries < 100; ++tries) {
        if (waitpid(pid_, nullptr, WNOHANG) != 0) {
            pid_ = -1;
            return;
        }
        std::this_thread::sleep_for(100ms);
    }
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
}

}  // namespace poolwise::test
