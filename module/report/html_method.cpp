// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <fmt/format.h>

#include "module/core/size_text.hpp"
#include "module/report/html_parts.hpp"
#include "module/report/text_format.hpp"

namespace poolwise {
namespace {

std::string with_detail(const std::string& text, const std::string& detail) {
    return detail.empty() ? text : text + " (" + detail + ")";
}

std::string node_facts(const Run& run) {
    const NodeFacts& node = run.node;
    std::string cpu = node.cpu_model;
    if (node.cores > 0) cpu += (cpu.empty() ? "" : ", ") + count_of(node.cores, "core");
    return html_fact("Node", node.hostname) + html_fact("CPU", cpu) +
           html_fact("CPU governor", node.governor) +
           html_fact("Memory", format_size(node.memory)) + html_fact("Kernel", node.kernel) +
           html_fact("libvirt", node.libvirt) + html_fact("QEMU", node.qemu) +
           html_fact("fio on the node", node.fio);
}

std::string device_text(const BackingDevice& device) {
    std::vector<std::string> parts{device.rotational ? "rotational" : "not rotational"};
    if (!device.scheduler.empty()) parts.push_back("scheduler " + device.scheduler);
    if (!device.write_cache.empty()) parts.push_back("cache " + device.write_cache);
    parts.push_back(fmt::format("blocks of {} B (physical {} B)", device.logical_block.count(),
                                device.physical_block.count()));
    if (!device.busy_with.empty()) parts.push_back("busy with " + device.busy_with);
    return with_detail(device.name, device.model) + ", " + join(parts, ", ");
}

std::string storage_facts(const Run& run) {
    std::string out;
    for (const PoolInfo& pool : run.pools) {
        out +=
            html_fact("Pool", fmt::format("{} ({}{}{}), {} free of {}", pool.name, pool.type,
                                          pool.path.empty() ? "" : " at ", pool.path,
                                          format_size(pool.available), format_size(pool.capacity)));
    }
    for (const PathFacts& place : run.places) {
        out += html_fact("File system", with_detail(place.file_system + " on " + place.mount_point,
                                                    place.mount_options) +
                                            (place.direct_io ? "" : ", no O_DIRECT"));
        if (place.device) out += html_fact("Device", device_text(*place.device));
    }
    return out;
}

std::string guest_facts(const Run& run) {
    std::string out;
    if (run.accelerator) {
        out += html_fact("Accelerator",
                         with_detail(std::string{enum_name(kAcceleratorNames, *run.accelerator)},
                                     run.accelerator_reason));
    }
    if (run.guest_vcpus > 0) {
        out += html_fact("Guest", count_of(run.guest_vcpus, "vCPU") + ", " +
                                      format_size(run.request.profile.guest.memory));
    }
    if (run.image) {
        out += html_fact("In the guest", fmt::format("kernel {}, {}, image {}", run.image->kernel,
                                                     run.image->fio, run.image->hash));
    }
    return out;
}

std::string driver_text(const DiskDriver& driver) {
    std::string text =
        fmt::format("cache={} io={} discard={}", enum_name(kCacheModeNames, driver.cache),
                    enum_name(kIoModeNames, driver.io), enum_name(kDiscardNames, driver.discard));
    if (driver.queues) text += fmt::format(" queues={}", *driver.queues);
    if (driver.iothread) text += " iothread";
    if (driver.iops_limit) text += fmt::format(" limit={} IOPS", driver.iops_limit->count());
    return text;
}

std::string request_facts(const Run& run) {
    const Profile& profile = run.request.profile;
    std::string out =
        html_fact("Profile", with_detail(profile.name, profile.description)) +
        html_fact("Reproduces", profile.source) +
        html_fact("Disk driver", driver_text(profile.driver)) +
        html_fact("Filled with",
                  fmt::format("{} data, {}", enum_name(kFillDataNames, profile.fill),
                              profile.fill_when == FillWhen::once ? "once" : "before each sample"));
    std::string rounds = std::to_string(profile.rounds);
    if (profile.snapshot_rounds)
        rounds += fmt::format(" (snapshots: {})", *profile.snapshot_rounds);
    out += html_fact("Rounds", rounds) +
           html_fact("Order", profile.order == Order::interleaved
                                  ? "every candidate and workload in each round, shuffled"
                                  : "candidate after candidate, as the source did") +
           html_fact("Seed", std::to_string(run.request.seed));
    if (!run.plan) return out;
    return out +
           html_fact("Volume size",
                     with_detail(format_size(run.plan->volume_size), run.plan->size_reason)) +
           html_fact("Planned", fmt::format("{}, about {} written, {} of the pool at most",
                                            count_of(run.plan->samples.size(), "sample"),
                                            format_size(run.plan->bytes_written),
                                            format_size(run.plan->peak_space)));
}

std::string outcome_facts(const Run& run) {
    std::string state{enum_name(kRunStateNames, run.state)};
    if (run.severity == Severity::warning) state += ", with warnings";
    std::string times = format_time(run.created);
    if (run.finished) {
        times += " to " + format_time(*run.finished) + ", " +
                 format_duration(*run.finished - run.created);
    }
    return html_fact("Run", run.id + ", " + state) + html_fact("When", times);
}

}  // namespace

std::string html_method(const RunReport& report) {
    const Run& run = report.run;
    return "<section aria-labelledby=\"method\">\n<h2 id=\"method\">How it was "
           "measured</h2>\n<dl>\n" +
           outcome_facts(run) + node_facts(run) + storage_facts(run) + guest_facts(run) +
           request_facts(run) + "</dl>\n</section>\n";
}

}  // namespace poolwise
