// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/libvirt_guest_host.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <string_view>
#include <vector>

#include "libvirt_glue/domain_xml.hpp"
#include "libvirt_glue/handle.hpp"
#include "libvirt_glue/libvirt_channel.hpp"
#include "libvirt_glue/listing.hpp"
#include "libvirt_glue/metadata.hpp"
#include "libvirt_glue/qemu_messages.hpp"

namespace poolwise::libvirt_glue {

namespace {

using SteadyClock = std::chrono::steady_clock;

// Events can be missed while libvirtd restarts, so the domain is looked at now and then.
constexpr std::chrono::seconds kLookInterval{1};

Domain find_domain(virConnectPtr connection, const std::string& name, const std::string& doing) {
    return adopt_if_found<Domain>(virDomainLookupByName(connection, name.c_str()), doing);
}

Domain get_domain(virConnectPtr connection, const std::string& name, const std::string& doing) {
    return adopt<Domain>(virDomainLookupByName(connection, name.c_str()), doing);
}

LiveDomain read_live(virDomainPtr domain, const std::string& doing) {
    return parse_live_domain(adopt_text(virDomainGetXMLDesc(domain, 0), doing));
}

LiveDisk get_disk(virDomainPtr domain, const std::string& serial, const std::string& doing) {
    const LiveDomain live = read_live(domain, doing);
    const LiveDisk* disk = live.find(serial);
    if (disk == nullptr) throw Error{ErrorCode::not_found, doing + ": the guest has no such disk"};
    return *disk;
}

std::string of_disk(const std::string& serial, const std::string& name) {
    return " disk '" + serial + "' of guest '" + name + "'";
}

/// @return the new domain's UUID.
std::string create(virConnectPtr connection, const GuestSpec& spec, const std::string& doing) {
    if (find_domain(connection, spec.name, doing)) {
        throw Error{ErrorCode::conflict, doing + ": a domain of that name exists"};
    }
    const Domain domain{virDomainCreateXML(connection, guest_domain_xml(spec).c_str(), 0)};
    if (!domain) {
        throw with_advice(last_error(doing),
                          {spec.kernel_path, spec.initramfs_path, spec.tools_disk_path});
    }
    std::array<char, VIR_UUID_STRING_BUFLEN> uuid{};
    checked(virDomainGetUUIDString(domain.get(), uuid.data()), doing);
    return uuid.data();
}

void destroy_created(virConnectPtr connection, const std::string& uuid) {
    const std::string doing = "destroy late domain '" + uuid + "'";
    const auto domain =
        adopt_if_found<Domain>(virDomainLookupByUUIDString(connection, uuid.c_str()), doing);
    if (domain) checked(virDomainDestroy(domain.get()), doing);
}

void destroy(virConnectPtr connection, const std::string& name, const std::string& doing) {
    const auto domain = find_domain(connection, name, doing);
    if (!domain) return;
    const auto mark = unless_gone([&] { return metadata_run_id(domain.get()); });
    if (!mark) return;
    if (!*mark) {
        throw Error{ErrorCode::refused, doing +
                                            ": it does not carry poolwise's mark, so it is "
                                            "somebody else's; end it yourself if you may"};
    }
    if (virDomainIsActive(domain.get()) != 1 || virDomainDestroy(domain.get()) == 0) return;
    const Error error = last_error(doing);
    // It may have ended by itself between the look and the call.
    if (find_domain(connection, name, doing)) throw error;
}

void attach(virConnectPtr connection, const std::string& name, const GuestDisk& disk,
            const std::string& doing) {
    const auto domain = get_domain(connection, name, doing);
    const LiveDomain live = read_live(domain.get(), doing);
    if (live.find(disk.serial) != nullptr) {
        throw Error{ErrorCode::conflict, doing + ": the guest has a disk of that serial"};
    }
    const auto iothread = disk.driver.iothread ? std::optional{free_iothread(live)} : std::nullopt;
    const std::string xml = disk_xml(disk, free_target(live), iothread);
    if (virDomainAttachDeviceFlags(domain.get(), xml.c_str(), VIR_DOMAIN_AFFECT_LIVE) < 0) {
        throw with_advice(last_error(doing), {disk.path});
    }
}

void request_removal(virConnectPtr connection, const std::string& name, const std::string& alias,
                     const std::string& doing) {
    const auto domain = find_domain(connection, name, doing);
    if (!domain) return;
    const int result =
        virDomainDetachDeviceAlias(domain.get(), alias.c_str(), VIR_DOMAIN_AFFECT_LIVE);
    if (result == 0) return;
    // Not there, or being removed already: whoever waits will see.
    const Error error = last_error(doing);
    const bool under_way =
        std::string_view{error.what()}.find("in the process of unplug") != std::string_view::npos;
    if (error.code() != ErrorCode::not_found && !under_way) throw error;
}

std::map<std::string, std::uint64_t, std::less<>> read_statistics(virDomainPtr domain,
                                                                  const std::string& target,
                                                                  const std::string& doing) {
    int count = 0;
    checked(virDomainBlockStatsFlags(domain, target.c_str(), nullptr, &count, 0), doing);
    std::vector<virTypedParameter> parameters(static_cast<std::size_t>(count));
    checked(virDomainBlockStatsFlags(domain, target.c_str(), parameters.data(), &count, 0), doing);
    std::map<std::string, std::uint64_t, std::less<>> values;
    for (const auto& parameter : parameters) {
        if (parameter.type != VIR_TYPED_PARAM_LLONG) continue;
        values[parameter.field] = static_cast<std::uint64_t>(std::max(0LL, parameter.value.l));
    }
    return values;
}

BlockCounters read_counters(virConnectPtr connection, const std::string& name,
                            const std::string& serial, const std::string& doing) {
    const auto domain = get_domain(connection, name, doing);
    const auto disk = get_disk(domain.get(), serial, doing);
    const auto values = read_statistics(domain.get(), disk.target, doing);
    const auto value = [&](const char* field) {
        const auto found = values.find(field);
        if (found != values.end()) return found->second;
        throw Error{ErrorCode::hypervisor_failed,
                    doing + ": libvirt's statistics lack '" + field + "'"};
    };
    return {.read_requests = value(VIR_DOMAIN_BLOCK_STATS_READ_REQ),
            .write_requests = value(VIR_DOMAIN_BLOCK_STATS_WRITE_REQ),
            .flush_requests = value(VIR_DOMAIN_BLOCK_STATS_FLUSH_REQ),
            .read_bytes = Bytes{value(VIR_DOMAIN_BLOCK_STATS_READ_BYTES)},
            .write_bytes = Bytes{value(VIR_DOMAIN_BLOCK_STATS_WRITE_BYTES)}};
}

std::vector<ForeignGuest> list_foreign(virConnectPtr connection, const std::string& doing) {
    virDomainPtr* raw = nullptr;
    const int count =
        checked(virConnectListAllDomains(connection, &raw, VIR_CONNECT_LIST_DOMAINS_ACTIVE), doing);
    std::vector<ForeignGuest> foreign;
    for (const Domain& domain : adopt_list<Domain>(raw, count)) {
        const auto mark = unless_gone([&] { return metadata_run_id(domain.get()); });
        if (mark && !*mark) foreign.push_back({virDomainGetName(domain.get())});
    }
    return foreign;
}

// libvirt: major * 1,000,000 + minor * 1,000 + release.
std::string version_text(unsigned long version) {
    return std::to_string(version / 1'000'000) + '.' + std::to_string(version / 1'000 % 1'000) +
           '.' + std::to_string(version % 1'000);
}

}  // namespace

LibvirtGuestHost::LibvirtGuestHost(Caller& main, Caller& cleanup, GuestHostLimits limits)
    : main_{main}, cleanup_{cleanup}, limits_{limits}, events_{main.uri()} {}

void LibvirtGuestHost::start_guest(const GuestSpec& spec) {
    const std::string doing = "start guest '" + spec.name + "'";
    const std::string uuid = main_.call(
        doing, limits_.start,
        [spec, doing](virConnectPtr connection) { return create(connection, spec, doing); },
        &destroy_created);
    events_.watch(spec.name, uuid);
}

void LibvirtGuestHost::destroy_guest(const std::string& name) {
    const std::string doing = "destroy guest '" + name + "'";
    cleanup_.call(doing, limits_.destroy,
                  [name, doing](virConnectPtr connection) { destroy(connection, name, doing); });
    events_.forget(name);
}

bool LibvirtGuestHost::guest_exists(const std::string& name) {
    const std::string doing = "look for guest '" + name + "'";
    return main_.call(doing, limits_.query, [name, doing](virConnectPtr connection) {
        return find_domain(connection, name, doing) != nullptr;
    });
}

std::unique_ptr<ByteChannel> LibvirtGuestHost::open_channel(const std::string& name) {
    return std::make_unique<LibvirtChannel>(main_.uri(), name);
}

void LibvirtGuestHost::attach_disk(const std::string& name, const GuestDisk& disk) {
    const std::string doing = "attach" + of_disk(disk.serial, name);
    const std::lock_guard lock{attaching_};
    main_.call(doing, limits_.attach, [name, disk, doing](virConnectPtr connection) {
        attach(connection, name, disk, doing);
    });
}

std::optional<std::string> LibvirtGuestHost::find_alias(const std::string& name,
                                                        const std::string& serial) {
    const std::string doing = "look for" + of_disk(serial, name);
    return main_.call(
        doing, limits_.query,
        [name, serial, doing](virConnectPtr connection) -> std::optional<std::string> {
            return unless_gone([&] {
                const auto domain = get_domain(connection, name, doing);
                return get_disk(domain.get(), serial, doing).alias;
            });
        });
}

void LibvirtGuestHost::detach_disk(const std::string& name, const std::string& serial) {
    const std::string doing = "detach" + of_disk(serial, name);
    const auto limit =
        SteadyClock::now() + std::chrono::duration_cast<SteadyClock::duration>(limits_.detach);
    const auto alias = find_alias(name, serial);
    if (!alias) return;

    DomainEvents::RemovalWatch removal{events_, name, *alias};
    main_.call(doing, limits_.detach, [name, alias, doing](virConnectPtr connection) {
        request_removal(connection, name, *alias, doing);
    });
    while (true) {
        switch (removal.wait_until(std::min(limit, SteadyClock::now() + kLookInterval))) {
            case DomainEvents::Removal::removed:
                return;
            case DomainEvents::Removal::refused:
                throw Error{ErrorCode::guest_failed, doing + ": the guest refused"};
            case DomainEvents::Removal::pending:
                break;
        }
        if (!find_alias(name, serial)) return;
        if (SteadyClock::now() >= limit) {
            throw Error{ErrorCode::timed_out,
                        doing +
                            ": the guest did not let go in time; destroy the guest before "
                            "the volume is touched"};
        }
    }
}

BlockCounters LibvirtGuestHost::block_counters(const std::string& name, const std::string& serial) {
    const std::string doing = "read the counters of" + of_disk(serial, name);
    return main_.call(doing, limits_.query, [name, serial, doing](virConnectPtr connection) {
        return read_counters(connection, name, serial, doing);
    });
}

Seconds LibvirtGuestHost::cpu_time(const std::string& name) {
    const std::string doing = "read the CPU time of guest '" + name + "'";
    return main_.call(doing, limits_.query, [name, doing](virConnectPtr connection) {
        const auto domain = get_domain(connection, name, doing);
        virDomainInfo info{};
        checked(virDomainGetInfo(domain.get(), &info), doing);
        return Seconds{std::chrono::nanoseconds{info.cpuTime}};
    });
}

DiskDriver LibvirtGuestHost::live_driver(const std::string& name, const std::string& serial) {
    const std::string doing = "read the settings of" + of_disk(serial, name);
    return main_.call(doing, limits_.query, [name, serial, doing](virConnectPtr connection) {
        const auto domain = get_domain(connection, name, doing);
        return get_disk(domain.get(), serial, doing).driver;
    });
}

std::optional<GuestTrouble> LibvirtGuestHost::trouble(const std::string& name) {
    return events_.trouble(name);
}

std::vector<ForeignGuest> LibvirtGuestHost::foreign_guests() {
    const std::string doing = "list running guests";
    return main_.call(doing, limits_.query, [doing](virConnectPtr connection) {
        return list_foreign(connection, doing);
    });
}

std::string LibvirtGuestHost::libvirt_version() {
    const std::string doing = "ask for libvirt's version";
    return main_.call(doing, limits_.query, [doing](virConnectPtr connection) {
        unsigned long version = 0;
        checked(virConnectGetLibVersion(connection, &version), doing);
        return version_text(version);
    });
}

std::string LibvirtGuestHost::qemu_version() {
    const std::string doing = "ask for QEMU's version";
    return main_.call(doing, limits_.query, [doing](virConnectPtr connection) {
        unsigned long version = 0;
        checked(virConnectGetVersion(connection, &version), doing);
        return version_text(version);
    });
}

}  // namespace poolwise::libvirt_glue
