// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "guest_runner/image/elf_closure.hpp"
#include "guest_runner/image/kernel_finder.hpp"
#include "module/ports/guest_images.hpp"

namespace poolwise::guest_runner {

/// Where the node keeps what an image is made of.
struct ImageSources {
    std::filesystem::path boot_dir = "/boot";
    std::filesystem::path modules_dir = "/lib/modules";
    std::string fio = "fio";  ///< a name to look for, or a path
};

/// Builds and keeps guest images in a folder: <state dir>/<hash>/{kernel,initramfs,tools-disk},
/// named by what they are made of, so that a new kernel, fio, library or engine gives a new image.
///
/// Everything is searchable and readable by all, because QEMU runs unprivileged, and copied,
/// because libvirt changes the owner of files that a guest uses. The two images used last are
/// kept. Several processes may share the folder; each call blocks, seconds when it must build.
class ImageBuilder : public GuestImages {
public:
    /// @param state_dir  "/var/lib/poolwise/image"; made when missing.
    /// @param engine_program  the engine; static unless it was built for sanitizers.
    ImageBuilder(std::filesystem::path state_dir, std::filesystem::path engine_program,
                 ImageSources sources = {});

    /// @throws Error{unavailable} also: the folder cannot be written, a parent of it is closed to
    ///         others, or e2fsprogs is missing; {timed_out} a program it runs hangs.
    GuestImage ensure() override;

private:
    struct Inputs {
        InstalledKernel kernel;
        std::vector<std::filesystem::path> modules;
        ElfClosure engine_needs;
        std::filesystem::path fio;
        ElfClosure fio_needs;
    };
    [[nodiscard]] Inputs find_inputs() const;
    [[nodiscard]] std::string hash_of(const Inputs& inputs) const;
    void build(const Inputs& inputs, const std::filesystem::path& draft) const;
    [[nodiscard]] GuestImage image_at(const std::filesystem::path& folder,
                                      const Inputs& inputs) const;

    std::filesystem::path state_dir_;
    std::filesystem::path engine_;
    ImageSources sources_;
};

}  // namespace poolwise::guest_runner
