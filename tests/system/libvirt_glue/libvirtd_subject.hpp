// SPDX-License-Identifier: Apache-2.0
// Storage on a real libvirtd, with pools in a folder of its own.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "libvirt_glue/libvirt_storage.hpp"
#include "tests/contract/storage_subject.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace poolwise::test {

/// Two pools on a real libvirtd: one active and transient, one defined and not started.
class LibvirtdSubject final : public StorageSubject {
public:
    explicit LibvirtdSubject(const std::string& uri = "qemu:///system",
                             libvirt_glue::StorageDeadlines deadlines = {});
    ~LibvirtdSubject() override;

    std::string trouble() override { return trouble_; }
    Storage& storage() override { return storage_; }
    std::string pool() override;
    std::string inactive_pool() override;
    std::string free_directory() override;
    bool makes_images() override { return true; }

    [[nodiscard]] std::filesystem::path pool_path() const { return folder_.path() / "pool"; }
    [[nodiscard]] libvirt_glue::Caller& caller() noexcept { return main_; }

private:
    void make_pools();

    const ScratchFolder folder_{"/var/tmp"};
    libvirt_glue::Caller main_;
    libvirt_glue::Caller cleanup_;
    libvirt_glue::LibvirtStorage storage_;
    std::string trouble_;
};

}  // namespace poolwise::test
