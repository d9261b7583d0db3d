// SPDX-License-Identifier: Apache-2.0
// Recorded fio output and the workloads it was recorded with.
#pragma once

#include <chrono>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

#include "module/core/workload.hpp"
#include "tests/paths.hpp"

namespace poolwise::test {

inline std::string fio_file(std::string_view name) {
    const std::string path = poolwise::test::kTestData + "/fio/" + std::string{name};
    std::ifstream file{path, std::ios::binary};
    if (!file) throw std::runtime_error{"cannot open '" + path + "'"};
    return {std::istreambuf_iterator<char>{file}, {}};
}

inline Workload fio_workload(std::string_view id) {
    Workload workload;
    workload.id = id;
    workload.runtime = std::chrono::seconds{3};
    return workload;
}

/// fio-3.33-randread.json
inline Workload randread_workload() {
    Workload workload = fio_workload("randread");
    workload.iodepth = 4;
    workload.ramp = std::chrono::seconds{1};
    workload.rate = Iops{150};
    return workload;
}

/// fio-3.33-fdatasync.json
inline Workload fdatasync_workload() {
    Workload workload = fio_workload("fdatasync");
    workload.access = Access::randwrite;
    workload.sync = Sync::fdatasync;
    workload.rate = Iops{60};
    return workload;
}

/// fio-3.33-two-jobs.json and, as `two-jobs-apart` without group_reporting, the file of that name
inline Workload two_jobs_workload(std::string_view id) {
    Workload workload = fio_workload(id);
    workload.access = Access::randrw;
    workload.iodepth = 2;
    workload.jobs = 2;
    workload.rate = Iops{60};
    return workload;
}

/// fio-3.33-size-bounded.json
inline Workload size_bounded_workload() {
    Workload workload = fio_workload("size-bounded");
    workload.access = Access::write;
    workload.block_size = Bytes{1U << 20U};
    workload.iodepth = 4;
    workload.runtime.reset();
    workload.size_percent = 25;
    return workload;
}

/// fio-3.33-dev-full.json
inline Workload dev_full_workload() {
    Workload workload = fio_workload("dev-full");
    workload.access = Access::write;
    workload.runtime.reset();
    return workload;
}

/// fio-3.33-direct-refused.json: `--bs=1000 --direct=1`
inline Workload direct_refused_workload() {
    Workload workload = fio_workload("direct-refused");
    workload.block_size = Bytes{1000};
    return workload;
}

/// `text` with the first `from` replaced by `to`; throws if it is not there.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos)
        throw std::logic_error{"no '" + std::string{from} + "' to replace"};
    return text.replace(at, from.size(), to);
}

}  // namespace poolwise::test
