// SPDX-License-Identifier: Apache-2.0
// The folder that holds images: how it is made, what is a finished image in it, what may go.
#pragma once

#include <filesystem>

namespace poolwise::guest_runner {

inline constexpr const char* kKernelFile = "kernel";
inline constexpr const char* kInitramfsFile = "initramfs";
inline constexpr const char* kToolsDiskFile = "tools-disk";
inline constexpr const char* kFioVersionFile = "fio-version";

/// Makes the folder and missing parents, open to others for searching whatever the umask.
/// @throws Error{unavailable} not permitted, or a parent that exists is closed to others: names
///         the first one.
void make_state_dir(const std::filesystem::path& state_dir);

/// A fresh folder for an image that is being built; nobody takes it for an image.
[[nodiscard]] std::filesystem::path make_draft(const std::filesystem::path& state_dir);

[[nodiscard]] bool is_complete(const std::filesystem::path& image);

/// Turns a draft into an image, at once and on stable storage. Where another process was faster,
/// its image stays and the draft goes; a damaged image is replaced.
void publish(const std::filesystem::path& draft, const std::filesystem::path& image);

/// Notes that an image is used now, for remove_old_images().
void mark_used(const std::filesystem::path& image);

/// Keeps the two images used last. Running guests hold their files open and do not notice. Drafts
/// older than an hour belong to nobody any more.
void remove_old_images(const std::filesystem::path& state_dir);

}  // namespace poolwise::guest_runner
