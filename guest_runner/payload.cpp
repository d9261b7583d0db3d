// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/payload.hpp"

#include <algorithm>
#include <utility>

#include "module/core/error.hpp"

namespace poolwise::guest_runner {

std::uint64_t fnv1a(std::string_view bytes) noexcept {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : bytes) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
    return hash;
}

std::array<PartDigest, kParts> digest_of(const Parts& parts) {
    std::array<PartDigest, kParts> digests;
    std::transform(parts.begin(), parts.end(), digests.begin(), [](const std::string& part) {
        return PartDigest{part.size(), fnv1a(part)};
    });
    return digests;
}

std::optional<Chunk> ChunkCutter::next(std::uint64_t job, const Parts& parts) {
    while (part_ < kParts && sequence_ * kChunkSize >= parts[part_].size()) {
        ++part_;
        sequence_ = 0;
    }
    if (part_ == kParts) return std::nullopt;
    Chunk chunk{job, static_cast<Part>(part_), sequence_,
                parts[part_].substr(sequence_ * kChunkSize, kChunkSize)};
    ++sequence_;
    return chunk;
}

PayloadAssembler::PayloadAssembler(const ResultSummary& summary) : digests_{summary.parts} {
    for (std::size_t part = 0; part < kParts; ++part) {
        const std::size_t chunks = (digests_[part].size + kChunkSize - 1) / kChunkSize;
        parts_[part].resize(digests_[part].size);
        have_[part].resize(chunks);
        missing_ += chunks;
    }
}

void PayloadAssembler::add(const Chunk& chunk) {
    const auto part = static_cast<std::size_t>(chunk.part);
    const std::size_t offset = chunk.sequence * kChunkSize;
    if (chunk.sequence >= have_[part].size() ||
        chunk.data.size() != std::min(kChunkSize, parts_[part].size() - offset)) {
        throw Error{ErrorCode::malformed_result,
                    "read engine result: chunk " + std::to_string(chunk.sequence) + " of '" +
                        std::string{enum_name(kPartNames, chunk.part)} +
                        "' does not fit the announced size"};
    }
    if (have_[part][chunk.sequence]) return;
    parts_[part].replace(offset, chunk.data.size(), chunk.data);
    have_[part][chunk.sequence] = true;
    --missing_;
}

Parts PayloadAssembler::take() {
    for (const auto& [part, name] : kPartNames) {
        const auto index = static_cast<std::size_t>(part);
        if (fnv1a(parts_[index]) != digests_[index].digest) {
            throw Error{ErrorCode::malformed_result, "read engine result: the bytes of '" +
                                                         std::string{name} +
                                                         "' are not those announced"};
        }
    }
    return std::move(parts_);
}

}  // namespace poolwise::guest_runner
