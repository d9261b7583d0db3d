// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/fake_guest_host.hpp"

#include <algorithm>
#include <condition_variable>

namespace poolwise::test {

struct FakeGuestHost::Wire {
    void end() {
        const std::lock_guard lock{mutex};
        guest_gone = true;
        changed.notify_all();
    }

    std::mutex mutex;  ///< guards all below
    std::condition_variable changed;
    std::deque<char> bytes;
    unsigned holder = 0;  ///< number of the channel opened last
    bool guest_gone = false;
};

class FakeGuestHost::Loopback final : public ByteChannel {
public:
    explicit Loopback(std::shared_ptr<Wire> wire) : wire_{std::move(wire)} {
        const std::lock_guard lock{wire_->mutex};
        number_ = ++wire_->holder;
        wire_->changed.notify_all();
    }

    std::size_t read(std::span<char> buffer, std::chrono::milliseconds timeout) override {
        std::unique_lock lock{wire_->mutex};
        wire_->changed.wait_for(lock, timeout,
                                [this] { return is_over() || !wire_->bytes.empty(); });
        throw_if_over();
        const std::size_t size = std::min(buffer.size(), wire_->bytes.size());
        const auto end = wire_->bytes.begin() + static_cast<std::ptrdiff_t>(size);
        std::copy(wire_->bytes.begin(), end, buffer.begin());
        wire_->bytes.erase(wire_->bytes.begin(), end);
        return size;
    }

    void write(std::span<const char> data, std::chrono::milliseconds /*timeout*/) override {
        const std::lock_guard lock{wire_->mutex};
        throw_if_over();
        wire_->bytes.insert(wire_->bytes.end(), data.begin(), data.end());
        wire_->changed.notify_all();
    }

    void close() noexcept override {
        const std::lock_guard lock{wire_->mutex};
        closed_ = true;
        wire_->changed.notify_all();
    }

private:
    [[nodiscard]] bool is_over() const {
        return closed_ || wire_->guest_gone || wire_->holder != number_;
    }

    void throw_if_over() const {
        if (closed_) throw Error{ErrorCode::hypervisor_failed, "the channel was closed"};
        if (is_over()) {
            throw Error{ErrorCode::guest_failed, "the guest is gone or its channel was taken over"};
        }
    }

    const std::shared_ptr<Wire> wire_;
    unsigned number_ = 0;
    bool closed_ = false;  ///< guarded by the wire's mutex
};

FakeGuestHost::FakeGuestHost() = default;

FakeGuestHost::Guest& FakeGuestHost::guest_at(const std::string& name) {
    if (const auto found = guests_.find(name); found != guests_.end()) return found->second;
    throw Error{ErrorCode::not_found, "no guest '" + name + "'"};
}

FakeGuestHost::Disk& FakeGuestHost::disk_at(const std::string& name, const std::string& serial) {
    auto& disks = guest_at(name).disks;
    if (const auto found = disks.find(serial); found != disks.end()) return found->second;
    throw Error{ErrorCode::not_found, "guest '" + name + "' has no disk '" + serial + "'"};
}

void FakeGuestHost::end(const std::string& name) {
    guest_at(name).wire->end();
    guests_.erase(name);
}

void FakeGuestHost::add_io(const std::string& name, const std::string& serial,
                           const BlockCounters& done) {
    const std::lock_guard lock{mutex_};
    BlockCounters& counters = disk_at(name, serial).counters;
    counters.read_requests += done.read_requests;
    counters.write_requests += done.write_requests;
    counters.flush_requests += done.flush_requests;
    counters.read_bytes += done.read_bytes;
    counters.write_bytes += done.write_bytes;
}

void FakeGuestHost::add_cpu_time(const std::string& name, Seconds used) {
    const std::lock_guard lock{mutex_};
    guest_at(name).cpu += used;
}

void FakeGuestHost::bring_trouble(const std::string& name, const GuestTrouble& trouble) {
    const std::lock_guard lock{mutex_};
    troubles_[name] = trouble;
}

void FakeGuestHost::crash(const std::string& name) {
    const std::lock_guard lock{mutex_};
    end(name);
    troubles_[name] = {.what = "shut down or crashed"};
}

void FakeGuestHost::add_foreign_guest(const std::string& name) {
    const std::lock_guard lock{mutex_};
    foreign_.insert(name);
}

void FakeGuestHost::hold_disks(const std::string& name) {
    const std::lock_guard lock{mutex_};
    guest_at(name).holds_disks = true;
}

std::vector<std::string> FakeGuestHost::history() const {
    const std::lock_guard lock{mutex_};
    return history_;
}

std::vector<std::string> FakeGuestHost::guests() const {
    const std::lock_guard lock{mutex_};
    std::vector<std::string> names;
    for (const auto& [name, guest] : guests_) names.push_back(name);
    return names;
}

std::vector<GuestDisk> FakeGuestHost::disks(const std::string& name) const {
    const std::lock_guard lock{mutex_};
    std::vector<GuestDisk> list;
    const auto found = guests_.find(name);
    if (found == guests_.end()) return list;
    for (const auto& [serial, disk] : found->second.disks) list.push_back(disk.disk);
    return list;
}

void FakeGuestHost::start_guest(const GuestSpec& spec) {
    const std::lock_guard lock{mutex_};
    failures_.throw_if_planned("start_guest");
    if (guests_.contains(spec.name) || foreign_.contains(spec.name)) {
        throw Error{ErrorCode::conflict, "start guest '" + spec.name + "': the name is taken"};
    }
    Guest guest;
    guest.spec = spec;
    guest.wire = std::make_shared<Wire>();
    guests_.emplace(spec.name, std::move(guest));
    troubles_.erase(spec.name);
    history_.push_back("start_guest " + spec.name);
}

void FakeGuestHost::destroy_guest(const std::string& name) {
    const std::lock_guard lock{mutex_};
    failures_.throw_if_planned("destroy_guest");
    if (foreign_.contains(name)) {
        throw Error{ErrorCode::refused, "destroy guest '" + name + "': it is somebody else's"};
    }
    if (!guests_.contains(name)) return;
    end(name);
    troubles_.erase(name);
    history_.push_back("destroy_guest " + name);
}

bool FakeGuestHost::guest_exists(const std::string& name) {
    const std::lock_guard lock{mutex_};
    failures_.throw_if_planned("guest_exists");
    return guests_.contains(name) || foreign_.contains(name);
}

std::unique_ptr<ByteChannel> FakeGuestHost::open_channel(const std::string& name) {
    const std::lock_guard lock{mutex_};
    failures_.throw_if_planned("open_channel");
    return std::make_unique<Loopback>(guest_at(name).wire);
}

void FakeGuestHost::attach_disk(const std::string& name, const GuestDisk& disk) {
    const std::lock_guard lock{mutex_};
    failures_.throw_if_planned("attach_disk");
    Guest& guest = guest_at(name);
    if (guest.disks.contains(disk.serial)) {
        throw Error{ErrorCode::conflict, "attach disk '" + disk.serial + "': it is there already"};
    }
    guest.disks.emplace(disk.serial, Disk{.disk = disk, .counters = {}});
    history_.push_back("attach_disk " + disk.serial);
}

void FakeGuestHost::detach_disk(const std::string& name, const std::string& serial) {
    const std::lock_guard lock{mutex_};
    failures_.throw_if_planned("detach_disk");
    const auto found = guests_.find(name);
    if (found == guests_.end() || !found->second.disks.contains(serial)) return;
    if (found->second.holds_disks) {
        throw Error{ErrorCode::timed_out, "detach disk '" + serial + "': the guest holds it"};
    }
    found->second.disks.erase(serial);
    history_.push_back("detach_disk " + serial);
}

BlockCounters FakeGuestHost::block_counters(const std::string& name, const std::string& serial) {
    const std::lock_guard lock{mutex_};
    failures_.throw_if_planned("block_counters");
    return disk_at(name, serial).counters;
}

Seconds FakeGuestHost::cpu_time(const std::string& name) {
    const std::lock_guard lock{mutex_};
    failures_.throw_if_planned("cpu_time");
    return guest_at(name).cpu;
}

DiskDriver FakeGuestHost::live_driver(const std::string& name, const std::string& serial) {
    const std::lock_guard lock{mutex_};
    failures_.throw_if_planned("live_driver");
    return disk_at(name, serial).disk.driver;
}

std::optional<GuestTrouble> FakeGuestHost::trouble(const std::string& name) {
    const std::lock_guard lock{mutex_};
    failures_.throw_if_planned("trouble");
    if (const auto found = troubles_.find(name); found != troubles_.end()) return found->second;
    if (!guests_.contains(name)) return GuestTrouble{.what = "gone"};
    return std::nullopt;
}

std::vector<ForeignGuest> FakeGuestHost::foreign_guests() {
    const std::lock_guard lock{mutex_};
    failures_.throw_if_planned("foreign_guests");
    std::vector<ForeignGuest> list;
    for (const std::string& name : foreign_) list.push_back({name});
    return list;
}

std::string FakeGuestHost::libvirt_version() {
    const std::lock_guard lock{mutex_};
    failures_.throw_if_planned("libvirt_version");
    return "9.0.0";
}

std::string FakeGuestHost::qemu_version() {
    const std::lock_guard lock{mutex_};
    failures_.throw_if_planned("qemu_version");
    return "7.2.22";
}

}  // namespace poolwise::test
