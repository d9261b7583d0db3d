// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/libvirt_channel.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "libvirt_glue/caller.hpp"
#include "libvirt_glue/domain_xml.hpp"
#include "libvirt_glue/handle.hpp"

namespace poolwise::libvirt_glue {

namespace {

constexpr Seconds kOpenLimit{10};
constexpr std::size_t kReceiveLimit = 1U << 20U;
constexpr std::size_t kChunk = 64U << 10U;

Stream open_stream(virConnectPtr connection, const std::string& name, const std::string& doing) {
    const auto domain = adopt<Domain>(virDomainLookupByName(connection, name.c_str()), doing);
    auto stream = adopt<Stream>(virStreamNew(connection, 0), doing);
    checked(
        virDomainOpenChannel(domain.get(), kEngineChannel, stream.get(), VIR_DOMAIN_CHANNEL_FORCE),
        doing);
    return stream;
}

}  // namespace

struct LibvirtChannel::Shared {
    Shared(Stream stream_, std::string guest_)
        : stream{std::move(stream_)}, guest{std::move(guest_)} {}

    void receive_all();
    void send_all();
    bool receive_some(std::vector<char>& chunk);
    bool send_some(std::vector<char> data);
    void end(Error reason);
    void throw_if_over(const std::string& doing) const;

    const Stream stream;  ///< keeps its connection alive
    const std::string guest;
    std::mutex mutex;  ///< guards all below; never held while libvirt is called
    std::condition_variable changed;
    std::vector<char> received;
    std::vector<char> to_send;
    bool sending = false;  ///< to_send was taken and is under way
    bool closed = false;
    std::optional<Error> ended;
};

void LibvirtChannel::Shared::end(Error reason) {
    const std::lock_guard lock{mutex};
    if (!ended) ended = std::move(reason);
    changed.notify_all();
}

void LibvirtChannel::Shared::throw_if_over(const std::string& doing) const {
    if (closed) throw Error{ErrorCode::hypervisor_failed, doing + ": the channel was closed"};
    if (ended) throw Error{ended->code(), doing + ": " + ended->what()};
}

/// @return false at the end of the stream.
bool LibvirtChannel::Shared::receive_some(std::vector<char>& chunk) {
    const int size = virStreamRecv(stream.get(), chunk.data(), chunk.size());
    if (size <= 0) {
        end(size == 0 ? Error{ErrorCode::guest_failed,
                              "the guest is gone or its channel was "
                              "taken over"}
                      : Error{ErrorCode::hypervisor_failed, last_error("the stream broke").what()});
        return false;
    }
    std::unique_lock lock{mutex};
    received.insert(received.end(), chunk.begin(), chunk.begin() + size);
    changed.notify_all();
    // Not receiving more is what makes libvirtd, and at last the guest, wait.
    changed.wait(lock, [this] { return closed || received.size() < kReceiveLimit; });
    return !closed;
}

void LibvirtChannel::Shared::receive_all() {
    std::vector<char> chunk(kChunk);
    while (receive_some(chunk)) {
    }
}

bool LibvirtChannel::Shared::send_some(std::vector<char> data) {
    std::size_t sent = 0;
    while (sent < data.size()) {
        const std::size_t size = std::min(kChunk, data.size() - sent);
        const int done = virStreamSend(stream.get(), data.data() + sent, size);
        if (done < 0) {
            end({ErrorCode::hypervisor_failed, last_error("the stream broke").what()});
            return false;
        }
        sent += static_cast<std::size_t>(done);
    }
    return true;
}

// This thread also ends the stream, which frees the other from virStreamRecv(). While it is stuck
// in virStreamSend() nothing could be told to libvirtd on this connection anyway.
void LibvirtChannel::Shared::send_all() {
    std::unique_lock lock{mutex};
    while (true) {
        changed.wait(lock, [this] { return closed || ended || !to_send.empty(); });
        if (closed || ended) break;
        sending = true;
        auto data = std::exchange(to_send, {});
        lock.unlock();
        send_some(std::move(data));
        lock.lock();
        sending = false;
        changed.notify_all();
    }
    changed.wait(lock, [this] { return closed; });
    lock.unlock();
    static_cast<void>(virStreamAbort(stream.get()));  // fails where the stream has ended already
}

LibvirtChannel::LibvirtChannel(const std::string& uri, const std::string& domain_name) {
    const std::string doing = "open the channel of guest '" + domain_name + "'";
    Caller caller{uri};
    shared_ = std::make_shared<Shared>(
        caller.call(
            doing, kOpenLimit,
            [domain_name, doing](virConnectPtr connection) {
                return open_stream(connection, domain_name, doing);
            },
            [](virConnectPtr, Stream& late) { static_cast<void>(virStreamAbort(late.get())); }),
        domain_name);
    try {
        std::thread{[shared = shared_] { shared->send_all(); }}.detach();
        std::thread{[shared = shared_] { shared->receive_all(); }}.detach();
    } catch (const std::system_error& error) {
        close();
        throw Error{ErrorCode::unavailable, doing + ": no thread for it: " + error.what()};
    }
}

LibvirtChannel::~LibvirtChannel() {
    LibvirtChannel::close();
}

std::size_t LibvirtChannel::read(std::span<char> buffer, std::chrono::milliseconds timeout) {
    std::unique_lock lock{shared_->mutex};
    Shared& shared = *shared_;
    const bool something = shared.changed.wait_for(lock, timeout, [&shared] {
        return !shared.received.empty() || shared.ended || shared.closed;
    });
    if (!something) return 0;
    if (shared.received.empty() || shared.closed) {
        shared.throw_if_over("read from guest '" + shared.guest + "'");
    }
    const std::size_t size = std::min(buffer.size(), shared.received.size());
    const auto end = shared.received.begin() + static_cast<std::ptrdiff_t>(size);
    std::copy(shared.received.begin(), end, buffer.begin());
    shared.received.erase(shared.received.begin(), end);
    shared.changed.notify_all();
    return size;
}

void LibvirtChannel::write(std::span<const char> data, std::chrono::milliseconds timeout) {
    std::unique_lock lock{shared_->mutex};
    Shared& shared = *shared_;
    const std::string doing = "write to guest '" + shared.guest + "'";
    const auto limit = std::chrono::steady_clock::now() + timeout;
    const auto wait_until_sent = [&] {
        const bool in_time = shared.changed.wait_until(lock, limit, [&shared] {
            return (shared.to_send.empty() && !shared.sending) || shared.ended || shared.closed;
        });
        shared.throw_if_over(doing);
        if (!in_time) {
            throw Error{ErrorCode::timed_out,
                        doing + ": not taken within " + std::to_string(timeout.count()) + " ms"};
        }
    };
    wait_until_sent();  // an earlier write that timed out
    shared.to_send.assign(data.begin(), data.end());
    shared.changed.notify_all();
    wait_until_sent();
}

void LibvirtChannel::close() noexcept {
    const std::lock_guard lock{shared_->mutex};
    shared_->closed = true;
    shared_->changed.notify_all();
}

}  // namespace poolwise::libvirt_glue
