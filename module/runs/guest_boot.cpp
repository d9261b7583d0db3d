// SPDX-License-Identifier: Apache-2.0
#include "module/runs/guest_boot.hpp"

#include <algorithm>

#include "module/core/error.hpp"
#include "module/core/names.hpp"

namespace poolwise {
namespace {

std::string memory_key(const Run& run) {
    return "accelerator:" + run.node.kernel + ":" + run.node.qemu;
}

bool wants_iothread(const RunRequest& request) {
    return std::any_of(request.candidates.begin(), request.candidates.end(),
                       [](const Candidate& c) { return c.driver.iothread; });
}

BootedGuest boot_with(Accelerator accelerator, const Run& run, const GuestImage& image,
                      Provisioner& provisioner, RunPorts& ports, std::stop_token stop) {
    const std::string name = object_name(run.id, "guest");
    const GuestShape& shape = run.request.profile.guest;
    const unsigned vcpus = shape.vcpus.value_or(default_vcpus(accelerator, run.node.cores));
    provisioner.start_guest({.name = name,
                             .run_id = run.id,
                             .accelerator = accelerator,
                             .vcpus = vcpus,
                             .iothreads = wants_iothread(run.request) ? 1U : 0U,
                             .memory = shape.memory,
                             .kernel_path = image.kernel_path,
                             .initramfs_path = image.initramfs_path,
                             .tools_disk_path = image.tools_disk_path});
    const Engine::Watch watch = [&] {
        if (const auto trouble = ports.guests.trouble(name)) {
            throw Error{ErrorCode::guest_failed, "boot guest '" + name + "': it " + trouble->what};
        }
    };
    const Seconds limit = accelerator == Accelerator::kvm ? kKvmReadyLimit : kTcgReadyLimit;
    auto engine = ports.engines.connect(ports.guests.open_channel(name), limit, watch, stop);
    EngineFacts facts = engine->facts();
    return {.name = name,
            .engine = std::move(engine),
            .facts = std::move(facts),
            .accelerator = accelerator,
            .vcpus = vcpus};
}

}  // namespace

unsigned default_vcpus(Accelerator accelerator, unsigned cores) noexcept {
    if (accelerator == Accelerator::tcg) return 1;
    return std::clamp(cores / 2, 1U, 4U);
}

BootedGuest boot_guest(const Run& run, const GuestImage& image, Provisioner& provisioner,
                       RunPorts& ports, std::stop_token stop) {
    if (const auto asked = run.request.accelerator) {
        BootedGuest guest = boot_with(*asked, run, image, provisioner, ports, stop);
        guest.accelerator_reason = "as asked";
        return guest;
    }
    const auto known = ports.store.recall(memory_key(run));
    std::string reason = "KVM did not bring our guest up on this node before";
    if (known != enum_name(kAcceleratorNames, Accelerator::tcg)) {
        try {
            BootedGuest guest = boot_with(Accelerator::kvm, run, image, provisioner, ports, stop);
            ports.store.remember(memory_key(run),
                                 std::string{enum_name(kAcceleratorNames, Accelerator::kvm)});
            guest.accelerator_reason = "our guest boots on KVM";
            return guest;
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            reason = "KVM does not bring our guest up: " + std::string{error.what()};
            provisioner.destroy_guest(object_name(run.id, "guest"));
        }
    }
    BootedGuest guest = boot_with(Accelerator::tcg, run, image, provisioner, ports, stop);
    ports.store.remember(memory_key(run),
                         std::string{enum_name(kAcceleratorNames, Accelerator::tcg)});
    guest.accelerator_reason = reason;
    return guest;
}

}  // namespace poolwise
