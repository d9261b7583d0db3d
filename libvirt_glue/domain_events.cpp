// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/domain_events.hpp"

#include <array>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "libvirt_glue/handle.hpp"

namespace poolwise::libvirt_glue {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr Seconds kQueryLimit{5};
constexpr std::chrono::seconds kQueryInterval{1};

/// One domain under watch.
struct Watched {
    std::string uuid;
    std::optional<GuestTrouble> trouble;
    SteadyClock::time_point next_query;
};

std::string uuid_of(virDomainPtr domain) {
    std::array<char, VIR_UUID_STRING_BUFLEN> text{};
    static_cast<void>(virDomainGetUUIDString(domain, text.data()));  // local; cannot fail
    return text.data();
}

GuestTrouble out_of_space() {
    return {.what = "paused: no space left on the host", .out_of_space = true};
}

bool lacks_space(virDomainPtr domain) {
    std::array<virDomainDiskError, 8> errors{};
    const int count = virDomainGetDiskErrors(domain, errors.data(), errors.size(), 0);
    bool found = false;
    for (int i = 0; i < count; ++i) {
        auto& error = errors.at(static_cast<std::size_t>(i));
        found = found || error.error == VIR_DOMAIN_DISK_ERROR_NO_SPACE;
        std::free(error.disk);
    }
    return found;
}

std::optional<GuestTrouble> query(virConnectPtr connection, const std::string& name) {
    const std::string doing = "ask for the state of guest '" + name + "'";
    const auto domain =
        adopt_if_found<Domain>(virDomainLookupByName(connection, name.c_str()), doing);
    if (!domain) return GuestTrouble{.what = "gone"};
    int state = 0;
    int reason = 0;
    checked(virDomainGetState(domain.get(), &state, &reason, 0), doing);
    switch (state) {
        case VIR_DOMAIN_PAUSED:
            if (reason != VIR_DOMAIN_PAUSED_IOERROR) return GuestTrouble{.what = "paused"};
            if (lacks_space(domain.get())) return out_of_space();
            return GuestTrouble{.what = "paused: I/O error on the host"};
        case VIR_DOMAIN_SHUTDOWN:
        case VIR_DOMAIN_SHUTOFF:
            return GuestTrouble{.what = "shut down"};
        case VIR_DOMAIN_CRASHED:
            return GuestTrouble{.what = "crashed"};
        default:
            return std::nullopt;
    }
}

std::optional<GuestTrouble> lifecycle_trouble(int event, int detail) {
    if (event == VIR_DOMAIN_EVENT_CRASHED) return GuestTrouble{.what = "crashed"};
    if (event == VIR_DOMAIN_EVENT_SHUTDOWN) return GuestTrouble{.what = "shut down or crashed"};
    if (event != VIR_DOMAIN_EVENT_STOPPED) return std::nullopt;
    switch (detail) {
        case VIR_DOMAIN_EVENT_STOPPED_DESTROYED:
            return GuestTrouble{.what = "destroyed by somebody"};
        case VIR_DOMAIN_EVENT_STOPPED_CRASHED:
            return GuestTrouble{.what = "crashed"};
        case VIR_DOMAIN_EVENT_STOPPED_FAILED:
            return GuestTrouble{.what = "QEMU ended unexpectedly"};
        default:
            return GuestTrouble{.what = "shut down or crashed"};
    }
}

}  // namespace

struct DomainEvents::State {
    using Device = std::pair<std::string, std::string>;  ///< domain name, alias

    void record(virDomainPtr domain, const GuestTrouble& seen);
    void record(Watched& watched, const GuestTrouble& seen);
    void settle(virDomainPtr domain, const char* alias, Removal outcome);

    bool is_registered() {
        const std::lock_guard lock{mutex};
        return !registrations.empty();
    }
    std::vector<int> take_registrations() {
        const std::lock_guard lock{mutex};
        return std::exchange(registrations, {});
    }

    std::mutex mutex;  ///< guards all below; never held while libvirt is called
    std::condition_variable changed;
    std::map<std::string, Watched> domains;
    std::map<Device, Removal> removals;
    std::vector<int> registrations;  ///< on the newest connection
};

void DomainEvents::State::record(virDomainPtr domain, const GuestTrouble& seen) {
    const std::string uuid = uuid_of(domain);
    const std::lock_guard lock{mutex};
    const auto found = domains.find(virDomainGetName(domain));
    // The name may have been given to another guest since.
    if (found != domains.end() && found->second.uuid == uuid) record(found->second, seen);
}

// The first trouble is the cause of the rest, unless a later one is more precise.
void DomainEvents::State::record(Watched& watched, const GuestTrouble& seen) {
    const bool precise = seen.out_of_space && watched.trouble && !watched.trouble->out_of_space;
    if (!watched.trouble || precise) watched.trouble = seen;
}

void DomainEvents::State::settle(virDomainPtr domain, const char* alias, Removal outcome) {
    const std::lock_guard lock{mutex};
    const auto found = removals.find({virDomainGetName(domain), alias});
    if (found == removals.end()) return;
    found->second = outcome;
    changed.notify_all();
}

/// What libvirt calls. `opaque` is a std::shared_ptr<State> of the registration's own.
struct DomainEvents::Callbacks {
    static State& state(void* opaque) { return **static_cast<std::shared_ptr<State>*>(opaque); }
    static void release(void* opaque) { delete static_cast<std::shared_ptr<State>*>(opaque); }

    static int lifecycle(virConnectPtr, virDomainPtr domain, int event, int detail, void* opaque) {
        if (const auto seen = lifecycle_trouble(event, detail)) state(opaque).record(domain, *seen);
        return 0;
    }

    static void io_error(virConnectPtr, virDomainPtr domain, const char* path, const char*,
                         int action, const char* reason, void* opaque) {
        if (reason != nullptr && std::string_view{reason} == "enospc") {
            state(opaque).record(domain, out_of_space());
            return;
        }
        const char* verb = action == VIR_DOMAIN_EVENT_IO_ERROR_PAUSE ? "paused: " : "";
        state(opaque).record(
            domain, {.what = verb + std::string{"I/O error on '"} + (path ? path : "") + "'"});
    }

    static void removed(virConnectPtr, virDomainPtr domain, const char* alias, void* opaque) {
        state(opaque).settle(domain, alias, Removal::removed);
    }

    static void refused(virConnectPtr, virDomainPtr domain, const char* alias, void* opaque) {
        state(opaque).settle(domain, alias, Removal::refused);
    }

    template <typename Function>
    static int add(virConnectPtr connection, int event, Function* function,
                   const std::shared_ptr<State>& state) {
        auto own = std::make_unique<std::shared_ptr<State>>(state);
        // JUSTIFICATION: libvirt takes every kind of callback as one generic function type; the
        // type in the middle is the one that GCC lets any function pass through.
        const auto generic = reinterpret_cast<virConnectDomainEventGenericCallback>(
            reinterpret_cast<void (*)()>(function));
        const int id = checked(virConnectDomainEventRegisterAny(connection, nullptr, event, generic,
                                                                own.get(), &Callbacks::release),
                               "register for domain events");
        static_cast<void>(own.release());  // libvirt's now, until release()
        return id;
    }

    static void add_all(virConnectPtr connection, const std::shared_ptr<State>& state) {
        std::vector<int> ids{
            add(connection, VIR_DOMAIN_EVENT_ID_LIFECYCLE, &lifecycle, state),
            add(connection, VIR_DOMAIN_EVENT_ID_IO_ERROR_REASON, &io_error, state),
            add(connection, VIR_DOMAIN_EVENT_ID_DEVICE_REMOVED, &removed, state),
            add(connection, VIR_DOMAIN_EVENT_ID_DEVICE_REMOVAL_FAILED, &refused, state)};
        const std::lock_guard lock{state->mutex};
        state->registrations = std::move(ids);
    }
};

// One call at a time, so that there is one connection and each event comes once.
DomainEvents::DomainEvents(const std::string& uri)
    : state_{std::make_shared<State>()},
      caller_{uri,
              [state = state_](virConnectPtr connection) { Callbacks::add_all(connection, state); },
              1} {}

// A connection with callbacks on it is not closed by its last owner.
DomainEvents::~DomainEvents() {
    if (!state_->is_registered()) return;
    try {
        caller_.call("stop watching domains", kQueryLimit,
                     [state = state_](virConnectPtr connection) {
                         for (const int id : state->take_registrations()) {
                             static_cast<void>(virConnectDomainEventDeregisterAny(connection, id));
                         }
                     });
    } catch (const Error&) {
        // The connection is broken, and its events with it.
    }
}

void DomainEvents::watch(const std::string& name, const std::string& uuid) {
    caller_.call("watch guest '" + name + "'", kQueryLimit, [](virConnectPtr) {});
    const std::lock_guard lock{state_->mutex};
    state_->domains[name] = {.uuid = uuid, .trouble = {}, .next_query = {}};
}

void DomainEvents::forget(const std::string& name) {
    const std::lock_guard lock{state_->mutex};
    state_->domains.erase(name);
}

std::optional<GuestTrouble> DomainEvents::trouble(const std::string& name) {
    {
        const std::lock_guard lock{state_->mutex};
        if (const auto found = state_->domains.find(name); found != state_->domains.end()) {
            Watched& watched = found->second;
            const auto now = SteadyClock::now();
            if (watched.trouble || now < watched.next_query) return watched.trouble;
            watched.next_query = now + kQueryInterval;
        }
    }
    std::optional<GuestTrouble> seen;
    try {
        seen = caller_.call("ask for the state of guest '" + name + "'", kQueryLimit,
                            [name](virConnectPtr connection) { return query(connection, name); });
    } catch (const Error&) {
        return std::nullopt;  // libvirt is away; guests survive that
    }
    const std::lock_guard lock{state_->mutex};
    const auto found = state_->domains.find(name);
    if (found == state_->domains.end()) return seen;
    if (seen) state_->record(found->second, *seen);
    return found->second.trouble;
}

DomainEvents::RemovalWatch::RemovalWatch(DomainEvents& events, const std::string& name,
                                         const std::string& alias)
    : events_{events}, name_{name}, alias_{alias} {
    events_.caller_.call("watch guest '" + name + "'", kQueryLimit, [](virConnectPtr) {});
    const std::lock_guard lock{events_.state_->mutex};
    events_.state_->removals[{name_, alias_}] = Removal::pending;
}

DomainEvents::RemovalWatch::~RemovalWatch() {
    const std::lock_guard lock{events_.state_->mutex};
    events_.state_->removals.erase({name_, alias_});
}

DomainEvents::Removal DomainEvents::RemovalWatch::wait_until(SteadyClock::time_point limit) {
    State& state = *events_.state_;
    std::unique_lock lock{state.mutex};
    const Removal& outcome = state.removals.at({name_, alias_});
    state.changed.wait_until(lock, limit, [&outcome] { return outcome != Removal::pending; });
    return outcome;
}

}  // namespace poolwise::libvirt_glue
