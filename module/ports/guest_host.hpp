// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "module/core/candidate.hpp"
#include "module/core/measurement.hpp"
#include "module/core/node_facts.hpp"
#include "module/ports/byte_channel.hpp"
#include "module/ports/port.hpp"

namespace poolwise {

/// A transient guest booted directly from a kernel; no network.
struct GuestSpec {
    std::string name;    ///< object_name(run, "guest")
    std::string run_id;  ///< goes into the domain's metadata
    Accelerator accelerator = Accelerator::tcg;
    unsigned vcpus = 1;
    unsigned iothreads = 0;  ///< as many as disks may ask for
    Bytes memory;
    std::string kernel_path;
    std::string initramfs_path;
    std::string tools_disk_path;  ///< read-only disk with fio; serial kToolsSerial
};

struct GuestDisk {
    std::string serial;  ///< disk_serial(run, n)
    std::string path;    ///< of the volume
    Format format = Format::raw;
    DiskDriver driver;
};

/// Why a guest cannot go on: "crashed", "shut down", "paused: no space left on the host", ...
struct GuestTrouble {
    std::string what;
    bool out_of_space = false;
};

/// Starts guests and gives them disks.
///
/// Calls block, each up to its own deadline, and are safe from several threads. Implemented by
/// libvirt_glue::LibvirtGuestHost and tests/fakes/fake_guest_host.hpp, which pass the same
/// tests/contract/guest_host_contract.hpp.
class GuestHost : public Port {
public:
    /// Returns when the domain runs; its engine may need seconds more.
    /// @throws Error{conflict} name taken; {hypervisor_failed} it could not be started.
    virtual void start_guest(const GuestSpec& spec) = 0;

    /// Ends a guest at once. Gone is not an error.
    /// @throws Error{refused} if a domain of that name does not carry our metadata.
    virtual void destroy_guest(const std::string& name) = 0;
    virtual bool guest_exists(const std::string& name) = 0;

    /// Opens the engine's channel, taking it over from whoever had it.
    virtual std::unique_ptr<ByteChannel> open_channel(const std::string& name) = 0;

    virtual void attach_disk(const std::string& name, const GuestDisk& disk) = 0;

    /// Returns when the guest has let the disk go (DEVICE_REMOVED), not before: only then may the
    /// volume be touched. A disk that is gone is not an error.
    /// @throws Error{timed_out} the guest did not let go; destroy it before touching the volume.
    virtual void detach_disk(const std::string& name, const std::string& serial) = 0;

    /// Counters of a disk as QEMU sees them. Gone after detach_disk().
    virtual BlockCounters block_counters(const std::string& name, const std::string& serial) = 0;

    /// Host CPU time of the whole QEMU process.
    virtual Seconds cpu_time(const std::string& name) = 0;

    /// The driver attributes in force, read back from the running domain.
    virtual DiskDriver live_driver(const std::string& name, const std::string& serial) = 0;

    /// Trouble seen since the guest started: lifecycle and IO-error events, state. Cheap.
    virtual std::optional<GuestTrouble> trouble(const std::string& name) = 0;

    /// Running guests that are not ours.
    virtual std::vector<ForeignGuest> foreign_guests() = 0;

    /// Versions of libvirt and QEMU, "9.0.0" and "7.2.22".
    virtual std::string libvirt_version() = 0;
    virtual std::string qemu_version() = 0;
};

}  // namespace poolwise
