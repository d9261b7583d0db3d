// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace poolwise {

/// Makes sure that `file` exists: missing directories are made searchable by everybody (0711:
/// QEMU, an unprivileged user, opens guest images that lie beside the store), a missing file empty
/// and for us alone (0600; SQLite gives its side files the same mode). What exists stays as it is.
/// @throws Error{store_failed}.
void ensure_database_file(const std::filesystem::path& file);

}  // namespace poolwise
