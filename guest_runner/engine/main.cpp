// SPDX-License-Identifier: Apache-2.0
// The benchmark engine. As PID 1 it sets up its guest and serves the virtio port; with --child FD
// it serves a socket that its parent gave it. guest_runner/PROTOCOL.md says what is spoken.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "guest_runner/engine/engine_loop.hpp"
#include "guest_runner/engine/fio_version.hpp"
#include "guest_runner/engine/guest_init.hpp"
#include "module/core/error.hpp"
#include "module/core/names.hpp"

namespace poolwise::guest_runner {
namespace {

constexpr const char* kUsage =
    "usage: poolwise_engine --child FD [--fio PATH]\n"
    "The benchmark engine of poolwise: started by it, not by hand.\n";

void serve_guest() {
    prepare_guest();
    const int port = open_port(kEngineChannel);
    Placement placement{Place::guest, {"fio"}, "/run"};
    std::string problem;
    try {
        placement.fio = mount_tools(kToolsSerial);
    } catch (const Error& error) {  // told in the hello: a guest that just ends explains nothing
        problem = error.what();
    }
    HelloReply hello = make_hello(placement);
    if (!problem.empty()) hello.fio_problem = problem;
    EngineLoop{port, placement, std::move(hello)}.run();
}

void serve_parent(int socket, const std::string& fio) {
    ::fcntl(socket, F_SETFL, O_NONBLOCK);
    ::fcntl(socket, F_SETFD, FD_CLOEXEC);
    // Files that fio writes while it measures must not land on the disk under test.
    const char* scratch = ::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    const Placement placement{Place::host, {fio}, scratch};
    EngineLoop{socket, placement, make_hello(placement)}.run();
}

struct Arguments {
    int child = -1;
    std::string fio = "fio";
};

std::optional<Arguments> read_arguments(int count, char** words) {
    Arguments arguments;
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string name = words[i];
        const std::string value = words[i + 1];
        if (name == "--fio") {
            arguments.fio = value;
        } else if (name != "--child" ||
                   std::from_chars(value.data(), value.data() + value.size(), arguments.child)
                           .ptr != value.data() + value.size()) {
            return std::nullopt;
        }
    }
    if (count % 2 == 0 || arguments.child < 0) return std::nullopt;
    return arguments;
}

int as_init() {
    try {
        serve_guest();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "poolwise_engine: %s\n", error.what());
    }
    power_off();
}

int as_child(int count, char** words) {
    const auto arguments = read_arguments(count, words);
    if (!arguments) {
        std::fputs(kUsage, stderr);
        return 2;
    }
    try {
        serve_parent(arguments->child, arguments->fio);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "poolwise_engine: %s\n", error.what());
        return 1;
    }
}

}  // namespace
}  // namespace poolwise::guest_runner

int main(int count, char** words) {
    // The kernel hands PID 1 whatever words of its command line it does not know.
    const bool child = count > 1 && std::string_view{words[1]} == "--child";
    if (::getpid() == 1 && !child) return poolwise::guest_runner::as_init();
    return poolwise::guest_runner::as_child(count, words);
}
