// SPDX-License-Identifier: Apache-2.0
// A real guest for tests: the node's kernel with echo_init.cpp as its whole user space.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "libvirt_glue/libvirt_guest_host.hpp"
#include "module/ports/guest_host.hpp"
#include "tests/contract/guest_host_subject.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace poolwise::test {

inline constexpr const char* kUri = "qemu:///system";

/// A file of `mebibytes` without allocated blocks. @return its path.
std::string sparse_file(const ScratchFolder& folder, const std::string& name, unsigned mebibytes);

/// A qcow2 image, on top of `backing` (raw) unless that is empty. @return its path.
std::string qcow2_file(const ScratchFolder& folder, const std::string& name, unsigned mebibytes,
                       const std::string& backing = {});

/// A GuestHost on the system's libvirt, and guests that echo.
class EchoGuests final : public GuestHostSubject {
public:
    explicit EchoGuests(libvirt_glue::GuestHostLimits limits = {});
    ~EchoGuests() override;

    std::string trouble() override;
    libvirt_glue::LibvirtGuestHost& host() override { return host_; }
    GuestSpec spec(const std::string& name) override;
    GuestDisk disk(const std::string& serial) override;
    void write(ByteChannel& channel, const std::string& name, const std::string& serial,
               unsigned mebibytes) override;
    void crash(ByteChannel& channel, const std::string& name) override;
    std::string foreign_guest() override;

    [[nodiscard]] const ScratchFolder& folder() const noexcept { return folder_; }

private:
    const ScratchFolder folder_{"/var/tmp"};
    libvirt_glue::Caller main_{kUri};
    libvirt_glue::Caller cleanup_{kUri};
    libvirt_glue::LibvirtGuestHost host_;
    std::vector<std::string> names_;  ///< of guests to destroy at the end
    bool has_foreign_ = false;
};

}  // namespace poolwise::test
