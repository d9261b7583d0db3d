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
#include "module/core/names.hpp"

namespace poolwise::libvirt_glue {

namespace {

constexpr Seconds kOpenLimit{10};
constexpr std::size_t kChunk = 64U << 10U;

/// An open stream; `stream` goes first.
struct Link {
    Connection connection;
    Stream stream;
};

Link open_link(virConnectPtr connection, const std::string& name, const std::string& doing) {
    checked(virConnectRef(connection), doing);
    Link link{Connection{connection}, {}};
    const auto domain = adopt<Domain>(virDomainLookupByName(connection, name.c_str()), doing);
    link.stream = adopt<Stream>(virStreamNew(connection, VIR_STREAM_NONBLOCK), doing);
    checked(virDomainOpenChannel(domain.get(), kEngineChannel, link.stream.get(),
                                 VIR_DOMAIN_CHANNEL_FORCE),
            doing);
    return link;
}

Error broken_stream() {
    return {ErrorCode::hypervisor_failed, last_error("the stream broke").what()};
}

}  // namespace

/// Between the channel's users, its thread and libvirt's event loop. The stream itself is the
/// thread's alone: libvirt 9.0 loses wake-ups where two threads wait on one connection (see
/// Caller).
struct LibvirtChannel::Shared {
    explicit Shared(std::string guest_) : guest{std::move(guest_)} {}

    void end(Error reason);
    void throw_if_over(const std::string& doing) const;

    const std::string guest;
    std::mutex mutex;  ///< guards all below; never held while libvirt is called
    std::condition_variable changed;
    std::vector<char> received;
    bool readable = true;  ///< the stream may have something to receive
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

/// The thread of a channel: moves bytes until the channel is closed or broken.
class LibvirtChannel::Mover {
public:
    Mover(std::shared_ptr<Shared> shared, Link link)
        : shared_{std::move(shared)}, link_{std::move(link)} {}

    void run() {
        try {
            watch();
            while (move_some()) {
            }
        } catch (const Error& error) {
            shared_->end(error);
        }
        // What fails here has ended already.
        static_cast<void>(virStreamEventRemoveCallback(stream()));
        static_cast<void>(virConnectUnregisterCloseCallback(link_.connection.get(), &on_close));
        static_cast<void>(virStreamAbort(stream()));
    }

private:
    virStreamPtr stream() const { return link_.stream.get(); }

    void watch() {
        const std::string doing = "watch the stream";
        auto own = std::make_unique<std::shared_ptr<Shared>>(shared_);
        checked(virStreamEventAddCallback(stream(), VIR_STREAM_EVENT_READABLE, &on_readable,
                                          own.get(), &release),
                doing);
        static_cast<void>(own.release());  // libvirt's now, until release()
        // A stream does not say that its connection is gone.
        own = std::make_unique<std::shared_ptr<Shared>>(shared_);
        checked(
            virConnectRegisterCloseCallback(link_.connection.get(), &on_close, own.get(), &release),
            doing);
        static_cast<void>(own.release());
    }

    static void release(void* opaque) { delete static_cast<std::shared_ptr<Shared>*>(opaque); }

    static void on_close(virConnectPtr /*connection*/, int /*reason*/, void* opaque) {
        (*static_cast<std::shared_ptr<Shared>*>(opaque))
            ->end({ErrorCode::hypervisor_failed, "the connection to libvirt broke"});
    }

    // On the event loop's thread; comes again and again until the stream is empty or this is off.
    static void on_readable(virStreamPtr stream, int /*events*/, void* opaque) {
        static_cast<void>(virStreamEventUpdateCallback(stream, 0));
        Shared& shared = **static_cast<std::shared_ptr<Shared>*>(opaque);
        const std::lock_guard lock{shared.mutex};
        shared.readable = true;
        shared.changed.notify_all();
    }

    bool move_some() {
        std::unique_lock lock{shared_->mutex};
        shared_->changed.wait(lock, [this] {
            return shared_->closed || shared_->ended || shared_->readable ||
                   !shared_->to_send.empty();
        });
        if (shared_->closed || shared_->ended) return false;
        const bool readable = std::exchange(shared_->readable, false);
        const auto data = std::exchange(shared_->to_send, {});
        shared_->sending = !data.empty();
        lock.unlock();
        if (readable) receive_all();
        send(data);
        return true;
    }

    void receive_all() {
        std::vector<char> chunk(kChunk);
        while (true) {
            const int size = virStreamRecv(stream(), chunk.data(), chunk.size());
            if (size == kNothingYet) break;
            if (size < 0) throw broken_stream();
            if (size == 0) {
                throw Error{ErrorCode::guest_failed,
                            "the guest is gone or its channel was taken over"};
            }
            keep({chunk.data(), static_cast<std::size_t>(size)});
        }
        checked(virStreamEventUpdateCallback(stream(), VIR_STREAM_EVENT_READABLE),
                "watch the stream");
    }

    void keep(std::span<const char> bytes) {
        const std::lock_guard lock{shared_->mutex};
        std::vector<char>& received = shared_->received;
        if (received.size() + bytes.size() > kMaxUnread) {
            throw Error{ErrorCode::guest_failed, "the guest sent more than " +
                                                     std::to_string(kMaxUnread >> 20U) +
                                                     " MiB that nobody read"};
        }
        received.insert(received.end(), bytes.begin(), bytes.end());
        shared_->changed.notify_all();
    }

    void send(std::span<const char> data) {
        while (!data.empty()) {
            const int sent = virStreamSend(stream(), data.data(), std::min(kChunk, data.size()));
            if (sent < 0) throw broken_stream();
            data = data.subspan(static_cast<std::size_t>(sent));
        }
        const std::lock_guard lock{shared_->mutex};
        shared_->sending = false;
        shared_->changed.notify_all();
    }

    static constexpr int kNothingYet = -2;  ///< of virStreamRecv() on a stream that never blocks

    const std::shared_ptr<Shared> shared_;
    const Link link_;
};

LibvirtChannel::LibvirtChannel(const std::string& uri, const std::string& domain_name)
    : shared_{std::make_shared<Shared>(domain_name)} {
    const std::string doing = "open the channel of guest '" + domain_name + "'";
    Caller caller{uri};
    Link link = caller.call(
        doing, kOpenLimit,
        [domain_name, doing](virConnectPtr connection) {
            return open_link(connection, domain_name, doing);
        },
        [](virConnectPtr, Link& late) { static_cast<void>(virStreamAbort(late.stream.get())); });
    auto mover = std::make_shared<Mover>(shared_, std::move(link));
    try {
        std::thread{[mover = std::move(mover)] { mover->run(); }}.detach();
    } catch (const std::system_error& error) {
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
