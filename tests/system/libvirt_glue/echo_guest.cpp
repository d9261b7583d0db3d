// SPDX-License-Identifier: Apache-2.0
#include "tests/system/libvirt_glue/echo_guest.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include <gtest/gtest.h>
#include <libvirt/libvirt.h>
#include <unistd.h>

#include "libvirt_glue/handle.hpp"

namespace poolwise::test {

namespace fs = std::filesystem;

namespace {

constexpr const char* kForeignName = "poolwise-test-foreign";
constexpr std::array kModules{"virtio_ring",           "virtio",     "virtio_pci_modern_dev",
                              "virtio_pci_legacy_dev", "virtio_pci", "virtio_blk",
                              "virtio_console"};

/// The newest kernel that has its modules; empty if there is none.
std::string newest_release() {
    std::vector<std::string> releases;
    for (const auto& entry : fs::directory_iterator{"/boot"}) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with("vmlinuz-")) continue;
        const std::string release = name.substr(8);
        if (fs::exists("/lib/modules/" + release)) releases.push_back(release);
    }
    return releases.empty() ? "" : *std::max_element(releases.begin(), releases.end());
}

std::string contents(const fs::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

/// One entry of a "newc" cpio archive (cpio(5)): a header of hexadecimal fields, name, data, each
/// padded to four bytes.
void append_entry(std::string& archive, const std::string& name, unsigned mode,
                  const std::string& data) {
    static unsigned inode = 0;
    std::array<char, 111> header{};
    std::snprintf(header.data(), header.size(),
                  "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X", ++inode, mode, 0U,
                  0U, 1U, 0U, static_cast<unsigned>(data.size()), 0U, 0U, 0U, 0U,
                  static_cast<unsigned>(name.size() + 1), 0U);
    archive += header.data() + name + '\0';
    archive.resize((archive.size() + 3) / 4 * 4);
    archive += data;
    archive.resize((archive.size() + 3) / 4 * 4);
}

std::string initramfs(const std::string& release) {
    std::string archive;
    for (const char* folder : {"proc", "sys", "dev", "lib", "lib/modules"}) {
        append_entry(archive, folder, 0040755, {});
    }
    append_entry(archive, "init", 0100755, contents(POOLWISE_ECHO_INIT));
    for (const auto& entry :
         fs::recursive_directory_iterator{"/lib/modules/" + release + "/kernel"}) {
        const bool wanted =
            std::find(kModules.begin(), kModules.end(), entry.path().stem()) != kModules.end();
        if (!wanted || !entry.is_regular_file()) continue;
        append_entry(archive, "lib/modules/" + entry.path().filename().string(), 0100644,
                     contents(entry.path()));
    }
    append_entry(archive, "TRAILER!!!", 0, {});
    return archive;
}

/// The foreign guest never runs an instruction: it starts paused.
void start_foreign() {
    const libvirt_glue::Connection connection{virConnectOpen(kUri)};
    const libvirt_glue::Domain domain{virDomainCreateXML(
        connection.get(),
        ("<domain type='qemu'><name>" + std::string{kForeignName} +
         "</name><memory unit='MiB'>32</memory><os><type machine='pc'>hvm</type></os></domain>")
            .c_str(),
        VIR_DOMAIN_START_PAUSED)};
    if (!domain) throw std::runtime_error{"the foreign guest does not start"};
}

void destroy_foreign() {
    const libvirt_glue::Connection connection{virConnectOpen(kUri)};
    const libvirt_glue::Domain domain{virDomainLookupByName(connection.get(), kForeignName)};
    if (domain) virDomainDestroy(domain.get());
}

}  // namespace

std::string sparse_file(const ScratchFolder& folder, const std::string& name, unsigned mebibytes) {
    const fs::path file = folder.path() / name;
    std::ofstream{file};
    fs::resize_file(file, std::uintmax_t{mebibytes} << 20U);
    return file.string();
}

std::string qcow2_file(const ScratchFolder& folder, const std::string& name, unsigned mebibytes,
                       const std::string& backing) {
    const std::string file = (folder.path() / name).string();
    const std::string base = backing.empty() ? "" : "-F raw -b '" + backing + "' ";
    const std::string command =
        "qemu-img create -q -f qcow2 " + base + "'" + file + "' " + std::to_string(mebibytes) + "M";
    if (std::system(command.c_str()) != 0) throw std::runtime_error{"failed: " + command};
    return file;
}

EchoGuests::EchoGuests(libvirt_glue::GuestHostLimits limits) : host_{main_, cleanup_, limits} {
    const std::string release = newest_release();
    if (release.empty()) return;
    // A copy: libvirt changes the owner of the files it uses.
    fs::copy_file("/boot/vmlinuz-" + release, folder_.path() / "kernel");
    std::ofstream{folder_.path() / "initramfs", std::ios::binary} << initramfs(release);
    sparse_file(folder_, "tools", 1);
}

std::string EchoGuests::trouble() {
    if (geteuid() != 0) return "needs root: QEMU runs as another user, and daemons are restarted";
    if (newest_release().empty()) return "no kernel in /boot that has its modules";
    try {
        static_cast<void>(host_.qemu_version());
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

EchoGuests::~EchoGuests() {
    for (const std::string& name : names_) host_.destroy_guest(name);
    if (has_foreign_) destroy_foreign();
}

GuestSpec EchoGuests::spec(const std::string& name) {
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
    return {.name = name,
            .run_id = "contrac2",
            .accelerator = Accelerator::tcg,
            .vcpus = 1,
            .iothreads = 2,
            .memory = Bytes{std::uint64_t{256} << 20U},
            .kernel_path = (folder_.path() / "kernel").string(),
            .initramfs_path = (folder_.path() / "initramfs").string(),
            .tools_disk_path = (folder_.path() / "tools").string()};
}

GuestDisk EchoGuests::disk(const std::string& serial) {
    return {.serial = serial,
            .path = sparse_file(folder_, serial, 16),
            .format = Format::raw,
            .driver = {}};
}

void EchoGuests::write(ByteChannel& channel, const std::string& /*name*/, const std::string& serial,
                       unsigned mebibytes) {
    write_line(channel, "write " + serial + ' ' + std::to_string(mebibytes));
    EXPECT_EQ(read_line(channel, std::chrono::seconds{60}), "written " + std::to_string(mebibytes));
}

void EchoGuests::crash(ByteChannel& channel, const std::string& /*name*/) {
    write_line(channel, "crash");
}

std::string EchoGuests::foreign_guest() {
    has_foreign_ = true;
    start_foreign();
    return kForeignName;
}

}  // namespace poolwise::test
