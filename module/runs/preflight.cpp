// SPDX-License-Identifier: Apache-2.0
#include "module/runs/preflight.hpp"

#include <algorithm>

#include "module/core/error.hpp"

namespace poolwise {
namespace {

constexpr std::string_view kDirectoryPrefix = "dir:";

std::string names_of(const std::vector<PoolInfo>& pools) {
    std::string names;
    for (const PoolInfo& pool : pools) names += (names.empty() ? "'" : ", '") + pool.name + "'";
    return names.empty() ? "this node has no pools" : "this node has " + names;
}

void require_active(const PoolInfo& pool) {
    if (pool.active) return;
    throw Error{ErrorCode::conflict, "pool '" + pool.name +
                                         "' is inactive: start it with `virsh pool-start " +
                                         pool.name + "` and run the command again"};
}

PoolTarget directory_target(const std::string& path, RunPorts& ports) {
    if (!path.starts_with('/')) {
        throw Error{ErrorCode::invalid_request,
                    "directory '" + path + "': give an absolute path, like dir:/srv/vm"};
    }
    static_cast<void>(ports.node.path_facts(path));  // must exist
    const std::optional<PoolInfo> pool = ports.storage.find_pool_covering(path);
    if (pool) require_active(*pool);
    return {.pool = pool, .directory = pool ? pool->path : path};
}

PoolTarget named_target(const std::string& name, RunPorts& ports) {
    const std::optional<PoolInfo> pool = ports.storage.find_pool(name);
    if (!pool) {
        throw Error{ErrorCode::not_found,
                    "pool '" + name + "' does not exist: " + names_of(ports.storage.pools()) +
                        "; a directory is written dir:/path"};
    }
    require_active(*pool);
    return {.pool = pool, .directory = pool->path};
}

void check_formats(const PoolTarget& target, const Candidate& candidate) {
    if (!target.pool) return;
    const auto& formats = target.pool->formats;
    if (std::find(formats.begin(), formats.end(), candidate.format) != formats.end()) return;
    throw Error{ErrorCode::invalid_request, "pool '" + target.pool->name + "' of type '" +
                                                target.pool->type + "' cannot hold " +
                                                label(candidate) + ": " + target.pool->remark};
}

void check_place(const Candidate& candidate, const PathFacts& place, RunPorts& ports) {
    const bool direct =
        candidate.layer == Layer::host || bypasses_host_cache(candidate.driver.cache);
    if (direct && !place.direct_io) {
        throw Error{ErrorCode::unavailable,
                    label(candidate) + " needs O_DIRECT, which the file system '" +
                        place.file_system + "' refuses in '" + place.path +
                        "': use --cache writeback --io threads --layers guest, or another "
                        "directory"};
    }
    if (candidate.layer == Layer::host) return;
    if (const auto parent = ports.node.unsearchable_parent(place.path)) {
        throw Error{ErrorCode::unavailable, "QEMU runs as an unprivileged user and cannot reach '" +
                                                place.path + "', because '" + *parent +
                                                "' is not searchable by others: run `chmod o+x " +
                                                *parent + "` or choose another directory"};
    }
}

void remark_on_node(const NodeFacts& node, std::vector<Remark>& remarks) {
    if (node.governor == "powersave") {
        remarks.push_back({"power_saving",
                           "the CPU governor is 'powersave': clock speeds vary and "
                           "so will the figures"});
    }
}

void remark_on_place(const PathFacts& place, std::vector<Remark>& remarks) {
    if (!place.device || place.device->busy_with.empty()) return;
    remarks.push_back({"device_busy", "device '" + place.device->name + "' under '" + place.path +
                                          "' is busy with " + place.device->busy_with +
                                          ": figures are lower than usual"});
}

void look_at_guests(const RunRequest& request, RunPorts& ports, std::vector<Remark>& remarks) {
    const std::vector<ForeignGuest> guests = ports.guests.foreign_guests();
    if (guests.empty()) return;
    const std::string count = std::to_string(guests.size());
    const std::string first = "'" + guests.front().name + "'";
    if (request.exclusive) {
        throw Error{ErrorCode::refused, "other guests run on this node (" + count + ", " + first +
                                            " among them) and the run was asked to be exclusive: "
                                            "stop or move them, or leave out --exclusive"};
    }
    remarks.push_back({"other_guests", "other guests run on this node (" + count + ", " + first +
                                           " among them): they and the measurement slow each "
                                           "other down"});
}

std::optional<BytesPerSecond> known_bandwidth(const std::string& directory, RunStore& store) {
    const auto text = store.recall(bandwidth_key(directory));
    return text ? std::optional{BytesPerSecond{std::stod(*text)}} : std::nullopt;
}

}  // namespace

PoolTarget find_target(const std::string& spec, RunPorts& ports) {
    if (spec.starts_with(kDirectoryPrefix)) {
        return directory_target(spec.substr(kDirectoryPrefix.size()), ports);
    }
    return named_target(spec, ports);
}

std::string bandwidth_key(const std::string& directory) {
    return "bandwidth_bytes_per_s:" + directory;
}

Preflight preflight(const RunRequest& request, RunPorts& ports) {
    check_profile(request.profile);
    if (request.candidates.empty()) {
        throw Error{ErrorCode::invalid_request, "nothing to compare: name at least one candidate"};
    }
    Preflight result;
    for (const Candidate& candidate : request.candidates) check_candidate(candidate);
    result.node = ports.node.facts();
    result.node.libvirt = ports.guests.libvirt_version();
    result.node.qemu = ports.guests.qemu_version();
    if (result.node.fio.empty()) {
        throw Error{ErrorCode::unavailable,
                    "fio is not installed on this node: run `apt-get install fio`"};
    }
    for (const Candidate& candidate : request.candidates) {
        auto [at, is_new] = result.targets.try_emplace(candidate.pool);
        if (is_new) {
            at->second = find_target(candidate.pool, ports);
            PathFacts place = ports.node.path_facts(at->second.directory);
            remark_on_place(place, result.remarks);
            result.plan_facts.pools[candidate.pool] = {
                .place = std::move(place),
                .bandwidth = known_bandwidth(at->second.directory, ports.store)};
        }
        check_formats(at->second, candidate);
        check_place(candidate, result.plan_facts.pools.at(candidate.pool).place, ports);
    }
    remark_on_node(result.node, result.remarks);
    look_at_guests(request, ports, result.remarks);
    result.plan_facts.node = result.node;
    return result;
}

}  // namespace poolwise
