// SPDX-License-Identifier: Apache-2.0
// Boots the measuring guest and chooses its accelerator by really booting it.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "module/core/run.hpp"
#include "module/runs/provisioner.hpp"
#include "module/runs/run_ports.hpp"

namespace poolwise {

/// How long our guest may take until its engine answers. Under KVM it takes about a second; a node
/// whose KVM hangs our guest must not cost more than this.
inline constexpr Seconds kKvmReadyLimit{20};
inline constexpr Seconds kTcgReadyLimit{180};

struct BootedGuest {
    std::string name;
    std::unique_ptr<Engine> engine;
    EngineFacts facts;
    Accelerator accelerator = Accelerator::tcg;
    std::string accelerator_reason;
    unsigned vcpus = 1;
};

/// min(4, cores / 2) under KVM, at least 1; 1 under TCG, where vCPUs only take turns.
[[nodiscard]] unsigned default_vcpus(Accelerator accelerator, unsigned cores) noexcept;

/// Boots `image` with the accelerator asked for; else with KVM if that is known to work or not yet
/// known, and with TCG where KVM does not bring the guest up within its limit. What worked is
/// remembered for this kernel, QEMU and image.
/// @throws Error{guest_failed} the guest does not come up; {cancelled}.
[[nodiscard]] BootedGuest boot_guest(const Run& run, const GuestImage& image,
                                     Provisioner& provisioner, RunPorts& ports,
                                     std::stop_token stop);

}  // namespace poolwise
