// SPDX-License-Identifier: Apache-2.0
// The engine protocol: messages as structs, and each as one line of JSON. PROTOCOL.md is its
// manual.
//
// Both sides link this file. What comes from an engine in a guest is untrusted: decoding checks
// types, ranges and lengths, and never trusts a size before it is checked.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "module/core/enum_text.hpp"
#include "module/core/measurement.hpp"
#include "module/core/units.hpp"

namespace poolwise::guest_runner {

inline constexpr std::uint64_t kProtocolVersion = 1;
inline constexpr std::size_t kMaxLine = 64U << 10U;    ///< bytes, the newline excluded
inline constexpr std::size_t kMaxResult = 8U << 20U;   ///< bytes, all parts of a result together
inline constexpr std::size_t kChunkSize = 45U << 10U;  ///< raw bytes; base64 adds a third

inline constexpr std::chrono::seconds kPingInterval{10};
inline constexpr std::chrono::seconds kSilenceKillsJob{60};
inline constexpr std::chrono::seconds kSilenceEndsEngine{120};

// ---- host to engine

/// Asks who is there; the answer repeats the nonce.
struct HelloRequest {
    std::uint64_t nonce = 0;
};
/// Starts a job. Sent again with the same id it starts nothing: the engine says how that job does.
struct RunRequest {
    std::uint64_t job = 0;  ///< chosen at random by the client, never 0
    std::string serial;     ///< in a guest; else empty
    std::string path;       ///< on the host; else empty
    Bytes size;             ///< of the disk, exactly
    Bytes block_size;       ///< turns bytes into requests where the disk has no counters
    std::chrono::seconds time_limit{0};
    std::string job_text;
};
/// Kills fio and all its workers; answered by Finished and the result.
struct CancelRequest {
    std::uint64_t job = 0;
};
/// Asks for the result from its beginning.
struct FetchRequest {
    std::uint64_t job = 0;
};
/// The result has arrived; the engine forgets it.
struct Acknowledgement {
    std::uint64_t job = 0;
};
struct Ping {};

using Request =
    std::variant<HelloRequest, RunRequest, CancelRequest, FetchRequest, Acknowledgement, Ping>;

// ---- engine to host

enum class JobPhase { none, running, finished };
inline constexpr EnumNames<JobPhase, 3> kJobPhaseNames{
    {{JobPhase::none, "none"}, {JobPhase::running, "running"}, {JobPhase::finished, "finished"}}};

struct HelloReply {
    std::uint64_t nonce = 0;
    std::string engine_version;
    std::string fio_version;  ///< empty: fio does not start, see fio_problem
    std::string fio_problem;
    std::string kernel;
    std::string clocksource;
    std::uint64_t cpus = 0;
    Bytes memory_available;
    std::uint64_t job = 0;  ///< the job whose state follows; 0 = none
    JobPhase phase = JobPhase::none;
};
/// The job was not started: wrong disk, busy, no room.
struct Refusal {
    std::uint64_t job = 0;
    std::string reason;
};
struct Started {
    std::uint64_t job = 0;
};
struct Progress {
    std::uint64_t job = 0;
    Seconds elapsed{0};
    Iops iops;
    Bytes bytes;
};
/// fio and all its workers are gone.
struct Finished {
    std::uint64_t job = 0;
};

/// Why the engine ended fio before it was through.
enum class Stopped { no, cancelled, time_limit, host_silent };
inline constexpr EnumNames<Stopped, 4> kStoppedNames{{{Stopped::no, "no"},
                                                      {Stopped::cancelled, "cancelled"},
                                                      {Stopped::time_limit, "time_limit"},
                                                      {Stopped::host_silent, "host_silent"}}};

/// The texts of a result, which travel in chunks.
enum class Part { fio_json, fio_messages, fio_log };
inline constexpr std::size_t kParts = 3;
inline constexpr EnumNames<Part, kParts> kPartNames{{{Part::fio_json, "fio_json"},
                                                     {Part::fio_messages, "fio_messages"},
                                                     {Part::fio_log, "fio_log"}}};
struct PartDigest {
    std::uint64_t size = 0;    ///< bytes
    std::uint64_t digest = 0;  ///< FNV-1a of all bytes
};

/// Announces a result; its chunks follow.
struct ResultSummary {
    std::uint64_t job = 0;
    int exit_status = 0;  ///< of fio; 128 + signal if it was killed
    Stopped stopped = Stopped::no;
    BlockCounters device;
    CpuTimes cpu;
    Seconds wall{0};
    std::array<PartDigest, kParts> parts;  ///< indexed by Part
};
struct Chunk {
    std::uint64_t job = 0;
    Part part = Part::fio_json;
    std::uint64_t sequence = 0;  ///< from 0 in each part; starts at byte sequence * kChunkSize
    std::string data;            ///< raw bytes; base64 on the line
};
struct Pong {};

using Reply =
    std::variant<HelloReply, Refusal, Started, Progress, Finished, ResultSummary, Chunk, Pong>;

/// A message with its sender's running number, from 1.
template <typename Message>
struct Numbered {
    std::uint64_t number = 0;
    Message message;
};

/// One line, newline included, at most kMaxLine bytes (job texts and reasons are short).
[[nodiscard]] std::string encode(std::uint64_t number, const Request& request);
[[nodiscard]] std::string encode(std::uint64_t number, const Reply& reply);

/// Reads one line without its newline.
/// @return nullopt for what is no message at all (noise, a torn line) or of a type unknown here.
/// @throws Error{malformed_result} a message of another protocol version, or a known type with a
///         field missing, of another type or out of range.
[[nodiscard]] std::optional<Numbered<Request>> decode_request(std::string_view line);
[[nodiscard]] std::optional<Numbered<Reply>> decode_reply(std::string_view line);

}  // namespace poolwise::guest_runner
