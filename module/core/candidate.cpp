// SPDX-License-Identifier: Apache-2.0
#include "module/core/candidate.hpp"

#include <bit>

#include "module/core/size_text.hpp"

namespace poolwise {
namespace {

[[noreturn]] void refuse(std::string_view subject, const std::string& reason) {
    throw Error{ErrorCode::invalid_request, "candidate '" + std::string{subject} + "': " + reason};
}

/// Cuts `text` at the first `separator`; `text` keeps what follows.
std::string_view next_part(std::string_view& text, char separator) {
    const std::size_t at = text.find(separator);
    const std::string_view part = text.substr(0, at);
    text = at == std::string_view::npos ? std::string_view{} : text.substr(at + 1);
    return part;
}

void read_snapshot(Candidate& candidate, std::string_view text, std::string_view whole) {
    const std::string_view word = next_part(text, '=');
    if (word != "snapshot") refuse(whole, "expected '+snapshot' after the format");
    candidate.snapshot = text.empty() ? SnapshotKind::internal
                                      : parse_enum(kSnapshotKindNames, text, "snapshot kind");
}

void read_option(FormatOptions& options, std::string_view text, std::string_view whole) {
    const std::string_view name = next_part(text, '=');
    if (name == "preallocation") {
        options.preallocation = parse_enum(kPreallocationNames, text, "preallocation");
    } else if (name == "cluster_size") {
        options.cluster_size = parse_size(text);
    } else if (name == "extended_l2") {
        if (text != "on" && text != "off") refuse(whole, "extended_l2 is 'on' or 'off'");
        options.extended_l2 = text == "on";
    } else {
        refuse(whole, "unknown option '" + std::string{name} +
                          "': use preallocation, cluster_size or extended_l2");
    }
}

void check_raw_options(const FormatOptions& options, const std::string& name) {
    if (options.preallocation == Preallocation::metadata) {
        refuse(name, "raw has no metadata to preallocate: use none, falloc or full");
    }
}

void check_sparse_options(const FormatOptions& options, const std::string& name) {
    if (options.preallocation != Preallocation::none) {
        refuse(name, "libvirt makes vmdk and vpc volumes without preallocation only");
    }
}

void check_qcow2_options(const FormatOptions& options, const std::string& name) {
    if (options.preallocation == Preallocation::full) {
        refuse(name,
               "libvirt cannot make a fully written qcow2 volume: use none, metadata or "
               "falloc");
    }
    if (options.cluster_size) {
        const std::uint64_t bytes = options.cluster_size->count();
        if (bytes < 512 || bytes > (2U << 20U) || !std::has_single_bit(bytes)) {
            refuse(name, "cluster_size must be a power of two from 512 B to 2 MiB, not " +
                             format_size(*options.cluster_size));
        }
    }
    // QEMU: subclusters need clusters of at least 16 KiB (block/qcow2.c, 32 subclusters of 512 B).
    if (options.extended_l2 && options.cluster_size &&
        options.cluster_size->count() < (16U << 10U)) {
        refuse(name, "extended_l2 needs a cluster_size of at least 16 KiB");
    }
}

void check_options(const Candidate& candidate) {
    const FormatOptions& options = candidate.options;
    const std::string name = label(candidate);
    if (candidate.format != Format::qcow2 && (options.cluster_size || options.extended_l2)) {
        refuse(name, "cluster_size and extended_l2 belong to qcow2");
    }
    switch (candidate.format) {
        case Format::raw:
            check_raw_options(options, name);
            break;
        case Format::qcow2:
            check_qcow2_options(options, name);
            break;
        case Format::vmdk:
        case Format::vpc:
            check_sparse_options(options, name);
            break;
    }
}

}  // namespace

std::string label(const Candidate& candidate) {
    std::string text{enum_name(kFormatNames, candidate.format)};
    if (candidate.snapshot == SnapshotKind::internal) text += " + snapshot";
    if (candidate.snapshot == SnapshotKind::external) text += " + external snapshot";
    std::string options;
    const auto add = [&options](const std::string& option) {
        options += (options.empty() ? "" : ", ") + option;
    };
    if (candidate.options.preallocation != Preallocation::none) {
        add(std::string{enum_name(kPreallocationNames, candidate.options.preallocation)});
    }
    if (candidate.options.cluster_size) {
        add("clusters of " + format_size(*candidate.options.cluster_size));
    }
    if (candidate.options.extended_l2) add("extended L2");
    if (!options.empty()) text += " (" + options + ")";
    if (candidate.layer == Layer::host) text += " on the host";
    return text;
}

Candidate parse_candidate(std::string_view text) {
    const std::string_view whole = text;
    Candidate candidate;
    std::string_view head = next_part(text, ':');
    candidate.format = parse_enum(kFormatNames, next_part(head, '+'), "format");
    if (!head.empty()) read_snapshot(candidate, head, whole);
    while (!text.empty()) read_option(candidate.options, next_part(text, ':'), whole);
    return candidate;
}

void check_candidate(const Candidate& candidate) {
    const DiskDriver& driver = candidate.driver;
    if (driver.io == IoMode::native && !bypasses_host_cache(driver.cache)) {
        refuse(label(candidate),
               "io=native does not work with cache=" +
                   std::string{enum_name(kCacheModeNames, driver.cache)} +
                   ", which goes through the host's page cache: use io=threads, or cache=none or "
                   "directsync");
    }
    if (candidate.snapshot == SnapshotKind::internal && candidate.format != Format::qcow2) {
        refuse(label(candidate), "only qcow2 holds internal snapshots: use '+snapshot=external'");
    }
    if (candidate.layer == Layer::host &&
        (candidate.format != Format::raw || candidate.snapshot != SnapshotKind::none)) {
        refuse(label(candidate), "the host layer measures plain raw volumes only");
    }
    if (driver.queues && (*driver.queues < 1 || *driver.queues > 64)) {
        refuse(label(candidate), "queues must be from 1 to 64");
    }
    if (driver.iops_limit && driver.iops_limit->count() < 1) {
        refuse(label(candidate), "the IOPS limit must be at least 1");
    }
    check_options(candidate);
}

}  // namespace poolwise
