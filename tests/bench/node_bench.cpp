// SPDX-License-Identifier: Apache-2.0
// The speeds that README promises, measured on the node it runs on. Each figure is a ratio of two
// things measured in turn in one run, because machines are shared and noisy.
//
// usage: node_bench [ready|sample|fill|fidelity|fidelity-free|share|memory]...
// (all but fidelity-free and share without arguments)
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>

#include <unistd.h>

#include "guest_runner/engines.hpp"
#include "module/analysis/summary.hpp"
#include "module/app/composition.hpp"
#include "module/core/names.hpp"
#include "module/runs/cleaner.hpp"
#include "module/runs/provisioner.hpp"
#include "module/runs/runner.hpp"
#include "module/runs/sampler.hpp"
#include "module/runs/seat.hpp"
#include "tests/paths.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace poolwise {
namespace {

using namespace literals;
using namespace std::chrono_literals;

struct Verdict {
    std::string name;
    double figure = 0;
    double goal = 0;
    bool at_most = true;

    [[nodiscard]] bool met() const { return at_most ? figure <= goal : figure >= goal; }
};

std::vector<Verdict> verdicts;

void judge(const std::string& name, double figure, double goal, bool at_most) {
    verdicts.push_back({name, figure, goal, at_most});
    std::printf("%-58s %9.3f   goal %s %g   %s\n", name.c_str(), figure,
                at_most ? "<=" : ">=", goal, verdicts.back().met() ? "met" : "NOT MET");
    std::fflush(stdout);
}

void print(const std::string& name, const Spread& spread, const char* unit) {
    std::printf("  %-56s %9.3f   (%.3f..%.3f, n=%zu) %s\n", name.c_str(), spread.median,
                spread.least, spread.most, spread.n, unit);
    std::fflush(stdout);
}

class SilentObserver final : public RunObserver {
public:
    void planned(const Run&) override {}
    void step(const std::string&) override {}
    void sample_started(const PlannedSample&) override {}
    void progress(const JobProgress&) override {}
    void sample_done(const Sample&) override {}
    void remarked(const Remark&) override {}
};

/// A node with the real adapters and one run's worth of names; cleans up at the end.
class Bench {
public:
    Bench() {
        std::filesystem::create_directory(pool_folder_);
        std::filesystem::permissions(pool_folder_, std::filesystem::perms{0711});
        run_.node = ports_.node.facts();
        run_.node.qemu = ports_.guests.qemu_version();
        run_.places = {ports_.node.path_facts(pool_folder_)};
        run_.request.profile = {.name = "bench", .guest = {.memory = 384_MiB}};
        run_.request.seed = 1;
    }
    ~Bench() {
        for (const auto& left :
             Cleaner{ports_.storage, ports_.guests, ports_.journal}.clean_run(run_.id)) {
            std::fprintf(stderr, "left behind: %s\n", left.c_str());
        }
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    [[nodiscard]] RunPorts& ports() { return ports_; }
    [[nodiscard]] Run& run() { return run_; }
    [[nodiscard]] Provisioner& provisioner() { return provisioner_; }
    [[nodiscard]] double now() { return ports_.clock.now().count(); }

    std::string pool() {
        if (pool_.empty()) {
            pool_ = provisioner_.create_pool(object_name(run_.id, "pool1"), pool_folder_).name;
        }
        return pool_;
    }

    CandidateDisk make_disk(Bytes size, std::optional<Iops> limit = {}) {
        CandidateDisk disk{{.id = "guest-raw", .pool = "bench", .driver = {.iops_limit = limit}},
                           pool(),
                           run_.id,
                           ++disks_,
                           size,
                           provisioner_,
                           ports_.storage};
        disk.provision();
        return disk;
    }

    GuestSeat boot() {
        return {boot_guest(run_, ports_.images.ensure(), provisioner_, ports_, {}), ports_.guests};
    }
    void shut_down() { provisioner_.destroy_guest(object_name(run_.id, "guest")); }

private:
    test::ScratchFolder folder_{"/var/tmp"};
    std::filesystem::path pool_folder_ = folder_.path() / "pool";
    Composition composition_{kDefaultUri, test::kBinaryFolder + "/bench-state",
                             find_installation()};
    RunPorts ports_ = composition_.ports();
    Run run_;
    Provisioner provisioner_{(run_.id = make_run_id(ports_.node.random_bits())), ports_.storage,
                             ports_.guests, ports_.journal};
    std::string pool_;
    unsigned disks_ = 0;
};

/// Until the engine of a guest without fio answers at all: it says that it found no fio.
double bare_boot(Bench& bench, const GuestImage& image, const std::string& no_tools) {
    const double start = bench.now();
    bench.provisioner().start_guest({.name = object_name(bench.run().id, "guest"),
                                     .run_id = bench.run().id,
                                     .memory = 384_MiB,
                                     .kernel_path = image.kernel_path,
                                     .initramfs_path = image.initramfs_path,
                                     .tools_disk_path = no_tools});
    try {
        static_cast<void>(bench.ports().engines.connect(
            bench.ports().guests.open_channel(object_name(bench.run().id, "guest")), kTcgReadyLimit,
            {}, {}));
    } catch (const Error& error) {
        if (error.code() != ErrorCode::unavailable) throw;
    }
    const double took = bench.now() - start;
    bench.shut_down();
    return took;
}

void bench_ready() {
    Bench bench;
    const GuestImage image = bench.ports().images.ensure();
    test::ScratchFolder folder{"/var/tmp"};
    const std::string empty = folder.path() / "empty";
    std::ofstream{empty} << std::string(1U << 20U, '\0');
    bench.run().request.accelerator = Accelerator::tcg;
    std::vector<double> bare;
    std::vector<double> full;
    for (int i = 0; i < 6; ++i) {
        bare.push_back(bare_boot(bench, image, empty));
        const double start = bench.now();
        { const GuestSeat seat = bench.boot(); }
        full.push_back(bench.now() - start);
        bench.shut_down();
    }
    print("bare engine, until it answers", spread_of(bare), "s");
    print("guest ready, until fio's version", spread_of(full), "s");
    judge("guest ready / bare engine", spread_of(full).median / spread_of(bare).median, 1.6, true);
}

Workload short_read() {
    return {.id = "read", .block_size = 4_KiB, .iodepth = 16, .ramp = 0s, .runtime = 1s};
}

void bench_sample() {
    Bench bench;
    SilentObserver observer;
    bench.run().request.profile.workloads = {short_read()};
    CandidateDisk disk = bench.make_disk(256_MiB);
    CandidateDisk plugged = bench.make_disk(256_MiB);
    GuestSeat seat = bench.boot();
    Sampler sampler{bench.run(), bench.ports(), observer};
    sampler.prepare_first(disk, seat, {});
    sampler.prepare_first(plugged, seat, {});
    std::vector<double> extra;
    std::vector<double> totals;
    std::vector<double> bare;
    for (unsigned i = 0; i < 20; ++i) {
        seat.attach(plugged);
        const JobOutcome alone = seat.engine().run(
            {.disk = seat.identity(plugged), .workload = short_read(), .seed = 1}, {}, {}, {});
        seat.detach(plugged);
        bare.push_back(alone.report.wall.count());
        const double start = bench.now();
        const TakenSample taken =
            sampler.take({.round = 1, .position = i + 1}, disk, seat, short_read(), {});
        const double total = bench.now() - start - taken.sample.timings.idle_wait.count();
        totals.push_back(total);
        extra.push_back(total - bare.back());
    }
    print("the bare fio command of 1 s in the guest", spread_of(bare), "s");
    print("a whole sample of it, hot-plug to unplug", spread_of(totals), "s");
    judge("a sample beyond the bare fio command, s", spread_of(extra).median, 0.5, true);
}

double dd_direct(const std::string& path, Bytes size, Bench& bench) {
    const std::string of = "of=" + path;
    const std::string count = "count=" + std::to_string(size.count() >> 20U);
    const double start = bench.now();
    const pid_t child = fork();
    if (child == 0) {
        execlp("dd", "dd", "if=/dev/zero", of.c_str(), "bs=1M", count.c_str(), "oflag=direct",
               "conv=notrunc", "status=none", nullptr);
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) throw Error{ErrorCode::unavailable, "dd failed"};
    return static_cast<double>(size.count()) / (bench.now() - start);
}

/// The whole step, hot-plug, fio's start and unplug included, at the size that the size rule asks
/// of a storage with 160 MiB/s or more: they cost about 2 s under emulation, whatever the size.
void bench_fill() {
    Bench bench;
    SilentObserver observer;
    const Bytes size = 4_GiB;
    CandidateDisk disk = bench.make_disk(size);
    GuestSeat seat = bench.boot();
    Sampler sampler{bench.run(), bench.ports(), observer};
    sampler.prepare_first(disk, seat, {});
    std::vector<double> ratios;
    for (int i = 0; i < 5; ++i) {
        const double dd = dd_direct(disk.active().path, size, bench);
        const double start = bench.now();
        sampler.prepare_first(disk, seat, {});
        const double fill = static_cast<double>(size.count()) / (bench.now() - start);
        std::printf("  fill %.0f MiB/s, dd %.0f MiB/s\n", fill / 1048576, dd / 1048576);
        ratios.push_back(fill / dd);
    }
    judge("fill of 4 GiB / dd bs=1M oflag=direct on the same file", spread_of(ratios).median, 0.8,
          false);
}

/// The same job by hand and as a sample, in pairs; which comes first changes from pair to pair, so
/// that drift meets both.
void compare_with_by_hand(std::optional<Iops> limit) {
    Bench bench;
    SilentObserver observer;
    const Workload workload{
        .id = "read", .block_size = 128_KiB, .iodepth = 16, .ramp = 1s, .runtime = 4s};
    CandidateDisk disk = bench.make_disk(1_GiB, limit);
    GuestSeat seat = bench.boot();
    Sampler sampler{bench.run(), bench.ports(), observer};
    std::vector<double> by_hand;
    std::vector<double> reported;
    std::vector<double> ratios;
    const auto measure_by_hand = [&] {
        seat.attach(disk);
        const JobOutcome alone = seat.engine().run(
            {.disk = seat.identity(disk), .workload = workload, .seed = 1, .per_second_log = false},
            {}, {}, {});
        seat.detach(disk);
        by_hand.push_back(static_cast<double>(alone.result->read.total_ios) /
                          Seconds{alone.result->read.runtime}.count());
    };
    const auto measure = [&](unsigned pair) {
        const TakenSample taken =
            sampler.take({.round = 1, .position = pair + 1}, disk, seat, workload, {});
        reported.push_back(taken.sample.result.read.iops.count());
    };
    for (unsigned pair = 0; pair < 10; ++pair) {
        if (pair % 2 == 0) measure_by_hand();
        measure(pair);
        if (pair % 2 == 1) measure_by_hand();
        ratios.push_back(reported.back() / by_hand.back());
    }
    print("fio's requests / fio's runtime, by hand", spread_of(by_hand), "IOPS");
    print("reported", spread_of(reported), "IOPS");
    print("reported / by hand, pair by pair", spread_of(ratios), "");
    const double off = std::abs(spread_of(reported).median / spread_of(by_hand).median - 1);
    judge("reported median against by hand, off by", off, 0.03, true);
}

/// On a disk whose speed is known: a shared machine changes its own by half within seconds.
void bench_fidelity() {
    compare_with_by_hand(Iops{1000});
}

/// On a disk as it is; says something where the machine is quiet.
void bench_fidelity_free() {
    compare_with_by_hand({});
}

/// Runs the CLI as a child; its peak memory in MiB goes to `peak`.
int run_cli_child(std::vector<std::string> words, double& peak) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        execv(arguments[0], arguments.data());
        _exit(127);
    }
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    peak = static_cast<double>(usage.ru_maxrss) / 1024;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

double compare_and_measure_memory(const std::string& profile_json) {
    test::ScratchFolder folder{"/var/tmp"};
    const auto pool = folder.path() / "pool";
    std::filesystem::create_directory(pool);
    std::filesystem::permissions(pool, std::filesystem::perms{0711});
    const std::string profile = folder.put("bench.json", profile_json);
    double peak = 0;
    const int status = run_cli_child(
        {test::kBinaryFolder + "/bin/poolwise", "--state", test::kBinaryFolder + "/bench-state",
         "compare", "dir:" + pool.string(), "--profile", profile, "--layers", "guest",
         "--candidates", "raw,qcow2,qcow2+snapshot"},
        peak);
    if (status != 0) throw Error{ErrorCode::guest_failed, "compare failed"};
    return peak;
}

void bench_memory() {
    const double peak = compare_and_measure_memory(R"({
        "name": "memory", "description": "", "rounds": 5, "volume_size_bytes": 134217728,
        "guest": {"memory_bytes": 402653184},
        "workloads": [{"id": "read", "access": "randread", "block_size_bytes": 4096,
                       "iodepth": 16, "runtime_s": 1}]})");
    judge("peak memory of `poolwise compare`, MiB", peak, 60, true);
}

void bench_share() {
    Composition composition{kDefaultUri, test::kBinaryFolder + "/bench-state", find_installation()};
    RunPorts ports = composition.ports();
    const double start = ports.clock.now().count();
    static_cast<void>(compare_and_measure_memory(R"({
        "name": "share", "description": "", "rounds": 5, "volume_size_bytes": 1073741824,
        "guest": {"memory_bytes": 402653184},
        "workloads": [{"id": "read", "access": "randread", "block_size_bytes": 131072,
                       "iodepth": 16, "runtime_s": 15},
                      {"id": "write", "access": "randwrite", "block_size_bytes": 131072,
                       "iodepth": 16, "runtime_s": 15}]})"));
    const double wall = ports.clock.now().count() - start;
    double idle = 0;
    double measuring = 0;
    for (const Sample& sample : ports.store.samples(ports.store.runs(1).front().id)) {
        idle += sample.timings.idle_wait.count();
        measuring += Seconds{sample.result.job_runtime}.count();
    }
    std::printf("  wall %.1f s, waiting for the device %.1f s, fio measuring %.1f s\n", wall, idle,
                measuring);
    judge("measuring share of the wall time, idle waits apart", measuring / (wall - idle), 0.85,
          false);
}

int bench_main(std::vector<std::string> wanted) {
    const std::map<std::string, std::function<void()>> benches{
        {"ready", bench_ready},
        {"sample", bench_sample},
        {"fill", bench_fill},
        {"fidelity", bench_fidelity},
        {"fidelity-free", bench_fidelity_free},
        {"share", bench_share},
        {"memory", bench_memory}};
    if (wanted.empty()) wanted = {"ready", "sample", "fill", "fidelity", "memory"};
    for (const std::string& name : wanted) {
        if (!benches.contains(name)) {
            std::fprintf(stderr, "node_bench: unknown bench '%s'\n", name.c_str());
            return 2;
        }
        std::printf("%s\n", name.c_str());
        benches.at(name)();
    }
    return 0;
}

}  // namespace
}  // namespace poolwise

int main(int argc, char** argv) try {
    return poolwise::bench_main({argv + 1, argv + argc});
} catch (const poolwise::Error& error) {
    std::fprintf(stderr, "node_bench: %s\n", error.what());
    return 1;
}
