// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "module/ports/byte_channel.hpp"

namespace poolwise::guest_runner {

/// Starts the engine program as a child process and returns the channel to it.
///
/// The channel owns the child: destroying it closes the channel, upon which the engine kills its
/// job and exits, and kills an engine that has not done so within 2 s. The same end of file reaches
/// the engine when this process dies, however it dies.
///
/// @param fio_path  empty: fio is looked up in PATH.
/// @throws Error{unavailable} the program is missing or may not be run.
[[nodiscard]] std::unique_ptr<ByteChannel> start_host_engine(const std::string& engine_program,
                                                             const std::string& fio_path);

}  // namespace poolwise::guest_runner
