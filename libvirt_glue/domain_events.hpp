// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "libvirt_glue/caller.hpp"
#include "module/ports/guest_host.hpp"

namespace poolwise::libvirt_glue {

/// What libvirt reports of domains by itself: ends, I/O errors, devices let go.
///
/// Has a connection of its own, which registers anew whenever it is opened anew; events that were
/// missed meanwhile are made up for by asking for the domain's state. Callbacks run on libvirt's
/// event loop thread; all functions are safe from several threads.
class DomainEvents {
public:
    explicit DomainEvents(const std::string& uri);
    ~DomainEvents();
    DomainEvents(const DomainEvents&) = delete;
    DomainEvents& operator=(const DomainEvents&) = delete;

    /// Starts remembering what happens to the domain `uuid`; what was known of the name goes.
    void watch(const std::string& name, const std::string& uuid);
    void forget(const std::string& name);

    /// Trouble seen since watch(). Asks libvirt at most once a second.
    /// @return nullopt also while libvirt cannot be asked: the guest may well be alive.
    std::optional<GuestTrouble> trouble(const std::string& name);

    enum class Removal { pending, removed, refused };

    /// Waits for the news that a domain's device is gone, from construction on.
    class RemovalWatch {
    public:
        /// @throws as Caller::call(), if events cannot be had.
        RemovalWatch(DomainEvents& events, const std::string& name, const std::string& alias);
        ~RemovalWatch();
        RemovalWatch(const RemovalWatch&) = delete;
        RemovalWatch& operator=(const RemovalWatch&) = delete;

        Removal wait_until(std::chrono::steady_clock::time_point limit);

    private:
        DomainEvents& events_;
        std::string name_;
        std::string alias_;
    };

private:
    struct State;
    struct Callbacks;

    std::shared_ptr<State> state_;  ///< shared with libvirt's callbacks, which may outlive us
    Caller caller_;
};

}  // namespace poolwise::libvirt_glue
