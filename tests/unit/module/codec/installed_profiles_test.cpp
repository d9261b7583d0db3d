// SPDX-License-Identifier: Apache-2.0
// The profiles that are installed: each is legal, and says what its name promises.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "module/codec/profile_codec.hpp"
#include "tests/paths.hpp"

namespace poolwise::test {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::ElementsAre;

Profile load(const std::filesystem::path& file) {
    std::ifstream stream{file};
    const std::string text{std::istreambuf_iterator<char>{stream}, {}};
    return parse_profile(text, file.string());
}

std::filesystem::path folder() {
    return std::filesystem::path{test::kSourceFolder} / "etc/profiles";
}

Profile installed(const std::string& name) {
    return load(folder() / (name + ".json"));
}

std::vector<std::string> ids(const Profile& profile) {
    std::vector<std::string> found;
    for (const Workload& workload : profile.workloads) found.push_back(workload.id);
    return found;
}

TEST(InstalledProfiles, AreLegalNamedAfterTheirFileAndSayWhatTheyReproduce) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator{folder()}) {
        SCOPED_TRACE(entry.path());
        const Profile profile = load(entry.path());
        EXPECT_NO_THROW(check_profile(profile));
        EXPECT_EQ(profile.name + ".json", entry.path().filename());
        EXPECT_FALSE(profile.description.empty());
        EXPECT_FALSE(profile.source.empty());
        for (const Workload& workload : profile.workloads) EXPECT_FALSE(workload.title.empty());
        ++count;
    }
    EXPECT_EQ(count, 3);
}

TEST(InstalledProfiles, QuickMeasuresFourCandidatesInAboutFiveMinutes) {
    const Profile quick = installed("quick");
    constexpr unsigned kCandidates = 4;
    constexpr std::chrono::seconds kFirstWrite = 5s;  // of 1 GiB; 128k at 1,650 IOPS

    std::chrono::seconds per_candidate{0};
    for (const Workload& workload : quick.workloads) {
        per_candidate += workload.ramp + workload.runtime.value_or(kFirstWrite);
    }

    EXPECT_LE(per_candidate * quick.rounds * kCandidates, 5min);
    EXPECT_EQ(quick.volume_size, 1_GiB);
    EXPECT_THAT(ids(quick),
                ElementsAre("rand-read-4k-qd16", "rand-read-128k-qd16", "first-write-128k-qd16"));
}

TEST(InstalledProfiles, DefaultCoversLatencyIopsStreamsSyncAndSnapshots) {
    const Profile profile = installed("default");

    EXPECT_THAT(ids(profile),
                ElementsAre("rand-read-4k-qd1", "rand-write-4k-qd1", "rand-read-4k-qd32",
                            "rand-write-4k-qd32", "mixed-16k-qd16", "rand-read-128k-qd16",
                            "rand-write-128k-qd16", "seq-read-1m-qd8", "seq-write-1m-qd8",
                            "sync-write-4k-qd1", "first-write-128k-qd16", "rewrite-128k-qd16"));
    EXPECT_EQ(profile.rounds, 5U);
    EXPECT_EQ(profile.fill, FillData::random);
    EXPECT_EQ(profile.order, Order::interleaved);
    EXPECT_FALSE(profile.volume_size);
    for (const Workload& workload : profile.workloads) {
        if (workload.phase != Phase::any) continue;
        EXPECT_EQ(workload.ramp, 2s) << workload.id;
        EXPECT_EQ(workload.runtime, 15s) << workload.id;
    }
}

TEST(InstalledProfiles, DefaultRewritesExactlyTheBlocksOfItsFirstWrite) {
    const Profile profile = installed("default");
    const Workload& first = profile.workloads.at(10);
    const Workload& second = profile.workloads.at(11);

    EXPECT_EQ(first.phase, Phase::first_write);
    EXPECT_EQ(second.phase, Phase::rewrite);
    EXPECT_FALSE(first.runtime);
    EXPECT_FALSE(second.runtime);
    EXPECT_EQ(first.size_percent, second.size_percent);
    EXPECT_EQ(first.block_size, second.block_size);
}

TEST(InstalledProfiles, VmmanagerClassicIsTheComparisonOf2013) {
    const Profile classic = installed("vmmanager-classic");

    EXPECT_EQ(classic.order, Order::source);
    EXPECT_EQ(classic.fill, FillData::zeros);
    EXPECT_EQ(classic.fill_when, FillWhen::each_sample);
    EXPECT_TRUE(classic.drop_host_cache);
    EXPECT_EQ(classic.rounds, 3U);
    EXPECT_EQ(classic.snapshot_rounds, 1U);
    EXPECT_EQ(classic.volume_size, Bytes{50'000ULL << 20U});
    ASSERT_THAT(ids(classic), ElementsAre("random-read-128k", "random-write-128k"));
    EXPECT_EQ(classic.workloads[0].access, Access::randread);
    EXPECT_EQ(classic.workloads[1].access, Access::randwrite);
    for (const Workload& workload : classic.workloads) {
        EXPECT_EQ(workload.block_size, 128_KiB);
        EXPECT_EQ(workload.iodepth, 16U);
        EXPECT_EQ(workload.jobs, 1U);
        EXPECT_EQ(workload.sync, Sync::none);
        EXPECT_EQ(workload.phase, Phase::any);
        EXPECT_EQ(workload.ramp, 0s);
        EXPECT_FALSE(workload.runtime);
        EXPECT_EQ(workload.size_percent, 100U);
        EXPECT_FALSE(workload.rate);
    }
}

}  // namespace
}  // namespace poolwise::test
