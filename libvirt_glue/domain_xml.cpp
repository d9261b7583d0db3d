// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/domain_xml.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <pugixml.hpp>

#include "libvirt_glue/metadata.hpp"
#include "libvirt_glue/xml_text.hpp"
#include "module/core/names.hpp"

namespace poolwise::libvirt_glue {

namespace {

// panic=-1: a crashed kernel resets at once, which on_reboot turns into the end of the domain.
// Emulated, each character on the serial port costs microseconds, so the kernel only speaks when
// something is wrong.
constexpr const char* kKernelCommandLine = "console=ttyS0 quiet loglevel=3 panic=-1";

void set(pugi::xml_node node, const char* attribute, unsigned value) {
    node.append_attribute(attribute) = value;
}

void set(pugi::xml_node node, const char* attribute, std::string_view value) {
    node.append_attribute(attribute) = std::string{value}.c_str();
}

std::optional<unsigned> unsigned_attribute(const pugi::xml_node& node, const char* name) {
    const auto attribute = node.attribute(name);
    return attribute ? std::optional{attribute.as_uint()} : std::nullopt;
}

bool is_block_device(const std::string& path) {
    return path.starts_with("/dev/") && !path.starts_with("/dev/shm/");
}

pugi::xml_node add_disk(pugi::xml_node parent, const std::string& path) {
    const bool block = is_block_device(path);
    auto disk = parent.append_child("disk");
    set(disk, "type", block ? "block" : "file");
    set(disk, "device", "disk");
    set(disk.append_child("source"), block ? "dev" : "file", path);
    return disk;
}

void add_target(pugi::xml_node disk, const std::string& device, const std::string& serial) {
    auto target = disk.append_child("target");
    set(target, "dev", device);
    set(target, "bus", "virtio");
    append_text(disk, "serial", serial);
}

void add_driver(pugi::xml_node disk, const GuestDisk& wanted, std::optional<unsigned> iothread) {
    auto driver = disk.append_child("driver");
    set(driver, "name", "qemu");
    set(driver, "type", enum_name(kFormatNames, wanted.format));
    set(driver, "cache", enum_name(kCacheModeNames, wanted.driver.cache));
    set(driver, "io", enum_name(kIoModeNames, wanted.driver.io));
    set(driver, "discard", enum_name(kDiscardNames, wanted.driver.discard));
    if (wanted.driver.queues) set(driver, "queues", *wanted.driver.queues);
    if (iothread) set(driver, "iothread", *iothread);
}

void add_boot(pugi::xml_node domain, const GuestSpec& spec) {
    auto os = domain.append_child("os");
    auto type = os.append_child("type");
    set(type, "arch", "x86_64");
    set(type, "machine", "pc");  // under emulation it boots 1.2 s faster than q35
    type.text() = "hvm";
    append_text(os, "kernel", spec.kernel_path);
    append_text(os, "initrd", spec.initramfs_path);
    append_text(os, "cmdline", kKernelCommandLine);
}

void add_tools_disk(pugi::xml_node devices, const GuestSpec& spec) {
    auto disk = add_disk(devices, spec.tools_disk_path);
    auto driver = disk.append_child("driver");
    set(driver, "name", "qemu");
    set(driver, "type", "raw");
    add_target(disk, "vda", kToolsSerial);
    disk.append_child("readonly");
}

// libvirt adds a USB controller and a memory balloon unless it is told not to.
void add_devices(pugi::xml_node domain, const GuestSpec& spec) {
    auto devices = domain.append_child("devices");
    add_tools_disk(devices, spec);
    auto usb = devices.append_child("controller");
    set(usb, "type", "usb");
    set(usb, "model", "none");
    set(devices.append_child("controller"), "type", "virtio-serial");
    auto channel = devices.append_child("channel");
    set(channel, "type", "unix");
    auto port = channel.append_child("target");
    set(port, "type", "virtio");
    set(port, "name", kEngineChannel);
    set(devices.append_child("serial"), "type", "pty");
    set(devices.append_child("memballoon"), "model", "none");
}

DiskDriver read_driver(const pugi::xml_node& disk) {
    const auto driver = disk.child("driver");
    const auto text = [&driver](const char* name) {
        return std::string_view{driver.attribute(name).value()};
    };
    DiskDriver read;
    // libvirt's own defaults where the attribute is absent.
    read.cache = enum_value(kCacheModeNames, text("cache")).value_or(CacheMode::writeback);
    read.io = enum_value(kIoModeNames, text("io")).value_or(IoMode::threads);
    read.discard = enum_value(kDiscardNames, text("discard")).value_or(Discard::ignore);
    read.queues = unsigned_attribute(driver, "queues");
    read.iothread = !driver.attribute("iothread").empty();
    if (const auto limit = disk.child("iotune").child("total_iops_sec")) {
        read.iops_limit = Iops{limit.text().as_double()};
    }
    return read;
}

}  // namespace

std::string guest_domain_xml(const GuestSpec& spec) {
    pugi::xml_document document;
    auto domain = document.append_child("domain");
    const bool kvm = spec.accelerator == Accelerator::kvm;
    set(domain, "type", kvm ? "kvm" : "qemu");
    append_text(domain, "name", spec.name);
    append_metadata(domain, spec.run_id);
    append_bytes(domain, "memory", spec.memory);
    append_text(domain, "vcpu", std::to_string(spec.vcpus));
    if (spec.iothreads > 0) append_text(domain, "iothreads", std::to_string(spec.iothreads));
    add_boot(domain, spec);
    auto features = domain.append_child("features");
    features.append_child("acpi");  // hot-plug on machine `pc` goes through ACPI
    features.append_child("apic");
    if (kvm) set(domain.append_child("cpu"), "mode", "host-passthrough");
    for (const char* end : {"on_poweroff", "on_reboot", "on_crash"}) {
        append_text(domain, end, "destroy");
    }
    add_devices(domain, spec);
    return to_text(document);
}

std::string disk_xml(const GuestDisk& disk, const std::string& target,
                     std::optional<unsigned> iothread) {
    pugi::xml_document document;
    auto element = add_disk(document, disk.path);
    add_driver(element, disk, iothread);
    if (disk.driver.iops_limit) {
        append_text(element.append_child("iotune"), "total_iops_sec",
                    std::to_string(std::llround(disk.driver.iops_limit->count())));
    }
    add_target(element, target, disk.serial);
    return to_text(document);
}

const LiveDisk* LiveDomain::find(const std::string& serial) const noexcept {
    const auto found = std::find_if(disks.begin(), disks.end(), [&serial](const LiveDisk& disk) {
        return disk.serial == serial;
    });
    return found == disks.end() ? nullptr : &*found;
}

LiveDomain parse_live_domain(const std::string& xml) {
    pugi::xml_document document;
    const auto root = parse_root(document, xml, "domain");
    LiveDomain domain;
    domain.type = root.attribute("type").value();
    domain.iothreads = root.child("iothreads").text().as_uint();
    for (const auto& disk : root.child("devices").children("disk")) {
        domain.disks.push_back({.serial = disk.child("serial").text().get(),
                                .target = disk.child("target").attribute("dev").value(),
                                .alias = disk.child("alias").attribute("name").value(),
                                .iothread = unsigned_attribute(disk.child("driver"), "iothread"),
                                .driver = read_driver(disk)});
    }
    return domain;
}

std::string free_target(const LiveDomain& domain) {
    for (char letter = 'a'; letter <= 'z'; ++letter) {
        std::string name = std::string{"vd"} + letter;
        const bool taken = std::any_of(domain.disks.begin(), domain.disks.end(),
                                       [&](const LiveDisk& disk) { return disk.target == name; });
        if (!taken) return name;
    }
    throw Error{ErrorCode::conflict, "attach a disk: the guest has 26 virtio disks already"};
}

unsigned free_iothread(const LiveDomain& domain) {
    for (unsigned id = 1; id <= domain.iothreads; ++id) {
        const bool taken = std::any_of(domain.disks.begin(), domain.disks.end(),
                                       [id](const LiveDisk& disk) { return disk.iothread == id; });
        if (!taken) return id;
    }
    throw Error{ErrorCode::conflict, "attach a disk with an I/O thread: all " +
                                         std::to_string(domain.iothreads) +
                                         " of the guest's are in use"};
}

}  // namespace poolwise::libvirt_glue
