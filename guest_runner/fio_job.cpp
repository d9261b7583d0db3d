// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/fio_job.hpp"

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

#include "module/core/error.hpp"

namespace poolwise::guest_runner {
namespace {

/// Above this, fio's random map (a bit per block and its index) no longer fits a small guest.
constexpr Bytes kLargestMapped{1ULL << 40U};

class JobText {
public:
    explicit JobText(std::string_view section) { text_ += "[" + std::string{section} + "]\n"; }

    void set(std::string_view option, std::string_view value) {
        text_.append(option).append("=").append(value).append("\n");
    }
    void set(std::string_view option, std::integral auto value) {
        set(option, std::to_string(value));
    }

    [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
    std::string text_;
};

bool is_random(Access access) {
    return access == Access::randread || access == Access::randwrite || access == Access::randrw;
}

void write_access(const Workload& workload, JobText& text) {
    text.set("rw", enum_name(kAccessNames, workload.access));
    if (reads(workload.access) && writes(workload.access)) {
        text.set("rwmixread", workload.read_percent);
    }
    text.set("bs", workload.block_size.count());
    text.set("iodepth", workload.iodepth);
    text.set("numjobs", workload.jobs);
    if (workload.sync == Sync::fdatasync) text.set("fdatasync", 1);
    if (workload.sync == Sync::osync) text.set("sync", 1);
    if (workload.rate) text.set("rate_iops", std::llround(workload.rate->count()));
}

/// Which part of the disk, in whole blocks: fio would end a job with a short request otherwise.
void write_extent(const JobSpec& job, JobText& text) {
    const Workload& workload = job.workload;
    const std::uint64_t block = workload.block_size.count();
    std::uint64_t blocks = span_of(job).count() / block;
    if (!workload.runtime) {
        blocks = blocks / 100 * workload.size_percent + blocks % 100 * workload.size_percent / 100;
    }
    const bool sliced = workload.jobs > 1 && (!workload.runtime || !is_random(workload.access));
    if (sliced) blocks /= workload.jobs;
    if (blocks == 0) {
        throw Error{ErrorCode::invalid_request, "write fio job '" + workload.id + "': a disk of " +
                                                    std::to_string(span_of(job).count()) +
                                                    " bytes has less than one block of " +
                                                    std::to_string(block) +
                                                    " bytes for each job; use a larger volume"};
    }
    text.set("size", blocks * block);
    if (sliced) text.set("offset_increment", blocks * block);
    if (is_random(workload.access) && span_of(job) > kLargestMapped) {
        text.set("random_generator", "lfsr");
    }
}

void write_duration(const Workload& workload, JobText& text) {
    if (!workload.runtime) return;
    text.set("time_based", 1);
    text.set("runtime", workload.runtime->count());
    if (workload.ramp.count() > 0) text.set("ramp_time", workload.ramp.count());
}

void check_job(const JobSpec& job) {
    check_workload(job.workload);
    if (job.data == FillData::none) {
        throw Error{ErrorCode::invalid_request, "write fio job '" + job.workload.id +
                                                    "': writes need data; use random or zeros"};
    }
}

}  // namespace

std::string write_fio_job(const JobSpec& job) {
    check_job(job);
    JobText text{job.workload.id};
    text.set("filename", "${" + std::string{kDiskVariable} + "}");
    text.set("allow_file_create", 0);
    text.set("fallocate", "none");
    text.set("ioengine", "libaio");
    text.set("direct", 1);
    text.set("thread", 1);
    text.set("group_reporting", 1);
    write_access(job.workload, text);
    write_extent(job, text);
    write_duration(job.workload, text);
    text.set("randseed", job.seed & std::uint64_t{std::numeric_limits<std::int64_t>::max()});
    text.set("allrandrepeat", 1);
    if (job.data == FillData::zeros) text.set("zero_buffers", 1);
    text.set("percentile_list", "50:90:95:99:99.9:99.99");
    if (job.per_second_log) {
        text.set("write_iops_log", kLogPrefix);
        text.set("log_avg_msec", kLogWindow.count());
    }
    return text.text();
}

}  // namespace poolwise::guest_runner
