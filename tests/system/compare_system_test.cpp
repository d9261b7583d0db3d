// SPDX-License-Identifier: Apache-2.0
// What README promises of `poolwise compare`, on a real libvirt, real guests and a real disk.
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <signal.h>

#include "tests/paths.hpp"
#include "tests/system/cli_process.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace poolwise {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

/// A profile that takes seconds: enough requests to tell first writes apart.
constexpr const char* kTinyProfile = R"({
  "name": "tiny", "description": "For tests.", "rounds": 3, "volume_size_bytes": 268435456,
  "guest": {"memory_bytes": 402653184},
  "workloads": [
    {"id": "rand-read-4k", "access": "randread", "block_size_bytes": 4096, "iodepth": 16,
     "ramp_s": 1, "runtime_s": 2},
    {"id": "first-write-128k", "access": "randwrite", "block_size_bytes": 131072, "iodepth": 16,
     "phase": "first_write"}]})";

class CompareSystemTest : public testing::Test {
protected:
    void SetUp() override {
        if (!test::libvirt_answers()) {
            GTEST_SKIP() << "no libvirtd answers on qemu:///system (etc/start-libvirt starts one)";
        }
        before_ = test::node_inventory();
        std::filesystem::create_directory(scratch_);
        std::filesystem::permissions(scratch_, std::filesystem::perms{0711});
        std::ofstream{folder_.path() / "tiny.json"} << kTinyProfile;
    }

    void TearDown() override {
        if (IsSkipped()) return;
        EXPECT_EQ(test::node_inventory(), before_) << "the node is not as it was";
        if (std::filesystem::exists(scratch_)) {
            EXPECT_TRUE(std::filesystem::is_empty(scratch_)) << "files were left in the pool";
        }
    }

    std::vector<std::string> command(std::vector<std::string> words) const {
        words.insert(words.begin(), {test::poolwise_program(), "--state", state_});
        return words;
    }

    std::vector<std::string> compare(std::vector<std::string> more = {}) const {
        std::vector<std::string> words{"compare", "dir:" + scratch_.string(), "--profile",
                                       folder_.path() / "tiny.json"};
        words.insert(words.end(), more.begin(), more.end());
        return command(words);
    }

    /// Median IOPS of a cell in the JSON output.
    static double median(const nlohmann::json& document, const std::string& candidate,
                         const std::string& workload) {
        for (const auto& cell : document.at("cells")) {
            if (cell.at("candidate") == candidate && cell.at("workload") == workload) {
                return cell.at("iops").at("median").get<double>();
            }
        }
        ADD_FAILURE() << "no cell for " << candidate << " and " << workload;
        return 0;
    }

    // Below /var/tmp: on a disk, and every parent can be searched by QEMU's user.
    test::ScratchFolder folder_{"/var/tmp"};
    std::filesystem::path scratch_ = folder_.path() / "pool";
    // Kept between tests, so that the guest's image is built once.
    std::string state_ = test::kBinaryFolder + "/system-test-state";

private:
    std::string before_;
};

TEST_F(CompareSystemTest, FirstWritesAfterASnapshotAreSlowerAndReadsAreNot) {
    const auto end = test::run(compare({"-o", "json", "--seed", "1"}));

    ASSERT_EQ(end.status, 0) << end.err;
    const auto document = nlohmann::json::parse(end.out);
    EXPECT_LT(median(document, "guest-qcow2-snapshot", "first-write-128k"),
              0.7 * median(document, "guest-qcow2", "first-write-128k"));
    EXPECT_GT(median(document, "guest-qcow2-snapshot", "rand-read-4k"),
              0.7 * median(document, "guest-qcow2", "rand-read-4k"));
    EXPECT_GT(median(document, "host-raw", "rand-read-4k"),
              median(document, "guest-raw", "rand-read-4k"));
    for (const auto& sample : document.at("samples")) {
        EXPECT_TRUE(sample.at("void_reasons").empty()) << sample.at("void_reasons");
    }
}

TEST_F(CompareSystemTest, ADiskThrottledTo200IopsIsMeasuredAt200) {
    std::ofstream{folder_.path() / "throttled.json"} << R"({
      "name": "throttled", "description": "For tests.", "rounds": 1, "volume_size_bytes": 134217728,
      "guest": {"memory_bytes": 402653184},
      "workloads": [{"id": "read", "access": "randread", "block_size_bytes": 4096, "iodepth": 16,
                     "ramp_s": 2, "runtime_s": 15},
                    {"id": "write", "access": "randwrite", "block_size_bytes": 4096, "iodepth": 16,
                     "ramp_s": 2, "runtime_s": 15}]})";
    const auto end = test::run(command({"compare", "dir:" + scratch_.string(), "--profile",
                                        folder_.path() / "throttled.json", "--candidates", "raw",
                                        "--layers", "guest", "--limit-iops", "200", "-o", "json"}));

    ASSERT_EQ(end.status, 0) << end.err;
    const auto document = nlohmann::json::parse(end.out);
    for (const char* workload : {"read", "write"}) {
        const double iops = median(document, "guest-raw", workload);
        std::cout << "throttled to 200 IOPS, " << workload << ": measured " << iops << '\n';
        EXPECT_NEAR(iops, 200, 4) << workload;
    }
    for (const auto& sample : document.at("samples")) EXPECT_EQ(sample.at("bound_by"), "limit");
}

TEST_F(CompareSystemTest, VmdkAndVhdAreMeasuredOverTheSameSpanAsRaw) {
    const auto end = test::run(compare(
        {"--candidates", "raw,vmdk,vpc", "--layers", "guest", "--rounds", "1", "-o", "json"}));

    ASSERT_EQ(end.status, 0) << end.err;
    const auto document = nlohmann::json::parse(end.out);
    EXPECT_FALSE(document.at("samples").empty());
    std::set<std::string> sizes;
    for (const auto& sample : document.at("samples")) {
        EXPECT_TRUE(sample.at("void_reasons").empty()) << sample.at("void_reasons");
        const std::string job = sample.at("fio_job");
        const auto at = job.find("\nsize=");
        sizes.insert(job.substr(at + 6, job.find('\n', at + 1) - at - 6));
    }
    EXPECT_EQ(sizes.size(), 1U);
}

TEST_F(CompareSystemTest, AnExternalSnapshotIsMeasuredAndCleanedToo) {
    const auto end = test::run(compare({"--candidates", "qcow2+snapshot=external", "--layers",
                                        "guest", "--rounds", "2", "-o", "json"}));

    ASSERT_EQ(end.status, 0) << end.err;
    const auto document = nlohmann::json::parse(end.out);
    for (const auto& sample : document.at("samples")) {
        if (sample.at("workload") != "first-write-128k") continue;
        EXPECT_EQ(sample.at("evidence").at("snapshot_state"), "fresh");
    }
}

TEST_F(CompareSystemTest, AnInterruptAtAnyMomentCleansUpAndExitsWithSix) {
    std::mt19937 random{7};
    for (const char* moment : {"guest's image", "boot the guest", "fill raw", "sample 1 of"}) {
        test::Process process{compare()};
        if (!process.wait_for_error_text(moment, 120s)) {
            const auto end = process.finish(1s);
            // Some moments pass unseen on a fast node, but the run must not have failed.
            EXPECT_EQ(end.status, 0) << moment << ": " << end.err;
            continue;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{random() % 300});
        process.signal(SIGINT);
        const auto end = process.finish(60s);
        EXPECT_EQ(end.status, 6) << "interrupted at '" << moment << "': " << end.err;
        EXPECT_TRUE(std::filesystem::is_empty(scratch_)) << moment;
    }
}

TEST_F(CompareSystemTest, WhatAKilledRunLeftIsRemovedByClean) {
    {
        test::Process process{compare()};
        ASSERT_TRUE(process.wait_for_error_text("fill qcow2", 120s));
        process.signal(SIGKILL);
        EXPECT_EQ(process.finish(10s).status, 128 + SIGKILL);
    }
    EXPECT_FALSE(std::filesystem::is_empty(scratch_)) << "the kill came too late to test anything";

    const auto dry = test::run(command({"clean", "--dry-run"}));
    EXPECT_THAT(dry.out, HasSubstr("would remove"));
    const auto end = test::run(command({"clean"}));

    EXPECT_EQ(end.status, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("removed guest"));
    EXPECT_THAT(test::run(command({"runs"})).out, HasSubstr("interrupted"));
}

TEST_F(CompareSystemTest, ASecondRunOnTheNodeIsRefusedWhileOneMeasures) {
    test::Process first{compare()};
    ASSERT_TRUE(first.wait_for_error_text("boot the guest", 60s));

    const auto second = test::run(compare());

    EXPECT_EQ(second.status, 5);
    EXPECT_THAT(second.err, HasSubstr("measured"));
    first.signal(SIGTERM);
    EXPECT_EQ(first.finish(60s).status, 6);
}

struct BadInput {
    const char* name;
    std::vector<std::string> words;  ///< after `compare`; @ stands for the scratch directory
    int status;
    const char* said;
};

/// What the test's name shows.
void PrintTo(const BadInput& input, std::ostream* out) {
    *out << input.name;
}

class BadInputSystemTest : public CompareSystemTest,
                           public testing::WithParamInterface<BadInput> {};

TEST_P(BadInputSystemTest, IsRefusedWithAClearSentenceAndNothingCreated) {
    std::vector<std::string> words = GetParam().words;
    for (std::string& word : words) {
        if (const auto at = word.find('@'); at != std::string::npos) {
            word.replace(at, 1, scratch_.string());
        }
    }
    words.insert(words.begin(), "compare");

    const auto end = test::run(command(words));

    EXPECT_EQ(end.status, GetParam().status) << end.err;
    EXPECT_THAT(end.err, HasSubstr(GetParam().said));
    EXPECT_EQ(end.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    Requests, BadInputSystemTest,
    testing::Values(
        BadInput{"UnknownPool", {"no-such-pool"}, 2, "pool 'no-such-pool' does not exist"},
        BadInput{"MissingDirectory", {"dir:/no/such/dir"}, 2, "/no/such/dir"},
        BadInput{"NoPool", {}, 2, "pools is required"},
        BadInput{"TooSmall", {"dir:@", "--size", "32M"}, 2, "at least 64 MiB"},
        BadInput{"NoSpace", {"dir:@", "--size", "900T"}, 4, "900 TiB"},
        BadInput{"NativeWithCache",
                 {"dir:@", "--cache", "writeback"},
                 2,
                 "io=native does not work with cache=writeback"},
        BadInput{"UnknownCache", {"dir:@", "--cache", "fast"}, 2, "--cache"},
        BadInput{"UnknownFormat", {"dir:@", "--candidates", "vdi"}, 2, "unknown format 'vdi'"},
        BadInput{"UnknownProfile",
                 {"dir:@", "--profile", "nightly"},
                 2,
                 "profile 'nightly' does not exist"},
        BadInput{"UnknownOption", {"dir:@", "--speed", "9"}, 2, "--speed"},
        BadInput{"RemoteUri", {"dir:@", "-c", "qemu+ssh://other/system"}, 2, "remote"}),
    [](const auto& named) { return std::string{named.param.name}; });

TEST_F(CompareSystemTest, AProfileWithAnUnknownFieldIsRefusedByFileAndField) {
    const auto file = folder_.path() / "odd.json";
    std::ofstream{file} << R"({"name": "odd", "speed": 3, "workloads": []})";

    const auto end =
        test::run(command({"compare", "dir:" + scratch_.string(), "--profile", file.string()}));

    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.err, HasSubstr(file.string()));
    EXPECT_THAT(end.err, HasSubstr("speed"));
}

TEST_F(CompareSystemTest, AnInactivePoolIsNamedWithTheCommandThatStartsIt) {
    const std::string pool = "poolwise test a&b <c>";
    const auto xml = folder_.put("pool.xml",
                                 "<pool type='dir'><name>poolwise test a&amp;b &lt;c&gt;</name>"
                                 "<target><path>" +
                                     scratch_.string() + "</path></target></pool>");
    ASSERT_EQ(test::run({"virsh", "-c", "qemu:///system", "pool-define", xml}).status, 0);
    const auto by_name = test::run(command({"compare", pool}));
    const auto by_path = test::run(command({"compare", "dir:" + scratch_.string()}));
    const auto listed = test::run(command({"pools"}));
    EXPECT_EQ(test::run({"virsh", "-c", "qemu:///system", "pool-undefine", pool}).status, 0);

    EXPECT_EQ(by_name.status, 5);
    EXPECT_THAT(by_name.err, HasSubstr("is inactive"));
    EXPECT_EQ(by_path.status, 5);
    EXPECT_THAT(by_path.err, HasSubstr(pool));
    EXPECT_THAT(listed.out, HasSubstr(pool));
}

TEST_F(CompareSystemTest, AnExistingPoolIsUsedAsItIsAndStays) {
    const std::string pool = "poolwise test pool";
    ASSERT_EQ(test::run({"virsh", "-c", "qemu:///system", "pool-create-as", pool, "dir", "--target",
                         scratch_})
                  .status,
              0);
    const auto end =
        test::run(command({"compare", pool, "--profile", folder_.path() / "tiny.json",
                           "--candidates", "raw", "--layers", "guest", "--rounds", "1"}));
    const auto volumes = test::run({"virsh", "-q", "-c", "qemu:///system", "vol-list", pool});
    EXPECT_EQ(test::run({"virsh", "-c", "qemu:///system", "pool-destroy", pool}).status, 0);

    EXPECT_EQ(end.status, 0) << end.err;
    EXPECT_EQ(volumes.out.find("poolwise-"), std::string::npos);
}

}  // namespace
}  // namespace poolwise
