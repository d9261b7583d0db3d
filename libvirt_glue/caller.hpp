// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "module/core/units.hpp"

// libvirt's own handle type, named here so that users of this header need no libvirt headers.
using virConnectPtr = struct _virConnect*;

namespace poolwise::libvirt_glue {

/// Makes libvirt calls that can never hold the caller: each runs on a detached thread of its own,
/// and is waited for until a deadline.
///
/// A connection serves one call at a time: in libvirt 9.0 a call that comes while another thread
/// waits for its answer may be left unsent until something else wakes that thread (its wake-up is
/// lost between virNetClientIOEventLoop's unlock and its g_main_loop_run; seen to take 25 s).
/// Connections are opened when a call finds none idle, kept, opened again after they broke, and
/// have keepalive on. At most `at_once` calls run at once; more wait for their turn, which counts
/// against their deadline. Safe from several threads. The destructor never waits: threads that
/// still hang own what they use.
class Caller {
public:
    using Work = std::function<void(virConnectPtr)>;

    /// Does not connect yet.
    /// @param uri         of a libvirt on this node, such as "qemu:///system".
    /// @param on_connect  runs on every new connection before the first work on it, e.g. to
    ///                    register for events; what it throws fails the call that needed the
    ///                    connection.
    /// @param at_once     calls, and so connections, at the same time.
    /// @throws Error{invalid_request} the URI names another host, or is not a URI.
    explicit Caller(std::string uri, Work on_connect = {}, unsigned at_once = 4);
    ~Caller();
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;

    [[nodiscard]] const std::string& uri() const noexcept;

    /// Runs `work(connection)` and returns what it returns, or throws what it throws.
    ///
    /// `work` and `undo_late` must own what they touch (capture by value): they may outlive this
    /// object and the caller's stack.
    /// @param doing      the operation for messages: "create volume 'x' in pool 'y'".
    /// @param undo_late  `undo_late(connection, result)`, or `undo_late(connection)` where work
    ///                   returns nothing; runs if work succeeds after the deadline. What it throws
    ///                   is dropped: nobody waits any more.
    /// @throws Error{timed_out} past the deadline. Where work had begun, the message says that its
    ///         outcome is unknown, and its thread and its connection are given up. {unavailable}
    ///         libvirt could not be reached.
    template <typename Task, typename Undo>
    auto call(const std::string& doing, Seconds deadline, Task work, Undo undo_late)
        -> std::invoke_result_t<Task&, virConnectPtr> {
        using Result = std::invoke_result_t<Task&, virConnectPtr>;
        if constexpr (std::is_void_v<Result>) {
            run(doing, deadline, std::move(work), std::move(undo_late));
        } else {
            const auto result = std::make_shared<std::optional<Result>>();
            const auto task = std::make_shared<Task>(std::move(work));
            run(
                doing, deadline,
                [result, task](virConnectPtr connection) { result->emplace((*task)(connection)); },
                [result, undo_late](virConnectPtr connection) mutable {
                    undo_late(connection, **result);
                });
            return std::move(**result);
        }
    }

    /// As above, for work that leaves nothing behind that would have to be undone.
    template <typename Task>
    auto call(const std::string& doing, Seconds deadline, Task work)
        -> std::invoke_result_t<Task&, virConnectPtr> {
        return call(doing, deadline, std::move(work),
                    [](virConnectPtr /*connection*/, auto&&... /*result*/) {});
    }

private:
    struct Shared;

    void run(const std::string& doing, Seconds deadline, Work work, Work undo_late);

    std::shared_ptr<Shared> shared_;
};

/// @throws Error{invalid_request} if `uri` is not one of a libvirt on this node.
void check_local_uri(const std::string& uri);

}  // namespace poolwise::libvirt_glue
