// SPDX-License-Identifier: Apache-2.0
// libvirt's calls on pools. They block: run them on a Caller's thread only. Private to this folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libvirt_glue/handle.hpp"
#include "module/core/pool.hpp"

namespace poolwise::libvirt_glue::pool_calls {

/// @throws Error{not_found} naming the pool.
[[nodiscard]] Pool require(virConnectPtr connection, const std::string& name);

/// As require(), and the pool runs. @throws Error{conflict} it is inactive, and how to start it.
[[nodiscard]] Pool require_active(virConnectPtr connection, const std::string& name);

/// Space is what the file system says now where we can ask it: libvirt's own numbers are as old as
/// its last refresh of the pool.
[[nodiscard]] PoolInfo describe(virStoragePoolPtr pool);

/// A pool that vanishes meanwhile is left out.
[[nodiscard]] std::vector<PoolInfo> list(virConnectPtr connection);
[[nodiscard]] std::optional<PoolInfo> find(virConnectPtr connection, const std::string& name);
[[nodiscard]] std::optional<PoolInfo> find_covering(virConnectPtr connection,
                                                    const std::string& path);

/// @throws Error{not_found} `path` is not a directory; {conflict} the name is taken.
[[nodiscard]] PoolInfo create_directory_pool(virConnectPtr connection, const std::string& name,
                                             const std::string& path);

/// Gone is not an error. @throws Error{refused} the pool is persistent, so not one we made.
void remove(virConnectPtr connection, const std::string& name);

}  // namespace poolwise::libvirt_glue::pool_calls
