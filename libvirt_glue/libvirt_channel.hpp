// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "module/ports/byte_channel.hpp"

namespace poolwise::libvirt_glue {

/// The engine's virtio-serial port as a stream of libvirt.
///
/// Has a connection and a thread of its own, so that a guest that does not read or write holds
/// nobody. libvirt takes whatever the guest sends and cannot make it wait: a guest of which more
/// than kMaxUnread bytes are unread has failed. A write() that timed out may still be under way;
/// the next one waits for it. The thread ends by itself some time after close().
class LibvirtChannel : public ByteChannel {
public:
    static constexpr std::size_t kMaxUnread = 16U << 20U;

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
    class Mover;

    std::shared_ptr<Shared> shared_;  ///< with the thread
};

}  // namespace poolwise::libvirt_glue
