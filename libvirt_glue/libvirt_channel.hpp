// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "module/ports/byte_channel.hpp"

namespace poolwise::libvirt_glue {

/// The engine's virtio-serial port as a stream of libvirt.
///
/// Has a connection and two threads of its own, so that a guest that does not read or write holds
/// nobody: a reading thread collects up to 1 MiB and then lets the guest wait, a writing thread
/// sends one write() after another. A write() that timed out may still be under way; the next one
/// waits for it. The threads end by themselves some time after close().
class LibvirtChannel : public ByteChannel {
public:
    /// Opens the channel of a running domain, taking it over from whoever had it. The guest need
    /// not have opened its end yet.
    /// @throws Error{not_found} no such domain; {timed_out}; {hypervisor_failed}.
    LibvirtChannel(const std::string& uri, const std::string& domain_name);
    ~LibvirtChannel() override;

    std::size_t read(std::span<char> buffer, std::chrono::milliseconds timeout) override;
    void write(std::span<const char> data, std::chrono::milliseconds timeout) override;
    void close() noexcept override;

private:
    struct Shared;

    std::shared_ptr<Shared> shared_;  ///< with both threads
};

}  // namespace poolwise::libvirt_glue
