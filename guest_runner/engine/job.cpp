// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/engine/job.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include <sys/wait.h>

#include <unistd.h>

#include "guest_runner/engine/processes.hpp"
#include "guest_runner/engine/system_readings.hpp"
#include "module/core/error.hpp"

namespace poolwise::guest_runner {
namespace {

constexpr std::chrono::seconds kDiskPatience{3};
constexpr std::size_t kMaxMessages = 60U << 10U;
constexpr std::size_t kMaxLog = 960U << 10U;
constexpr std::size_t kMaxJson = kMaxResult - kMaxLog - (kMaxMessages + 4096);
constexpr const char* kResultFile = "/result.json";

Disk find_disk(const RunRequest& request, Place place) {
    if (place == Place::host) return check_disk_at(request.path, request.size);
    return find_disk_by_serial(request.serial, request.size, kDiskPatience);
}

/// The disk under a name of ours: fio takes a colon in a file name for a separator.
std::string link_disk(const Disk& disk, const std::string& folder) {
    std::string link = folder + "/disk";
    if (::symlink(disk.path.c_str(), link.c_str()) != 0) {
        throw Error{ErrorCode::unavailable,
                    "prepare fio's folder '" + folder + "': " + std::strerror(errno)};
    }
    return link;
}

void write_text(const std::string& path, const std::string& text) {
    std::ofstream file{path, std::ios::binary};
    if (!(file << text << std::flush)) {
        throw Error{ErrorCode::unavailable, "write fio's job file '" + path + "': no room"};
    }
}

/// The kernel's idle times may step back a little (proc(5), iowait).
CpuTimes not_negative(const CpuTimes& times) {
    constexpr Seconds kZero{0};
    return {std::max(times.busy, kZero), std::max(times.idle, kZero), std::max(times.steal, kZero)};
}

double requests(const BlockCounters& counters) {
    return static_cast<double>(counters.read_requests + counters.write_requests);
}

}  // namespace

Job::Job(const RunRequest& request, const Placement& placement)
    : disk_{find_disk(request, placement.place)},
      block_size_{std::max(request.block_size, Bytes{512})},
      time_limit_{request.time_limit},
      folder_{std::in_place, placement.scratch} {
    summary_.job = request.job;
    const std::string& folder = folder_->path();
    write_text(folder + "/job.fio", request.job_text);
    Command command{
        placement.fio, {"LC_ALL=C", "POOLWISE_DISK=" + link_disk(disk_, folder)}, folder};
    for (const char* word :
         {"--output-format=json+", "--output=result.json", "--eta=never", "job.fio"}) {
        command.arguments.emplace_back(word);
    }
    counters_before_ = disk_.counters().value_or(BlockCounters{});
    cpu_before_ = cpu_times();
    started_ = Clock::now();
    progress_at_ = started_;
    const Child child = start_child(command);
    fio_ = child.pid;
    output_ = child.output;
}

Job::~Job() {
    if (output_ >= 0) ::close(output_);
}

void Job::drain_output() {
    std::array<char, 4096> buffer{};
    for (;;) {
        const ssize_t got = ::read(output_, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno == EAGAIN) return;
        if (got <= 0) {
            ::close(std::exchange(output_, -1));
            return;
        }
        const auto size = static_cast<std::size_t>(got);
        const std::size_t kept = std::min(size, kMaxMessages - messages_.size());
        messages_.append(buffer.data(), kept);
        messages_cut_ += size - kept;
    }
}

bool Job::reap() {
    int status = 0;
    for (;;) {
        const pid_t pid = ::waitpid(-1, &status, WNOHANG);
        if (pid < 0 && errno == EINTR) continue;
        if (pid == fio_) {
            fio_dead_ = true;
            summary_.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        if (pid > 0) continue;
        if (pid < 0 && !finished_) {  // ECHILD: nothing of it is left
            finish();
            return true;
        }
        break;
    }
    // Workers outlive a fio that was killed, and go on with their requests.
    if (fio_dead_) kill_descendants();
    return false;
}

void Job::stop(Stopped why) {
    if (finished_) return;
    if (summary_.stopped == Stopped::no) summary_.stopped = why;
    kill_descendants();
}

void Job::check_limits() {
    if (finished_) return;
    if (summary_.stopped != Stopped::no) kill_descendants();
    if (Clock::now() - started_ > time_limit_) stop(Stopped::time_limit);
}

Progress Job::progress() {
    const auto now = Clock::now();
    const Seconds span{now - std::exchange(progress_at_, now)};
    Progress progress{id(), now - started_, Iops{}, Bytes{}};
    double done = 0;
    if (const auto counters = disk_.counters()) {
        const BlockCounters moved = *counters - counters_before_;
        progress.bytes = moved.read_bytes + moved.write_bytes;
        done = requests(moved);
    } else {
        io_seen_ = std::max(io_seen_, descendants_io());
        progress.bytes = io_seen_;
        done = static_cast<double>(io_seen_.count()) / static_cast<double>(block_size_.count());
    }
    const double since_last = done - std::exchange(progress_requests_, done);
    if (span.count() > 0 && since_last > 0) progress.iops = Iops{since_last / span.count()};
    return progress;
}

void Job::finish() {
    finished_ = true;
    summary_.wall = Clock::now() - started_;
    summary_.cpu = not_negative(cpu_times() - cpu_before_);
    if (const auto counters = disk_.counters()) summary_.device = *counters - counters_before_;
    if (output_ >= 0) drain_output();
    if (messages_cut_ > 0) {
        messages_ += "\n[" + std::to_string(messages_cut_) + " bytes more were not kept]\n";
    }

    std::string json = read_text(folder_->path() + kResultFile, kMaxJson + 1);
    if (json.size() > kMaxJson) {
        json.clear();
        messages_ += "\n[fio's result file is larger than " + std::to_string(kMaxJson) +
                     " bytes and was not kept]\n";
    }
    parts_ = {std::move(json), std::move(messages_), read_logs()};
    summary_.parts = digest_of(parts_);
    folder_.reset();
}

std::string Job::read_logs() const {
    std::vector<std::string> paths;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator{folder_->path(), ignored}) {
        if (entry.path().filename().string().starts_with("log_iops.")) {
            paths.push_back(entry.path());
        }
    }
    std::sort(paths.begin(), paths.end());
    std::string logs;
    for (const std::string& path : paths) logs += read_text(path, kMaxLog - logs.size());
    if (logs.size() == kMaxLog) logs.resize(logs.rfind('\n') + 1);
    return logs;
}

}  // namespace poolwise::guest_runner
