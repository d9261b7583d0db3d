// SPDX-License-Identifier: Apache-2.0
#include "module/report/csv.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "module/codec/timestamp.hpp"
#include "module/report/text_format.hpp"

namespace poolwise {
namespace {

constexpr std::string_view kHeader =
    "run,position,round,started,candidate,layer,pool,format,snapshot,workload,access,"
    "block_size_bytes,iodepth,jobs,read_iops,write_iops,read_bytes_per_second,"
    "write_bytes_per_second,read_ios,write_ios,runtime_ms,read_latency_mean_us,"
    "read_latency_p50_us,read_latency_p99_us,write_latency_mean_us,write_latency_p50_us,"
    "write_latency_p99_us,sync_latency_p99_us,qemu_cpu_s,bound_by,void_reasons\r\n";

std::string quoted(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string{text};
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

class Record {
public:
    void text(std::string_view value) { line_ += (line_.empty() ? "" : ",") + quoted(value); }
    template <typename Number>
    void number(Number value) {
        line_ += fmt::format(",{}", value);
    }
    void decimal(double value) { line_ += fmt::format(",{:.3f}", value); }
    void latency(const std::optional<Microseconds>& value) {
        line_ += value ? fmt::format(",{:.3f}", value->count()) : std::string{","};
    }
    [[nodiscard]] std::string end() const { return line_ + "\r\n"; }

private:
    std::string line_;
};

template <typename Item>
Item find_or_empty(const std::vector<Item>& items, const std::string& id) {
    const auto found = std::ranges::find(items, id, &Item::id);
    if (found != items.end()) return *found;
    Item item;
    item.id = id;
    return item;
}

void add_request(Record& record, const Candidate& candidate, const Workload& workload) {
    record.text(candidate.id);
    record.text(enum_name(kLayerNames, candidate.layer));
    record.text(candidate.pool);
    record.text(enum_name(kFormatNames, candidate.format));
    record.text(enum_name(kSnapshotKindNames, candidate.snapshot));
    record.text(workload.id);
    record.text(enum_name(kAccessNames, workload.access));
    record.number(workload.block_size.count());
    record.number(workload.iodepth);
    record.number(workload.jobs);
}

void add_latency(Record& record, const DirectionResult& direction) {
    const bool any = direction.total_ios > 0;
    record.latency(any ? std::optional{direction.latency_mean} : std::nullopt);
    record.latency(direction.latency.percentile(50));
    record.latency(direction.latency.percentile(99));
}

void add_result(Record& record, const FioResult& result) {
    record.decimal(result.read.iops.count());
    record.decimal(result.write.iops.count());
    record.decimal(result.read.bandwidth.count());
    record.decimal(result.write.bandwidth.count());
    record.number(result.read.total_ios);
    record.number(result.write.total_ios);
    record.number(std::max(result.read.runtime, result.write.runtime).count());
    add_latency(record, result.read);
    add_latency(record, result.write);
    record.latency(result.sync ? result.sync->latency.percentile(99) : std::nullopt);
}

std::string record_of(const Run& run, const Sample& sample) {
    Record record;
    record.text(run.id);
    record.number(sample.position);
    record.number(sample.round);
    record.text(format_timestamp(sample.started));
    add_request(record, find_or_empty(run.request.candidates, sample.candidate),
                find_or_empty(run.request.profile.workloads, sample.workload));
    add_result(record, sample.result);
    record.text(sample.evidence.qemu_cpu ? fmt::format("{:.3f}", sample.evidence.qemu_cpu->count())
                                         : "");
    record.text(enum_name(kBoundByNames, sample.bound_by));
    record.text(join(sample.void_reasons, "; "));
    return record.end();
}

}  // namespace

std::string render_csv(const RunReport& report) {
    std::string out{kHeader};
    for (const Sample& sample : report.samples) out += record_of(report.run, sample);
    return out;
}

}  // namespace poolwise
