// SPDX-License-Identifier: Apache-2.0
// A whole node in memory for tests of the use cases: every port is a working fake.
#pragma once

#include "module/runs/run_ports.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_engine.hpp"
#include "tests/fakes/fake_guest_host.hpp"
#include "tests/fakes/fake_guest_images.hpp"
#include "tests/fakes/fake_journal.hpp"
#include "tests/fakes/fake_node.hpp"
#include "tests/fakes/fake_run_store.hpp"
#include "tests/fakes/fake_storage.hpp"

namespace poolwise::test {

struct World {
    FakeStorage storage;
    FakeGuestHost guests;
    FakeEngines engines;
    FakeGuestImages images;
    FakeNode node;
    FakeRunStore store;
    FakeJournal journal;
    FakeClock clock;

    /// A pool "fast" with 100 GiB on an idle device "vda"; every job runs at 1000 IOPS, and QEMU's
    /// counters and the clock move with it.
    World() {
        node.activities["vda"] = {{.busy = Seconds{5}, .in_flight = 0}};
        engines.script = [this](const JobSpec& job, Layer layer) { return steady(job, layer); };
        storage.add_directory_pool("fast", Bytes{100ULL << 30U});
        node.places["/fake/fast"] = {.path = "/fake/fast",
                                     .file_system = "ext4",
                                     .mount_point = "/fake",
                                     .size = Bytes{200ULL << 30U},
                                     .free = Bytes{100ULL << 30U},
                                     .direct_io = true,
                                     .device = BackingDevice{.name = "vda"}};
    }

    World(const World&) = delete;
    World& operator=(const World&) = delete;

    JobOutcome steady(const JobSpec& job, Layer layer, Iops rate = Iops{1000}) {
        JobOutcome outcome = steady_outcome(job, rate);
        std::string path = job.disk.path;
        if (layer == Layer::guest) {
            const std::string guest = guests.guests().front();
            path = guests.disks(guest).front().path;
            guests.add_io(guest, job.disk.serial, outcome.report.device);
            guests.add_cpu_time(guest, outcome.report.wall * 0.5);
        }
        if (job.workload.id == "fill") storage.fill(path);
        clock.advance(outcome.report.wall);
        return outcome;
    }

    [[nodiscard]] RunPorts ports() {
        return {.storage = storage,
                .guests = guests,
                .engines = engines,
                .images = images,
                .node = node,
                .store = store,
                .journal = journal,
                .clock = clock};
    }
};

}  // namespace poolwise::test
