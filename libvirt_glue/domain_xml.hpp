// SPDX-License-Identifier: Apache-2.0
// Domain XML: what we write for guests and disks, and what we read back. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "module/core/candidate.hpp"
#include "module/ports/guest_host.hpp"

namespace poolwise::libvirt_glue {

/// Name of the virtio-serial port that the engine in the guest opens.

/// A transient domain booted directly from a kernel: one serial console, one virtio-serial channel,
/// the tools disk read-only, and nothing else. Every end of the guest destroys it.
[[nodiscard]] std::string guest_domain_xml(const GuestSpec& spec);

/// A `<disk>` element for hot-plug over virtio, by path (never `type='volume'`: AppArmor's helper
/// does not resolve it).
/// @param target    device name in the domain, "vdb".
/// @param iothread  the I/O thread to use; unset = QEMU's main loop.
[[nodiscard]] std::string disk_xml(const GuestDisk& disk, const std::string& target,
                                   std::optional<unsigned> iothread);

/// A disk of a running domain.
struct LiveDisk {
    std::string serial;  ///< empty where the disk has none
    std::string target;  ///< "vdb"
    std::string alias;   ///< QEMU's name for the device, "virtio-disk1"
    std::optional<unsigned> iothread;
    DiskDriver driver;
};

/// What matters to us in the XML of a running domain.
struct LiveDomain {
    std::string type;  ///< "kvm", "qemu"
    unsigned iothreads = 0;
    std::vector<LiveDisk> disks;

    [[nodiscard]] const LiveDisk* find(const std::string& serial) const noexcept;
};

/// @throws Error{hypervisor_failed} the text is not a domain.
[[nodiscard]] LiveDomain parse_live_domain(const std::string& xml);

/// The first of vda, vdb, ... vdz that no disk has.
/// @throws Error{conflict} all are taken.
[[nodiscard]] std::string free_target(const LiveDomain& domain);

/// The first I/O thread that no disk uses.
/// @throws Error{conflict} the domain has none left.
[[nodiscard]] unsigned free_iothread(const LiveDomain& domain);

}  // namespace poolwise::libvirt_glue
