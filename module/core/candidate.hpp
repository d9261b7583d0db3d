// SPDX-License-Identifier: Apache-2.0
// What is compared: one storage choice, and the layer it is measured from.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "module/core/enum_text.hpp"
#include "module/core/units.hpp"

namespace poolwise {

/// Where the engine runs.
enum class Layer { host, guest };
inline constexpr EnumNames<Layer, 2> kLayerNames{{{Layer::host, "host"}, {Layer::guest, "guest"}}};

/// libvirt's words. vmdk: VMware's, monolithic and sparse. vpc: Microsoft's VHD, dynamic. libvirt
/// makes no other kinds of these two.
enum class Format { raw, qcow2, vmdk, vpc };
inline constexpr EnumNames<Format, 4> kFormatNames{
    {{Format::raw, "raw"}, {Format::qcow2, "qcow2"}, {Format::vmdk, "vmdk"}, {Format::vpc, "vpc"}}};

/// How much of a new volume is allocated at creation. raw knows none, falloc and full; qcow2 knows
/// none, metadata and falloc ("full" is not offered by libvirt for qcow2); vmdk and vpc know none.
enum class Preallocation { none, metadata, falloc, full };
inline constexpr EnumNames<Preallocation, 4> kPreallocationNames{
    {{Preallocation::none, "none"},
     {Preallocation::metadata, "metadata"},
     {Preallocation::falloc, "falloc"},
     {Preallocation::full, "full"}}};

struct FormatOptions {
    Preallocation preallocation = Preallocation::none;
    std::optional<Bytes> cluster_size;  ///< qcow2 only; a power of two, 512 B to 2 MiB
    bool extended_l2 = false;           ///< qcow2 subclusters

    friend bool operator==(const FormatOptions&, const FormatOptions&) = default;
};

/// internal: inside a qcow2 file. external: the guest writes a qcow2 overlay on the volume.
enum class SnapshotKind { none, internal, external };
inline constexpr EnumNames<SnapshotKind, 3> kSnapshotKindNames{
    {{SnapshotKind::none, "none"},
     {SnapshotKind::internal, "internal"},
     {SnapshotKind::external, "external"}}};

enum class CacheMode { none, directsync, writeback, writethrough, unsafe };
inline constexpr EnumNames<CacheMode, 5> kCacheModeNames{{{CacheMode::none, "none"},
                                                          {CacheMode::directsync, "directsync"},
                                                          {CacheMode::writeback, "writeback"},
                                                          {CacheMode::writethrough, "writethrough"},
                                                          {CacheMode::unsafe, "unsafe"}}};

enum class IoMode { native, threads, io_uring };
inline constexpr EnumNames<IoMode, 3> kIoModeNames{
    {{IoMode::native, "native"}, {IoMode::threads, "threads"}, {IoMode::io_uring, "io_uring"}}};

enum class Discard { ignore, unmap };
inline constexpr EnumNames<Discard, 2> kDiscardNames{
    {{Discard::ignore, "ignore"}, {Discard::unmap, "unmap"}}};

/// Attributes of libvirt's <driver> element and of <iotune>.
struct DiskDriver {
    CacheMode cache = CacheMode::none;
    IoMode io = IoMode::native;
    Discard discard = Discard::ignore;
    std::optional<unsigned> queues;  ///< virtio queues; unset = the hypervisor's default
    bool iothread = false;           ///< give the disk an I/O thread of its own
    std::optional<Iops> iops_limit;  ///< <iotune> total_iops_sec

    friend bool operator==(const DiskDriver&, const DiskDriver&) = default;
};

/// True where the host's page cache is bypassed: the modes in which `io=native` is legal.
[[nodiscard]] constexpr bool bypasses_host_cache(CacheMode cache) noexcept {
    return cache == CacheMode::none || cache == CacheMode::directsync;
}

/// One storage choice seen from one layer. In layer `host` the engine opens the volume itself, so
/// only raw volumes without a snapshot make sense there.
struct Candidate {
    std::string id;    ///< unique in a run, [a-z0-9-], e.g. "guest-qcow2-snapshot"
    std::string pool;  ///< as asked for: libvirt's name of a pool, or "dir:/path"
    Layer layer = Layer::guest;
    Format format = Format::raw;
    FormatOptions options;
    SnapshotKind snapshot = SnapshotKind::none;
    DiskDriver driver;

    friend bool operator==(const Candidate&, const Candidate&) = default;
};

/// What a person calls it: "qcow2 + snapshot", "raw (falloc)", "raw on the host".
[[nodiscard]] std::string label(const Candidate& candidate);

/// Reads "FORMAT[+snapshot[=internal|external]][:option=value]...", for example
/// "qcow2+snapshot:cluster_size=128K:preallocation=metadata".
///
/// Options: preallocation, cluster_size, extended_l2 (on|off). The result has no id, pool, layer or
/// driver yet.
/// @throws Error{invalid_request} naming the part that is not understood.
[[nodiscard]] Candidate parse_candidate(std::string_view text);

/// Checks that the parts go together.
/// @throws Error{invalid_request}: io=native with a caching mode, an internal snapshot of a raw
///         volume, an option the format does not have, a host candidate that is not plain raw.
void check_candidate(const Candidate& candidate);

}  // namespace poolwise
