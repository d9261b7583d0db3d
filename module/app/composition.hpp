// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "guest_runner/engines.hpp"
#include "guest_runner/image/image_builder.hpp"
#include "libvirt_glue/caller.hpp"
#include "libvirt_glue/libvirt_guest_host.hpp"
#include "libvirt_glue/libvirt_storage.hpp"
#include "module/app/locations.hpp"
#include "module/host/linux_node.hpp"
#include "module/host/system_clock.hpp"
#include "module/runs/run_ports.hpp"
#include "module/store/sqlite_store.hpp"

namespace poolwise {

/// The real adapters, put together once per process. Nothing connects before it is used.
class Composition {
public:
    Composition(const std::string& uri, const std::filesystem::path& state_folder,
                const Installation& installation)
        : measuring_{uri},
          cleaning_{uri},
          storage_{measuring_, cleaning_},
          guests_{measuring_, cleaning_},
          engines_{installation.engine.string()},
          images_{state_folder / "image", installation.engine},
          store_{state_folder / "poolwise.db"} {}

    [[nodiscard]] RunPorts ports() {
        return {.storage = storage_,
                .guests = guests_,
                .engines = engines_,
                .images = images_,
                .node = node_,
                .store = store_,
                .journal = store_,
                .clock = clock_};
    }

private:
    libvirt_glue::Caller measuring_;
    libvirt_glue::Caller cleaning_;
    libvirt_glue::LibvirtStorage storage_;
    libvirt_glue::LibvirtGuestHost guests_;
    guest_runner::EngineConnector engines_;
    guest_runner::ImageBuilder images_;
    LinuxNode node_;
    SystemClock clock_;
    SqliteStore store_;
};

}  // namespace poolwise
