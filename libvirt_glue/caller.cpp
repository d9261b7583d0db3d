// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/caller.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <sstream>
#include <system_error>
#include <thread>
#include <vector>

#include "libvirt_glue/event_loop.hpp"
#include "libvirt_glue/handle.hpp"

namespace poolwise::libvirt_glue {

namespace {

using TimePoint = std::chrono::steady_clock::time_point;
using SharedConnection = std::shared_ptr<virConnect>;

// A connection silent for 30 s is closed by libvirt itself.
constexpr int kKeepaliveSeconds = 5;
constexpr unsigned kKeepaliveCount = 5;

// Closing says goodbye to the daemon, which may hang like any other call.
void close_aside(virConnectPtr connection) noexcept {
    try {
        std::thread{[connection] { static_cast<void>(virConnectClose(connection)); }}.detach();
    } catch (const std::system_error&) {
        // No thread to be had: the connection leaks, which is better than hanging here.
    }
}

SharedConnection open_connection(const std::string& uri) {
    ensure_event_loop();
    virConnectPtr raw = virConnectOpen(uri.c_str());
    if (raw == nullptr) {
        throw Error{ErrorCode::unavailable, last_error("connect to libvirt '" + uri + "'").what() +
                                                std::string{": is its daemon running?"}};
    }
    SharedConnection connection{raw, close_aside};
    // Drivers inside this process (test:///) have no keepalive, and need none.
    static_cast<void>(virConnectSetKeepAlive(raw, kKeepaliveSeconds, kKeepaliveCount));
    return connection;
}

/// A place for a connection. Belongs to one call at a time, or to one that hangs for ever.
struct Line {
    SharedConnection connection;  ///< null until the first call connects
};

/// One call, seen from both of its threads.
class Attempt {
public:
    /// Called by the working thread. @return false if nobody waits any more.
    bool finish(std::exception_ptr failure) {
        const std::lock_guard lock{mutex_};
        if (state_ == State::given_up) return false;
        state_ = State::finished;
        failure_ = std::move(failure);
        changed_.notify_all();
        return true;
    }

    /// Called by the waiting thread. @return false if the deadline passed; undo is then due.
    bool wait(TimePoint deadline) {
        std::unique_lock lock{mutex_};
        if (changed_.wait_until(lock, deadline, [this] { return state_ == State::finished; })) {
            return true;
        }
        state_ = State::given_up;
        return false;
    }

    void rethrow_failure() {
        const std::lock_guard lock{mutex_};
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    }

private:
    enum class State { running, finished, given_up };

    std::mutex mutex_;
    std::condition_variable changed_;
    State state_ = State::running;
    std::exception_ptr failure_;
};

void undo_quietly(const Caller::Work& undo_late, virConnectPtr connection) {
    try {
        undo_late(connection);
    } catch (const std::exception&) {
        // Nobody waits for this thread; recovery finds by the journal what is left.
    }
}

std::string in_seconds(Seconds seconds) {
    std::ostringstream text;
    text << seconds.count() << " s";
    return text.str();
}

}  // namespace

struct Caller::Shared {
    Shared(std::string uri_, Work on_connect_, unsigned at_once_)
        : uri{std::move(uri_)}, on_connect{std::move(on_connect_)}, at_once{at_once_} {}

    std::shared_ptr<Line> take_line(const std::string& doing, Seconds limit, TimePoint deadline);
    void return_line(std::shared_ptr<Line> line);
    void give_up_line();
    SharedConnection connection_of(Line& line) const;

    const std::string uri;
    const Work on_connect;
    const unsigned at_once;
    std::mutex mutex;  ///< guards all below; never held while libvirt is called
    std::condition_variable line_free;
    std::vector<std::shared_ptr<Line>> idle;  ///< the last one was used last
    unsigned busy = 0;
};

std::shared_ptr<Line> Caller::Shared::take_line(const std::string& doing, Seconds limit,
                                                TimePoint deadline) {
    std::unique_lock lock{mutex};
    if (!line_free.wait_until(lock, deadline, [this] { return busy < at_once; })) {
        throw Error{ErrorCode::timed_out, doing + ": not begun within " + in_seconds(limit) +
                                              ", because libvirt answers none of " +
                                              std::to_string(at_once) + " earlier calls"};
    }
    ++busy;
    if (idle.empty()) return std::make_shared<Line>();
    auto line = std::move(idle.back());
    idle.pop_back();
    return line;
}

void Caller::Shared::return_line(std::shared_ptr<Line> line) {
    const std::lock_guard lock{mutex};
    --busy;
    idle.push_back(std::move(line));
    line_free.notify_one();
}

void Caller::Shared::give_up_line() {
    const std::lock_guard lock{mutex};
    --busy;
    line_free.notify_one();
}

SharedConnection Caller::Shared::connection_of(Line& line) const {
    if (!line.connection || virConnectIsAlive(line.connection.get()) != 1) {
        line.connection.reset();
        SharedConnection fresh = open_connection(uri);
        if (on_connect) on_connect(fresh.get());
        line.connection = std::move(fresh);
    }
    return line.connection;
}

Caller::Caller(std::string uri, Work on_connect, unsigned at_once) {
    check_local_uri(uri);
    shared_ = std::make_shared<Shared>(std::move(uri), std::move(on_connect), at_once);
}

Caller::~Caller() = default;

const std::string& Caller::uri() const noexcept {
    return shared_->uri;
}

void Caller::run(const std::string& doing, Seconds deadline, Work work, Work undo_late) {
    const TimePoint end = std::chrono::steady_clock::now() +
                          std::chrono::duration_cast<std::chrono::steady_clock::duration>(deadline);
    auto line = shared_->take_line(doing, deadline, end);
    const auto attempt = std::make_shared<Attempt>();
    auto body = [shared = shared_, line, attempt, work = std::move(work),
                 undo_late = std::move(undo_late)] {
        SharedConnection connection;
        std::exception_ptr failure;
        try {
            connection = shared->connection_of(*line);
            work(connection.get());
        } catch (...) {
            failure = std::current_exception();  // rethrown on the waiting thread
        }
        const bool succeeded = failure == nullptr;
        const bool awaited = attempt->finish(std::move(failure));
        if (succeeded && !awaited) undo_quietly(undo_late, connection.get());
    };

    try {
        std::thread{std::move(body)}.detach();
    } catch (const std::system_error& error) {
        shared_->return_line(std::move(line));
        throw Error{ErrorCode::unavailable, doing + ": no thread for it: " + error.what()};
    }
    if (!attempt->wait(end)) {
        shared_->give_up_line();
        throw Error{ErrorCode::timed_out, doing + ": libvirt did not answer within " +
                                              in_seconds(deadline) + ", the outcome is unknown"};
    }
    shared_->return_line(std::move(line));
    attempt->rethrow_failure();
}

void check_local_uri(const std::string& uri) {
    const auto authority = uri.find("://");
    if (authority == std::string::npos) {
        throw Error{ErrorCode::invalid_request,
                    "libvirt URI '" + uri + "' is not one: use one such as 'qemu:///system'"};
    }
    const auto plus = uri.substr(0, authority).find('+');
    const bool other_transport =
        plus != std::string::npos && uri.substr(plus + 1, authority - plus - 1) != "unix";
    const bool has_host = uri.compare(authority + 3, 1, "/") != 0;
    if (other_transport || has_host) {
        throw Error{ErrorCode::invalid_request,
                    "libvirt URI '" + uri +
                        "': poolwise measures the node it runs on; a remote libvirt URI is not "
                        "supported yet"};
    }
}

}  // namespace poolwise::libvirt_glue
