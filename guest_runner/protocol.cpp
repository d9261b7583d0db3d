// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/protocol.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "guest_runner/base64.hpp"
#include "module/core/error.hpp"

namespace poolwise::guest_runner {
namespace {

using Json = nlohmann::json;
using Line = nlohmann::ordered_json;  // written in the order of the manual

constexpr int kMaxDepth = 4;
constexpr std::size_t kMaxWord = 256;
constexpr std::size_t kMaxSentence = 2048;
constexpr double kMaxReal = 1e15;
constexpr std::uint64_t kMaxCount = std::numeric_limits<std::uint64_t>::max();

/// Control bytes would reach terminals and logs.
std::string printable(std::string text) {
    for (char& c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    }
    return text;
}

/// The fields of one message; every access checks.
class Fields {
public:
    Fields(const Json& object, std::string where) : object_{object}, where_{std::move(where)} {}

    [[nodiscard]] std::uint64_t count(const char* name, std::uint64_t max = kMaxCount) const {
        const Json& value = at(name);
        // A positive literal parses as unsigned; one that does not fit 64 bits becomes a float.
        if (!value.is_number_unsigned() || value.get<std::uint64_t>() > max) {
            fail(name, "is not a whole number in its range");
        }
        return value.get<std::uint64_t>();
    }
    [[nodiscard]] double real(const char* name) const {
        const Json& value = at(name);
        if (!value.is_number()) fail(name, "is not a number");
        const auto number = value.get<double>();
        if (!std::isfinite(number) || number < 0 || number > kMaxReal) {
            fail(name, "is out of range");
        }
        return number;
    }
    [[nodiscard]] std::string text(const char* name, std::size_t max) const {
        const Json& value = at(name);
        if (!value.is_string()) fail(name, "is not a text");
        const auto& string = value.get_ref<const std::string&>();
        if (string.size() > max) fail(name, "is too long");
        return string;
    }
    template <typename Enum, std::size_t N>
    [[nodiscard]] Enum one_of(const char* name, const EnumNames<Enum, N>& names) const {
        const auto value = enum_value(names, text(name, kMaxWord));
        if (!value) fail(name, "is none of the known words");
        return *value;
    }
    [[nodiscard]] Fields inner(const char* name) const {
        const Json& value = at(name);
        if (!value.is_object()) fail(name, "is not an object");
        return {value, where_ + "." + name};
    }
    [[noreturn]] void fail(const char* name, const char* reason) const {
        throw Error{ErrorCode::malformed_result,
                    "read engine message '" + where_ + "': field '" + name + "' " + reason};
    }

private:
    [[nodiscard]] const Json& at(const char* name) const {
        const auto found = object_.find(name);
        if (found == object_.end()) fail(name, "is missing");
        return *found;
    }

    const Json& object_;
    std::string where_;
};

// Each message: its name on the line, its fields out and in.

constexpr const char* type_name(const HelloRequest*) {
    return "hello";
}
void put(Line& out, const HelloRequest& m) {
    out["nonce"] = m.nonce;
}
void get(const Fields& in, HelloRequest& m) {
    m.nonce = in.count("nonce");
}

constexpr const char* type_name(const RunRequest*) {
    return "run";
}
void put(Line& out, const RunRequest& m) {
    out["job"] = m.job;
    out["serial"] = m.serial;
    out["path"] = m.path;
    out["size_bytes"] = m.size.count();
    out["block_size_bytes"] = m.block_size.count();
    out["time_limit_s"] = m.time_limit.count();
    out["job_text"] = m.job_text;
}
void get(const Fields& in, RunRequest& m) {
    m.job = in.count("job");
    m.serial = in.text("serial", kMaxWord);
    m.path = in.text("path", 4096);
    m.size = Bytes{in.count("size_bytes")};
    m.block_size = Bytes{in.count("block_size_bytes", 1U << 30U)};
    m.time_limit = std::chrono::seconds{in.count("time_limit_s", std::uint64_t{30} * 86400)};
    m.job_text = in.text("job_text", kMaxLine);
}

constexpr const char* type_name(const CancelRequest*) {
    return "cancel";
}
constexpr const char* type_name(const FetchRequest*) {
    return "fetch";
}
constexpr const char* type_name(const Acknowledgement*) {
    return "acknowledge";
}
constexpr const char* type_name(const Started*) {
    return "started";
}
constexpr const char* type_name(const Finished*) {
    return "finished";
}

template <typename Message>
concept OnlyJob = std::is_same_v<Message, CancelRequest> || std::is_same_v<Message, FetchRequest> ||
    std::is_same_v<Message, Acknowledgement> || std::is_same_v<Message, Started> ||
    std::is_same_v<Message, Finished>;
void put(Line& out, const OnlyJob auto& m) {
    out["job"] = m.job;
}
void get(const Fields& in, OnlyJob auto& m) {
    m.job = in.count("job");
}

constexpr const char* type_name(const Ping*) {
    return "ping";
}
void put(Line&, const Ping&) {}
void get(const Fields&, Ping&) {}

constexpr const char* type_name(const Pong*) {
    return "pong";
}
void put(Line&, const Pong&) {}
void get(const Fields&, Pong&) {}

constexpr const char* type_name(const HelloReply*) {
    return "hello";
}
void put(Line& out, const HelloReply& m) {
    out["nonce"] = m.nonce;
    out["engine_version"] = m.engine_version;
    out["fio_version"] = m.fio_version;
    out["fio_problem"] = m.fio_problem;
    out["kernel"] = m.kernel;
    out["clocksource"] = m.clocksource;
    out["cpus"] = m.cpus;
    out["memory_available_bytes"] = m.memory_available.count();
    out["job"] = m.job;
    out["phase"] = enum_name(kJobPhaseNames, m.phase);
}
void get(const Fields& in, HelloReply& m) {
    m.nonce = in.count("nonce");
    m.engine_version = printable(in.text("engine_version", kMaxWord));
    m.fio_version = printable(in.text("fio_version", kMaxWord));
    m.fio_problem = printable(in.text("fio_problem", kMaxSentence));
    m.kernel = printable(in.text("kernel", kMaxWord));
    m.clocksource = printable(in.text("clocksource", kMaxWord));
    m.cpus = in.count("cpus", 1U << 16U);
    m.memory_available = Bytes{in.count("memory_available_bytes")};
    m.job = in.count("job");
    m.phase = in.one_of("phase", kJobPhaseNames);
}

constexpr const char* type_name(const Refusal*) {
    return "refusal";
}
void put(Line& out, const Refusal& m) {
    out["job"] = m.job;
    out["reason"] = m.reason;
}
void get(const Fields& in, Refusal& m) {
    m.job = in.count("job");
    m.reason = printable(in.text("reason", 4 * kMaxSentence));
}

constexpr const char* type_name(const Progress*) {
    return "progress";
}
void put(Line& out, const Progress& m) {
    out["job"] = m.job;
    out["elapsed_s"] = m.elapsed.count();
    out["iops"] = m.iops.count();
    out["bytes"] = m.bytes.count();
}
void get(const Fields& in, Progress& m) {
    m.job = in.count("job");
    m.elapsed = Seconds{in.real("elapsed_s")};
    m.iops = Iops{in.real("iops")};
    m.bytes = Bytes{in.count("bytes")};
}

constexpr const char* type_name(const ResultSummary*) {
    return "result";
}
void put(Line& out, const ResultSummary& m) {
    out["job"] = m.job;
    out["exit_status"] = m.exit_status;
    out["stopped"] = enum_name(kStoppedNames, m.stopped);
    out["device"] = {{"read_requests", m.device.read_requests},
                     {"write_requests", m.device.write_requests},
                     {"flush_requests", m.device.flush_requests},
                     {"read_bytes", m.device.read_bytes.count()},
                     {"write_bytes", m.device.write_bytes.count()}};
    out["cpu"] = {{"busy_s", m.cpu.busy.count()},
                  {"idle_s", m.cpu.idle.count()},
                  {"steal_s", m.cpu.steal.count()}};
    out["wall_s"] = m.wall.count();
    for (const auto& [part, name] : kPartNames) {
        const PartDigest& digest = m.parts[static_cast<std::size_t>(part)];
        out["parts"][std::string{name}] = {{"size_bytes", digest.size}, {"fnv1a", digest.digest}};
    }
}
void get(const Fields& in, ResultSummary& m) {
    m.job = in.count("job");
    m.exit_status = static_cast<int>(in.count("exit_status", 255));
    m.stopped = in.one_of("stopped", kStoppedNames);
    const Fields device = in.inner("device");
    m.device = {.read_requests = device.count("read_requests"),
                .write_requests = device.count("write_requests"),
                .flush_requests = device.count("flush_requests"),
                .read_bytes = Bytes{device.count("read_bytes")},
                .write_bytes = Bytes{device.count("write_bytes")}};
    const Fields cpu = in.inner("cpu");
    m.cpu = {.busy = Seconds{cpu.real("busy_s")},
             .idle = Seconds{cpu.real("idle_s")},
             .steal = Seconds{cpu.real("steal_s")}};
    m.wall = Seconds{in.real("wall_s")};
    const Fields parts = in.inner("parts");
    std::uint64_t total = 0;
    for (const auto& [part, name] : kPartNames) {
        const Fields digest = parts.inner(std::string{name}.c_str());
        m.parts[static_cast<std::size_t>(part)] = {digest.count("size_bytes", kMaxResult),
                                                   digest.count("fnv1a")};
        total += m.parts[static_cast<std::size_t>(part)].size;
    }
    if (total > kMaxResult) in.fail("parts", "announces more than 8 MiB");
}

constexpr const char* type_name(const Chunk*) {
    return "chunk";
}
void put(Line& out, const Chunk& m) {
    out["job"] = m.job;
    out["part"] = enum_name(kPartNames, m.part);
    out["sequence"] = m.sequence;
    out["data"] = base64_encode(m.data);
}
void get(const Fields& in, Chunk& m) {
    m.job = in.count("job");
    m.part = in.one_of("part", kPartNames);
    m.sequence = in.count("sequence", kMaxResult / kChunkSize + 1);
    auto data = base64_decode(in.text("data", kMaxLine));
    if (!data || data->size() > kChunkSize) in.fail("data", "is not base64 of at most 45 KiB");
    m.data = *std::move(data);
}

template <typename Variant>
std::string encode_line(std::uint64_t number, const Variant& message) {
    Line line;
    line["v"] = kProtocolVersion;
    line["n"] = number;
    std::visit(
        [&line](const auto& m) {
            line["type"] = type_name(&m);
            put(line, m);
        },
        message);
    return line.dump(-1, ' ', false, Line::error_handler_t::replace) + '\n';
}

/// The JSON object on a line, or nothing.
std::optional<Json> parse_object(std::string_view line) {
    if (line.size() > kMaxLine || line.empty() || line.front() != '{') return std::nullopt;
    bool too_deep = false;
    const auto watch_depth = [&too_deep](int depth, Json::parse_event_t, Json&) {
        too_deep = too_deep || depth > kMaxDepth;
        return !too_deep;
    };
    Json object = Json::parse(line, watch_depth, false);
    if (object.is_discarded() || too_deep || !object.is_object()) return std::nullopt;
    return object;
}

template <typename Message, typename Variant>
bool try_get(std::string_view type, const Json& object, Numbered<Variant>& out) {
    if (type != type_name(static_cast<const Message*>(nullptr))) return false;
    Message message;
    get(Fields{object, std::string{type}}, message);
    out.message = std::move(message);
    return true;
}

template <typename... Messages>
std::optional<Numbered<std::variant<Messages...>>> decode_line(std::string_view line,
                                                               std::variant<Messages...>*) {
    const auto object = parse_object(line);
    if (!object || !object->contains("v") || !object->contains("n") || !object->contains("type")) {
        return std::nullopt;
    }
    const Fields fields{*object, "message"};
    if (fields.count("v") != kProtocolVersion) {
        throw Error{ErrorCode::malformed_result,
                    "read engine message: the other side speaks protocol version " +
                        std::to_string(fields.count("v")) + ", this one " +
                        std::to_string(kProtocolVersion) +
                        ": rebuild the guest image with 'poolwise image'"};
    }
    Numbered<std::variant<Messages...>> out;
    out.number = fields.count("n");
    const std::string type = fields.text("type", kMaxWord);
    if (!(try_get<Messages>(type, *object, out) || ...)) return std::nullopt;
    return out;
}

}  // namespace

std::string encode(std::uint64_t number, const Request& request) {
    return encode_line(number, request);
}

std::string encode(std::uint64_t number, const Reply& reply) {
    return encode_line(number, reply);
}

std::optional<Numbered<Request>> decode_request(std::string_view line) {
    return decode_line(line, static_cast<Request*>(nullptr));
}

std::optional<Numbered<Reply>> decode_reply(std::string_view line) {
    return decode_line(line, static_cast<Reply*>(nullptr));
}

}  // namespace poolwise::guest_runner
