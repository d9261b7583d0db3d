// SPDX-License-Identifier: Apache-2.0
// Where a disk is measured: an engine, the way a disk gets there, and the witnesses beside it.
#pragma once

#include <memory>
#include <optional>

#include "module/runs/candidate_disk.hpp"
#include "module/runs/guest_boot.hpp"
#include "module/runs/run_ports.hpp"

namespace poolwise {

class Seat : public Port {
public:
    virtual Engine& engine() = 0;
    virtual void attach(const CandidateDisk& disk) = 0;
    virtual void detach(const CandidateDisk& disk) = 0;
    [[nodiscard]] virtual DiskIdentity identity(const CandidateDisk& disk) const = 0;

    /// Called every second while a job runs.
    /// @throws Error when the engine's surroundings broke: the guest crashed or was paused.
    virtual void watch() = 0;

    // Witnesses; nullopt where there is none in this layer.
    virtual std::optional<BlockCounters> block_counters(const CandidateDisk& disk) = 0;
    virtual std::optional<Seconds> qemu_cpu() = 0;
    virtual std::optional<DiskDriver> live_driver(const CandidateDisk& disk) = 0;
    [[nodiscard]] virtual unsigned vcpus() const = 0;
};

/// The engine as a child process of ours; it opens the volume's file itself.
class HostSeat final : public Seat {
public:
    explicit HostSeat(std::unique_ptr<Engine> engine) : engine_{std::move(engine)} {}

    Engine& engine() override { return *engine_; }
    void attach(const CandidateDisk&) override {}
    void detach(const CandidateDisk&) override {}
    [[nodiscard]] DiskIdentity identity(const CandidateDisk& disk) const override {
        return {.serial = {}, .path = disk.active().path, .size = disk.size()};
    }
    void watch() override {}
    std::optional<BlockCounters> block_counters(const CandidateDisk&) override { return {}; }
    std::optional<Seconds> qemu_cpu() override { return {}; }
    std::optional<DiskDriver> live_driver(const CandidateDisk&) override { return {}; }
    [[nodiscard]] unsigned vcpus() const override { return 0; }

private:
    std::unique_ptr<Engine> engine_;
};

/// The engine in the guest; disks come by hot-plug.
class GuestSeat final : public Seat {
public:
    GuestSeat(BootedGuest guest, GuestHost& guests) : guest_{std::move(guest)}, guests_{guests} {}

    Engine& engine() override { return *guest_.engine; }
    void attach(const CandidateDisk& disk) override {
        guests_.attach_disk(guest_.name, {.serial = disk.serial(),
                                          .path = disk.active().path,
                                          .format = disk.active().format,
                                          .driver = disk.candidate().driver});
    }
    void detach(const CandidateDisk& disk) override {
        guests_.detach_disk(guest_.name, disk.serial());
    }
    [[nodiscard]] DiskIdentity identity(const CandidateDisk& disk) const override {
        return {.serial = disk.serial(), .path = {}, .size = disk.size()};
    }
    void watch() override;
    std::optional<BlockCounters> block_counters(const CandidateDisk& disk) override {
        return guests_.block_counters(guest_.name, disk.serial());
    }
    std::optional<Seconds> qemu_cpu() override { return guests_.cpu_time(guest_.name); }
    std::optional<DiskDriver> live_driver(const CandidateDisk& disk) override {
        return guests_.live_driver(guest_.name, disk.serial());
    }
    [[nodiscard]] unsigned vcpus() const override { return guest_.vcpus; }

private:
    BootedGuest guest_;
    GuestHost& guests_;
};

}  // namespace poolwise
