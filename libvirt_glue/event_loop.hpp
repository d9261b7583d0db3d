// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace poolwise::libvirt_glue {

/// Makes sure that this process is set up for libvirt: library initialised, its habit of printing
/// errors to stderr switched off, SIGPIPE ignored unless it has a handler, and libvirt's event loop
/// running on a thread of its own, which lives as long as the process. Keepalive and domain events
/// need that loop.
///
/// Must come before the first connection; Caller sees to it. Cheap, safe from any thread.
/// @throws Error{unavailable} libvirt could not be initialised.
void ensure_event_loop();

}  // namespace poolwise::libvirt_glue
