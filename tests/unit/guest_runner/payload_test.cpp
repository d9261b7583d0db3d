// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/payload.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/unit/testing.hpp"

namespace poolwise::guest_runner {
namespace {

Parts some_parts() {
    std::string json;
    while (json.size() < 3 * kChunkSize) json += "{\"n\": " + std::to_string(json.size()) + "}\n";
    return {json, "", std::string(kChunkSize, '\xff')};
}

std::vector<Chunk> cut(const Parts& parts) {
    ChunkCutter cutter;
    std::vector<Chunk> chunks;
    while (auto chunk = cutter.next(7, parts)) chunks.push_back(*std::move(chunk));
    return chunks;
}

ResultSummary summary_of(const Parts& parts) {
    ResultSummary summary;
    summary.job = 7;
    summary.parts = digest_of(parts);
    return summary;
}

TEST(Payload, ArrivesWholeInAnyOrderAndTwice) {
    const Parts parts = some_parts();
    auto chunks = cut(parts);
    std::reverse(chunks.begin(), chunks.end());
    PayloadAssembler assembler{summary_of(parts)};

    for (const Chunk& chunk : chunks) {
        EXPECT_FALSE(assembler.complete());
        assembler.add(chunk);
        assembler.add(chunk);
    }

    ASSERT_TRUE(assembler.complete());
    EXPECT_EQ(assembler.take(), parts);
}

TEST(Payload, WithoutBytesIsCompleteAtOnce) {
    EXPECT_TRUE(PayloadAssembler{summary_of({})}.complete());
    EXPECT_TRUE(cut({}).empty());
}

TEST(Payload, RefusesChunksThatDoNotFit) {
    const Parts parts = some_parts();
    PayloadAssembler assembler{summary_of(parts)};
    const std::vector<Chunk> wrong{{7, Part::fio_json, 4, "x"},
                                   {7, Part::fio_json, 0, "short"},
                                   {7, Part::fio_messages, 0, ""},
                                   {7, Part::fio_log, 1, ""},
                                   {7, Part::fio_log, 182, ""}};

    for (const Chunk& chunk : wrong) {
        EXPECT_EQ(test::code_of([&] { assembler.add(chunk); }), ErrorCode::malformed_result);
    }
}

TEST(Payload, RefusesBytesThatWereNotAnnounced) {
    const Parts parts = some_parts();
    PayloadAssembler assembler{summary_of(parts)};
    for (Chunk& chunk : cut(parts)) {
        if (chunk.part == Part::fio_json && chunk.sequence == 1) chunk.data[5] ^= 1;
        assembler.add(chunk);
    }

    EXPECT_EQ(test::code_of([&] { static_cast<void>(assembler.take()); }),
              ErrorCode::malformed_result);
}

}  // namespace
}  // namespace poolwise::guest_runner
