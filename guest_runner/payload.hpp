// SPDX-License-Identifier: Apache-2.0
// A result's texts in chunks: cut by the engine, put together by the client.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "guest_runner/protocol.hpp"

namespace poolwise::guest_runner {

/// A result's texts, indexed by Part.
using Parts = std::array<std::string, kParts>;

/// 64-bit FNV-1a. Guards against lost and torn lines, not against an adversary.
[[nodiscard]] std::uint64_t fnv1a(std::string_view bytes) noexcept;

[[nodiscard]] std::array<PartDigest, kParts> digest_of(const Parts& parts);

/// Hands out the chunks of a result in order.
class ChunkCutter {
public:
    /// The next chunk of `parts`; nullopt after the last.
    [[nodiscard]] std::optional<Chunk> next(std::uint64_t job, const Parts& parts);

private:
    std::size_t part_ = 0;
    std::uint64_t sequence_ = 0;
};

/// Puts chunks together, in whatever order and however often they come.
class PayloadAssembler {
public:
    /// Precondition: the summary was decoded, so its sizes are within kMaxResult.
    explicit PayloadAssembler(const ResultSummary& summary);

    /// @throws Error{malformed_result} a chunk of a length or place the summary does not have.
    void add(const Chunk& chunk);
    [[nodiscard]] bool complete() const noexcept { return missing_ == 0; }

    /// Precondition: complete().
    /// @throws Error{malformed_result} the bytes are not those announced.
    [[nodiscard]] Parts take();

private:
    std::array<PartDigest, kParts> digests_;
    Parts parts_;
    std::array<std::vector<bool>, kParts> have_;
    std::size_t missing_ = 0;
};

}  // namespace poolwise::guest_runner
