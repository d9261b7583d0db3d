// SPDX-License-Identifier: Apache-2.0
#include "module/app/request_builder.hpp"

#include <algorithm>
#include <set>

#include "module/core/error.hpp"
#include "module/core/size_text.hpp"

namespace poolwise {
namespace {

DiskDriver driver_of(const RequestOptions& options, const Profile& profile) {
    DiskDriver driver = profile.driver;
    if (options.cache) driver.cache = parse_enum(kCacheModeNames, *options.cache, "cache mode");
    if (options.io) driver.io = parse_enum(kIoModeNames, *options.io, "io mode");
    if (options.discard) driver.discard = parse_enum(kDiscardNames, *options.discard, "discard");
    if (options.queues) driver.queues = options.queues;
    if (options.iothread) driver.iothread = true;
    if (options.limit_iops) driver.iops_limit = Iops{*options.limit_iops};
    return driver;
}

std::set<Layer> layers_of(const RequestOptions& options) {
    std::set<Layer> layers;
    for (const std::string& name : options.layers) {
        layers.insert(parse_enum(kLayerNames, name, "layer"));
    }
    return layers;
}

/// Words joined by '-', each cut to [a-z0-9].
std::string id_of(const Candidate& candidate) {
    std::string id{enum_name(kLayerNames, candidate.layer)};
    id += "-" + std::string{enum_name(kFormatNames, candidate.format)};
    if (candidate.snapshot == SnapshotKind::internal) id += "-snapshot";
    if (candidate.snapshot == SnapshotKind::external) id += "-external-snapshot";
    if (candidate.options.preallocation != Preallocation::none) {
        id += "-" + std::string{enum_name(kPreallocationNames, candidate.options.preallocation)};
    }
    if (candidate.options.cluster_size) {
        id += "-c" + std::to_string(candidate.options.cluster_size->count());
    }
    if (candidate.options.extended_l2) id += "-extl2";
    return id;
}

/// Adds the candidate under an id that no other has; a candidate asked for twice is kept twice,
/// since a twin is a fair check of the noise.
void add(std::vector<Candidate>& candidates, Candidate candidate) {
    const std::string id = id_of(candidate);
    candidate.id = id;
    const auto taken = [&candidates](const std::string& wanted) {
        return std::any_of(candidates.begin(), candidates.end(),
                           [&wanted](const Candidate& c) { return c.id == wanted; });
    };
    for (unsigned n = 2; taken(candidate.id); ++n) candidate.id = id + "-" + std::to_string(n);
    candidates.push_back(std::move(candidate));
}

}  // namespace

RunRequest build_request(const RequestOptions& options, const Profile& profile,
                         std::uint64_t seed) {
    if (options.pools.empty()) {
        throw Error{ErrorCode::invalid_request,
                    "no pool given: name one (`poolwise pools` lists them) or a directory as "
                    "dir:/path"};
    }
    RunRequest request{.profile = profile, .seed = options.seed.value_or(seed)};
    request.exclusive = options.exclusive;
    if (options.size) request.volume_size = parse_size(*options.size);
    if (options.rounds) {
        request.profile.rounds = *options.rounds;
        request.profile.snapshot_rounds.reset();
    }
    if (options.accelerator) {
        request.accelerator = parse_enum(kAcceleratorNames, *options.accelerator, "accelerator");
    }
    const DiskDriver driver = driver_of(options, profile);
    const std::set<Layer> layers = layers_of(options);
    for (const std::string& pool : options.pools) {
        if (layers.contains(Layer::host)) {
            add(request.candidates, {.pool = pool, .layer = Layer::host, .driver = {}});
        }
        if (!layers.contains(Layer::guest)) continue;
        for (const std::string& text : options.candidates) {
            Candidate candidate = parse_candidate(text);
            candidate.pool = pool;
            candidate.driver = driver;
            add(request.candidates, std::move(candidate));
        }
    }
    for (const Candidate& candidate : request.candidates) check_candidate(candidate);
    check_profile(request.profile);
    return request;
}

}  // namespace poolwise
