// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "module/ports/clock.hpp"
#include "module/ports/engine.hpp"
#include "module/ports/guest_host.hpp"
#include "module/ports/guest_images.hpp"
#include "module/ports/journal.hpp"
#include "module/ports/node.hpp"
#include "module/ports/run_store.hpp"
#include "module/ports/storage.hpp"

namespace poolwise {

/// Everything a run needs from outside. The composition owns the adapters and outlives the run.
struct RunPorts {
    Storage& storage;
    GuestHost& guests;
    Engines& engines;
    GuestImages& images;
    Node& node;
    RunStore& store;
    Journal& journal;
    Clock& clock;
};

}  // namespace poolwise
