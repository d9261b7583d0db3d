// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "module/core/error.hpp"
#include "module/ports/guest_host.hpp"
#include "tests/fakes/planned_failures.hpp"

namespace poolwise::test {

/// GuestHost that works in memory: guests and disks are entries in maps, counters move when a fake
/// engine moves them, a channel gives back what is written to it. Passes
/// tests/contract/guest_host_contract.hpp. Safe from several threads.
class FakeGuestHost final : public GuestHost {
public:
    FakeGuestHost();

    /// What an engine in the guest did to its disk, and cost.
    void add_io(const std::string& name, const std::string& serial, const BlockCounters& done);
    void add_cpu_time(const std::string& name, Seconds used);

    /// A guest in trouble stays until it is destroyed, unless its trouble is that it is gone.
    void bring_trouble(const std::string& name, const GuestTrouble& trouble);

    /// The guest ends by itself, and its channel with it.
    void crash(const std::string& name);

    /// A running guest that is somebody else's.
    void add_foreign_guest(const std::string& name);

    /// detach_disk() of that guest times out from now on.
    void hold_disks(const std::string& name);

    /// The next call throws `error` and does nothing; several queue up.
    void fail_next(Error error) { failures_.add(std::move(error)); }

    /// The next call of the named function throws `error` and does nothing.
    void fail_next(const std::string& function, Error error) {
        failures_.add(function, std::move(error));
    }

    /// Calls that changed something, in order: "attach_disk pwcontract01".
    [[nodiscard]] std::vector<std::string> history() const;
    [[nodiscard]] std::vector<std::string> guests() const;  ///< ours, running
    [[nodiscard]] std::vector<GuestDisk> disks(const std::string& name) const;

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
    struct Wire;     ///< what a channel and its guest share
    class Loopback;  ///< the channel

    struct Disk {
        GuestDisk disk;
        BlockCounters counters;
    };
    struct Guest {
        GuestSpec spec;
        std::map<std::string, Disk> disks;  ///< by serial
        std::shared_ptr<Wire> wire;
        Seconds cpu{0};
        bool holds_disks = false;
    };

    Guest& guest_at(const std::string& name);
    Disk& disk_at(const std::string& name, const std::string& serial);
    void end(const std::string& name);

    mutable std::mutex mutex_;  ///< guards all below; taken before a Wire's
    std::map<std::string, Guest> guests_;
    std::map<std::string, GuestTrouble> troubles_;  ///< outlive a guest that ended by itself
    std::set<std::string> foreign_;
    PlannedFailures failures_;
    std::vector<std::string> history_;
};

}  // namespace poolwise::test
