// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/caller.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <sstream>
#include <system_error>
#include <thread>

#include "libvirt_glue/event_loop.hpp"
#include "libvirt_glue/handle.hpp"

namespace poolwise::libvirt_glue {

namespace {

using TimePoint = std::chrono::steady_clock::time_point;
using SharedConnection = std::shared_ptr<virConnect>;

// libvirtd refuses to read a sixth request of a client while five are unanswered
// (max_client_requests): one stays free for keepalive's sake.
constexpr unsigned kSlots = 4;

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

/// A connection and the calls on it; given up as a whole when one of them hangs.
struct Line {
    std::mutex opening;  ///< guards connection; held while libvirt connects
    SharedConnection connection;
    unsigned busy = 0;  ///< guarded by Shared::mutex
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
    Shared(std::string uri_, Work on_connect_)
        : uri{std::move(uri_)}, on_connect{std::move(on_connect_)} {}

    std::shared_ptr<Line> take_slot(const std::string& doing, Seconds limit, TimePoint deadline);
    void leave_slot(Line& used);
    void give_up(const std::shared_ptr<Line>& hanging);
    SharedConnection connection_of(Line& used) const;

    const std::string uri;
    const Work on_connect;
    std::mutex mutex;  ///< never held while libvirt is called
    std::condition_variable slot_free;
    std::shared_ptr<Line> line = std::make_shared<Line>();  ///< guarded by mutex
};

std::shared_ptr<Line> Caller::Shared::take_slot(const std::string& doing, Seconds limit,
                                                TimePoint deadline) {
    std::unique_lock lock{mutex};
    if (!slot_free.wait_until(lock, deadline, [this] { return line->busy < kSlots; })) {
        throw Error{ErrorCode::timed_out, doing + ": not begun within " + in_seconds(limit) +
                                              ", because libvirt answers none of " +
                                              std::to_string(kSlots) + " earlier calls"};
    }
    ++line->busy;
    return line;
}

void Caller::Shared::leave_slot(Line& used) {
    const std::lock_guard lock{mutex};
    --used.busy;
    slot_free.notify_one();
}

void Caller::Shared::give_up(const std::shared_ptr<Line>& hanging) {
    const std::lock_guard lock{mutex};
    if (line == hanging) line = std::make_shared<Line>();
    slot_free.notify_all();
}

SharedConnection Caller::Shared::connection_of(Line& used) const {
    const std::lock_guard lock{used.opening};
    if (!used.connection || virConnectIsAlive(used.connection.get()) != 1) {
        used.connection.reset();
        SharedConnection fresh = open_connection(uri);
        if (on_connect) on_connect(fresh.get());
        used.connection = std::move(fresh);
    }
    return used.connection;
}

Caller::Caller(std::string uri, Work on_connect) {
    check_local_uri(uri);
    shared_ = std::make_shared<Shared>(std::move(uri), std::move(on_connect));
}

Caller::~Caller() = default;

const std::string& Caller::uri() const noexcept {
    return shared_->uri;
}

void Caller::run(const std::string& doing, Seconds deadline, Work work, Work undo_late) {
    const TimePoint end = std::chrono::steady_clock::now() +
                          std::chrono::duration_cast<std::chrono::steady_clock::duration>(deadline);
    const auto line = shared_->take_slot(doing, deadline, end);
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
        shared->leave_slot(*line);
        const bool succeeded = failure == nullptr;
        const bool awaited = attempt->finish(std::move(failure));
        if (succeeded && !awaited) undo_quietly(undo_late, connection.get());
    };

    try {
        std::thread{std::move(body)}.detach();
    } catch (const std::system_error& error) {
        shared_->leave_slot(*line);
        throw Error{ErrorCode::unavailable, doing + ": no thread for it: " + error.what()};
    }
    if (!attempt->wait(end)) {
        shared_->give_up(line);
        throw Error{ErrorCode::timed_out, doing + ": libvirt did not answer within " +
                                              in_seconds(deadline) + ", the outcome is unknown"};
    }
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
