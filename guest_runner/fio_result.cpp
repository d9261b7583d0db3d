// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/fio_result.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "guest_runner/fio_direction.hpp"
#include "guest_runner/fio_document.hpp"

namespace poolwise::guest_runner {
namespace {

using Json = nlohmann::json;
using Faults = std::vector<std::string>;

constexpr std::size_t kMostNotes = 20;
constexpr double kShortestShare = 0.95;

std::string describe_error(int error) {
    switch (error) {
        case 5:
            return "disk error (EIO)";
        case 22:
            return "the disk refused direct I/O, or the block size is below its sector (EINVAL)";
        case 28:
            return "no space left (ENOSPC)";
        default:
            return std::generic_category().message(error);
    }
}

void judge_exit(int status, Faults& faults) {
    if (status == 0) return;
    const std::string ended = "fio ended with status " + std::to_string(status);
    if (status < 128) {
        faults.push_back(ended);
    } else if (status == 128) {
        faults.push_back(ended + ": it was told to stop");
    } else {
        faults.push_back(ended + ": it was killed by signal " + std::to_string(status - 128));
    }
}

bool tells_of_failure(std::string_view line) {
    constexpr std::array<std::string_view, 4> kSigns{"err=", "error", "failed", "terminating"};
    return line.starts_with("fio: ") &&
           std::any_of(kSigns.begin(), kSigns.end(), [line](std::string_view sign) {
               return line.find(sign) != std::string_view::npos;
           });
}

void judge_notes(const std::vector<std::string>& notes, Faults& faults) {
    const auto first = std::find_if(notes.begin(), notes.end(), tells_of_failure);
    if (first == notes.end()) return;
    const auto count = std::count_if(first, notes.end(), tells_of_failure);
    faults.push_back("fio says '" + *first + "'" +
                     (count == 1 ? "" : " and " + std::to_string(count - 1) + " more such lines"));
}

/// Many jobs can fail a million times; the raw file keeps every line.
void shorten(std::vector<std::string>& notes) {
    if (notes.size() <= kMostNotes) return;
    const std::size_t left_out = notes.size() - kMostNotes;
    notes.resize(kMostNotes);
    notes.push_back("and " + std::to_string(left_out) + " more lines");
}

std::string text_at(const Json& object, std::string_view key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

/// An option as the job file gave it, to the job or to all; nullopt if it did not.
std::optional<std::string> option_of(const Json& document, const Json& job, std::string_view name) {
    for (const auto& [object, key] :
         {std::pair{&job, "job options"}, std::pair{&document, "global options"}}) {
        const auto options = object->find(key);
        if (options != object->end() && options->is_object() && options->contains(name)) {
            return text_at(*options, name);
        }
    }
    return std::nullopt;
}

/// Which generation of fio wrote a document, by its keys: 2.x has microseconds in `clat` and
/// kibibytes in `io_bytes`, 3.x nanoseconds in `clat_ns` and bytes.
struct Generation {
    bool old = false;
    bool present = false;
};

Generation generation_of(const Json& jobs) {
    Generation generation;
    for (const Json& job : jobs) {
        for (const std::string_view name : {"read", "write"}) {
            if (!job.is_object() || !job.contains(name) || !job[name].is_object()) continue;
            generation.old |= job[name].contains("clat") || job[name].contains("lat");
            generation.present |= job[name].contains("clat_ns") || job[name].contains("lat_ns");
        }
    }
    return generation;
}

void add(DirectionResult& sum, const DirectionResult& job) {
    const auto before = static_cast<double>(sum.total_ios);
    const auto more = static_cast<double>(job.total_ios);
    if (before + more > 0) {
        sum.latency_mean = (sum.latency_mean * before + job.latency_mean * more) / (before + more);
    }
    sum.total_ios += job.total_ios;
    sum.io_bytes += job.io_bytes;
    sum.iops += job.iops;
    sum.bandwidth += job.bandwidth;
    sum.runtime = std::max(sum.runtime, job.runtime);
    sum.latency_max = std::max(sum.latency_max, job.latency_max);
    sum.latency.merge(job.latency);
    sum.short_ios += job.short_ios;
    sum.dropped_ios += job.dropped_ios;
}

void add(std::optional<SyncResult>& sum, const std::optional<SyncResult>& job) {
    if (!sum || !job) {
        if (job) sum = job;
        return;
    }
    const auto before = static_cast<double>(sum->total);
    const auto more = static_cast<double>(job->total);
    sum->latency_mean = (sum->latency_mean * before + job->latency_mean * more) / (before + more);
    sum->total += job->total;
    sum->latency.merge(job->latency);
}

/// Reads the jobs of one document into one result.
class DocumentReader {
public:
    DocumentReader(const Json& document, const Workload& workload, Faults& faults)
        : document_{document}, workload_{workload}, faults_{faults} {}

    [[nodiscard]] std::optional<FioResult> read() {
        const auto jobs = document_.find("jobs");
        if (jobs == document_.end() || !jobs->is_array() || jobs->empty()) {
            faults_.emplace_back("read fio result: the document has no jobs");
            return std::nullopt;
        }
        if (!check_generation(*jobs)) return std::nullopt;
        check_jobs(*jobs);
        result_.fio_version = text_at(document_, "fio version");
        for (const Json& job : *jobs) {
            read_job(job, "jobs[" + std::to_string(&job - &jobs->front()) + "]");
        }
        check_whole();
        return result_;
    }

private:
    bool check_generation(const Json& jobs) {
        const Generation generation = generation_of(jobs);
        if (!generation.old) return true;
        faults_.emplace_back(
            generation.present
                ? "read fio result: the document mixes the units of fio 2 and fio 3"
                : "read fio result: the document has the units of fio 2 (microseconds, KiB); use "
                  "fio 3.3 or newer");
        return false;
    }

    /// A grouped document has one entry for all jobs, another one entry per job.
    void check_jobs(const Json& jobs) {
        const Json& first = jobs.front();
        grouped_ = jobs.size() == 1 && first.is_object() &&
                   option_of(document_, first, "group_reporting").has_value();
        const std::string asked = std::to_string(workload_.jobs);
        const std::string found = grouped_ ? option_of(document_, first, "numjobs").value_or("1")
                                           : std::to_string(jobs.size());
        if (found != asked) {
            faults_.push_back("read fio result: " + found + " of " + asked +
                              " jobs are in the document");
        }
    }

    void read_job(const Json& job, const std::string& where) {
        const Figures figures{job, where, faults_};
        if (!job.is_object()) {
            figures.fault("it is no object");
            return;
        }
        if (const std::string name = text_at(job, "jobname"); name != workload_.id) {
            figures.fault("job '" + name + "' was not asked for, '" + workload_.id + "' was");
        }
        check_errors(job, figures);
        const DirectionResult read = read_direction(figures.inside("read"), workload_);
        const DirectionResult write = read_direction(figures.inside("write"), workload_);
        const std::chrono::milliseconds runtime = std::max(read.runtime, write.runtime);
        check_runtime(figures, runtime);
        read_runtime(figures, runtime);
        read_depth(figures, static_cast<double>(read.total_ios + write.total_ios));
        if (figures.has("sync")) add(result_.sync, read_sync(figures.inside("sync")));
        add(result_.read, read);
        add(result_.write, write);
    }

    void check_errors(const Json& job, const Figures& figures) {
        const auto error = job.find("error");
        if (error == job.end() || !error->is_number_integer()) {
            figures.fault("'error' is no whole number");
        } else if (*error != 0) {
            const auto code = error->get<std::int64_t>();
            figures.fault("fio met error " + std::to_string(code) + ": " +
                          describe_error(static_cast<int>(code)));
        }
        if (figures.has("total_err") && figures.count("total_err") > 0) {
            figures.fault("fio passed over " + std::to_string(figures.count("total_err")) +
                          " errors");
        }
    }

    void check_runtime(const Figures& figures, std::chrono::milliseconds runtime) {
        if (!workload_.runtime) return;
        const auto asked = std::chrono::milliseconds{*workload_.runtime};
        if (static_cast<double>(runtime.count()) <
            kShortestShare * static_cast<double>(asked.count())) {
            figures.fault("it ran for " + std::to_string(runtime.count()) + " ms of the " +
                          std::to_string(asked.count()) + " ms asked for");
        }
    }

    /// fio adds up `job_runtime` over grouped jobs; the runtime of a direction is that of the
    /// longest job either way.
    void read_runtime(const Figures& figures, std::chrono::milliseconds longest_direction) {
        const bool one_job = !grouped_ || workload_.jobs == 1;
        const auto runtime = one_job && figures.has("job_runtime")
                                 ? std::chrono::milliseconds{figures.count("job_runtime")}
                                 : longest_direction;
        result_.job_runtime = std::max(result_.job_runtime, runtime);
    }

    /// Percentages of requests by the largest of 1, 2, 4 .. 64 that their depth reaches. With
    /// fdatasync they add up to 200 %: flushes are counted, their share of the total is not.
    void read_depth(const Figures& figures, double requests) {
        static constexpr std::array<std::string_view, 7> kBuckets{"1",  "2",  "4",   "8",
                                                                  "16", "32", ">=64"};
        if (requests <= 0) return;
        const Figures levels = figures.inside("iodepth_level");
        const std::size_t asked = std::min<std::size_t>(
            static_cast<std::size_t>(std::bit_width(workload_.iodepth)) - 1, kBuckets.size() - 1);
        double sum = 0;
        for (const std::string_view bucket : kBuckets) sum += levels.real(bucket);
        if (sum <= 0) return;
        const double share = levels.real(kBuckets.at(asked)) / std::max(sum, 100.0);
        result_.depth_share =
            (result_.depth_share * weight_ + share * requests) / (weight_ + requests);
        weight_ += requests;
    }

    void check_whole() {
        const bool reads_only = !writes(workload_.access);
        const bool writes_only = !reads(workload_.access);
        if (result_.total_ios() == 0) {
            faults_.emplace_back("read fio result: not a single request was made");
        } else if ((reads_only && result_.write.total_ios > 0) ||
                   (writes_only && result_.read.total_ios > 0)) {
            faults_.push_back("read fio result: '" + workload_.id + "' asks for " +
                              std::string{enum_name(kAccessNames, workload_.access)} +
                              ", but the other direction has requests");
        }
        if (workload_.sync == Sync::fdatasync && !result_.sync) {
            faults_.push_back("read fio result: '" + workload_.id +
                              "' asks for fdatasync, but fio issued none");
        }
    }

    const Json& document_;
    const Workload& workload_;
    Faults& faults_;
    FioResult result_;
    bool grouped_ = false;
    double weight_ = 0;  ///< requests behind depth_share so far
};

}  // namespace

FioReading read_fio_result(std::string_view file_text, int exit_status, const Workload& workload) {
    FioReading reading;
    FioDocument document = find_fio_document(file_text);
    if (document.json) {
        reading.result = DocumentReader{*document.json, workload, reading.faults}.read();
    } else {
        reading.faults.push_back(document.fault);
    }
    judge_notes(document.notes, reading.faults);
    judge_exit(exit_status, reading.faults);
    if (reading.result) {
        shorten(document.notes);
        reading.result->notes = std::move(document.notes);
        if (document.documents > 1) {
            reading.result->notes.push_back("the last of " + std::to_string(document.documents) +
                                            " documents was read");
        }
    }
    return reading;
}

}  // namespace poolwise::guest_runner
