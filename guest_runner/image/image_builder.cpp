// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/image_builder.hpp"

#include <system_error>
#include <utility>

#include <unistd.h>

#include "guest_runner/image/file_digests.hpp"
#include "guest_runner/image/files.hpp"
#include "guest_runner/image/image_folder.hpp"
#include "guest_runner/image/initramfs.hpp"
#include "guest_runner/image/module_closure.hpp"
#include "guest_runner/image/run_program.hpp"
#include "guest_runner/image/sha256.hpp"
#include "guest_runner/image/tools_disk.hpp"

namespace poolwise::guest_runner {
namespace {

/// Part of every hash: count up when the same inputs shall give different files.
constexpr const char* kFormat = "poolwise image 1\n";
constexpr int kAttempts = 3;

/// ext4 asks for crc32c through the crypto interface, which calls modprobe, which the guest lacks;
/// kernels where the generic code is no module of its own have it built in.
const std::vector<WantedModule> kGuestModules{{.name = "virtio_pci"},
                                              {.name = "virtio_console"},
                                              {.name = "virtio_blk"},
                                              {.name = "crc32c_generic", .required = false},
                                              {.name = "ext4"}};

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

/// Removes a draft; one that became an image has another name by then.
class DraftGuard {
public:
    explicit DraftGuard(std::filesystem::path draft) : draft_{std::move(draft)} {}
    ~DraftGuard() {
        std::error_code gone;
        std::filesystem::remove_all(draft_, gone);
    }
    DraftGuard(const DraftGuard&) = delete;
    DraftGuard& operator=(const DraftGuard&) = delete;

private:
    std::filesystem::path draft_;
};

}  // namespace

ImageBuilder::ImageBuilder(std::filesystem::path state_dir, std::filesystem::path engine_program,
                           ImageSources sources)
    : state_dir_{std::move(state_dir)},
      engine_{std::move(engine_program)},
      sources_{std::move(sources)} {}

GuestImage ImageBuilder::ensure() {
    make_state_dir(state_dir_);
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        const Inputs inputs = find_inputs();
        const std::string hash = hash_of(inputs);
        const std::filesystem::path folder = state_dir_ / hash;
        if (!is_complete(folder)) {
            const std::filesystem::path draft = make_draft(state_dir_);
            const DraftGuard guard{draft};
            build(inputs, draft);
            // An upgrade of the node may have replaced a file between hashing and copying.
            if (hash_of(find_inputs()) != hash) continue;
            publish(draft, folder);
            mark_used(folder);
            remove_old_images(state_dir_);
        }
        mark_used(folder);
        return image_at(folder, inputs);
    }
    throw Error{ErrorCode::unavailable,
                "build the guest image in '" + state_dir_.string() +
                    "': the node's kernel, fio or libraries change all the time; try again when "
                    "its upgrade is over"};
}

ImageBuilder::Inputs ImageBuilder::find_inputs() const {
    if (access(engine_.c_str(), X_OK) != 0) {
        throw Error{ErrorCode::unavailable, "find the engine program '" + engine_.string() +
                                                "': not there or not executable; install poolwise "
                                                "completely or build the target poolwise_engine"};
    }
    const auto fio = find_program(sources_.fio);
    if (!fio) {
        throw Error{ErrorCode::unavailable, "find the program '" + sources_.fio +
                                                "': not installed; install it: apt install fio"};
    }
    Inputs inputs;
    inputs.kernel = find_newest_kernel(sources_.boot_dir, sources_.modules_dir);
    inputs.modules = module_closure(inputs.kernel.modules, kGuestModules);
    inputs.engine_needs = elf_closure(engine_);
    inputs.fio = *fio;
    inputs.fio_needs = elf_closure(*fio);
    return inputs;
}

std::string ImageBuilder::hash_of(const Inputs& inputs) const {
    FileDigests digests{state_dir_ / "digests"};
    std::string recipe = kFormat;
    const auto add = [&](const std::string& what, const std::filesystem::path& file) {
        recipe += what + ' ' + digests.digest_of(file) + '\n';
    };
    const auto add_program = [&](const std::string& what, const std::filesystem::path& program,
                                 const ElfClosure& needs) {
        add(what, program);
        if (needs.loader) add("loader " + needs.loader->string(), *needs.loader);
        for (const SharedLibrary& library : needs.libraries) {
            add("library " + library.name, library.file);
        }
    };
    add("kernel " + inputs.kernel.release, inputs.kernel.image);
    for (const std::filesystem::path& module : inputs.modules) {
        add("module " + module.filename().string(), module);
    }
    add_program("engine", engine_, inputs.engine_needs);
    add_program("fio", inputs.fio, inputs.fio_needs);
    digests.save();
    return sha256_of(recipe);
}

void ImageBuilder::build(const Inputs& inputs, const std::filesystem::path& draft) const {
    write_file(draft / kKernelFile, read_file(inputs.kernel.image), 0644);
    write_file(draft / kInitramfsFile,
               build_initramfs(engine_, inputs.engine_needs, inputs.modules), 0644);
    build_tools_disk(inputs.fio, inputs.fio_needs, draft / kToolsDiskFile);
    const std::string version =
        output_of({.program = inputs.fio, .arguments = {"--version"}, .environment = {}});
    write_file(draft / kFioVersionFile, first_line(version) + '\n', 0644);
}

GuestImage ImageBuilder::image_at(const std::filesystem::path& folder, const Inputs& inputs) const {
    return {.kernel_path = folder / kKernelFile,
            .initramfs_path = folder / kInitramfsFile,
            .tools_disk_path = folder / kToolsDiskFile,
            .facts = {.hash = folder.filename().string(),
                      .kernel = inputs.kernel.release,
                      .fio = first_line(read_file(folder / kFioVersionFile))}};
}

}  // namespace poolwise::guest_runner
