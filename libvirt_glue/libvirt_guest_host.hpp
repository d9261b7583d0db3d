// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

#include "libvirt_glue/caller.hpp"
#include "libvirt_glue/domain_events.hpp"
#include "module/ports/guest_host.hpp"

namespace poolwise::libvirt_glue {

/// How long each kind of call may take.
struct GuestHostLimits {
    Seconds query{10};
    Seconds start{60};
    Seconds attach{30};
    Seconds detach{30};   ///< until the guest has let go, not only until libvirt has answered
    Seconds destroy{20};  ///< libvirt itself needs 10 to 15 s for a QEMU that does not react
};

/// GuestHost on libvirt's QEMU driver. Domains are transient and carry our metadata; they outlive
/// this object, its process and libvirtd.
class LibvirtGuestHost : public GuestHost {
public:
    /// @param main     for everything but the end of guests.
    /// @param cleanup  a connection on which nothing else can hang: destroy_guest() must work while
    ///                 calls on `main` are stuck.
    LibvirtGuestHost(Caller& main, Caller& cleanup, GuestHostLimits limits = {});

    void start_guest(const GuestSpec& spec) override;
    void destroy_guest(const std::string& name) override;
    bool guest_exists(const std::string& name) override;
    std::unique_ptr<ByteChannel> open_channel(const std::string& name) override;
    void attach_disk(const std::string& name, const GuestDisk& disk) override;
    void detach_disk(const std::string& name, const std::string& serial) override;
    BlockCounters block_counters(const std::string& name, const std::string& serial) override;
    Seconds cpu_time(const std::string& name) override;
    DiskDriver live_driver(const std::string& name, const std::string& serial) override;
    std::optional<GuestTrouble> trouble(const std::string& name) override;
    std::vector<ForeignGuest> foreign_guests() override;
    std::string libvirt_version() override;
    std::string qemu_version() override;

private:
    std::optional<std::string> find_alias(const std::string& name, const std::string& serial);

    Caller& main_;
    Caller& cleanup_;
    const GuestHostLimits limits_;
    DomainEvents events_;
    std::mutex attaching_;  ///< held while a free target name is chosen and used
};

}  // namespace poolwise::libvirt_glue
