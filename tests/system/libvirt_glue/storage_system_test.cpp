// SPDX-License-Identifier: Apache-2.0
// LibvirtStorage on the node's libvirtd: every claim is checked on the files themselves.
#include <array>
#include <cstdio>
#include <fstream>

#include <sys/mount.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "libvirt_glue/handle.hpp"
#include "tests/contract/storage_contract.hpp"
#include "tests/system/libvirt_glue/libvirtd_subject.hpp"

namespace poolwise::test {
namespace {

using namespace libvirt_glue;
using namespace poolwise::literals;
namespace fs = std::filesystem;

INSTANTIATE_TEST_SUITE_P(Libvirtd, StorageContract,
                         testing::Values([] { return std::make_unique<LibvirtdSubject>(); }));

/// What a command prints. Paths here need no quoting.
std::string output_of(const std::string& command) {
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error{"cannot run " + command};
    std::array<char, 4096> buffer{};
    std::string output;
    while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) output += buffer.data();
    pclose(pipe);
    return output;
}

nlohmann::json image_info(const std::string& path) {
    return nlohmann::json::parse(output_of("qemu-img info -U --output=json " + path));
}

Bytes allocated(const std::string& path) {
    struct stat file {};
    if (stat(path.c_str(), &file) != 0) throw std::runtime_error{"no file " + path};
    return Bytes{static_cast<std::uint64_t>(file.st_blocks) * 512U};
}

class StorageSystemTest : public testing::Test {
protected:
    void SetUp() override {
        if (const auto trouble = subject_.trouble(); !trouble.empty()) GTEST_SKIP() << trouble;
    }

    [[nodiscard]] VolumeSpec spec(Format format, FormatOptions options = {}) {
        return {.ref = {subject_.pool(), "poolwise-abcdefgh-01"},
                .format = format,
                .options = options,
                .capacity = 64_MiB,
                .backing = {}};
    }

    LibvirtdSubject subject_;
    Storage& storage_ = subject_.storage();
};

TEST_F(StorageSystemTest, RawVolumesAreAllocatedAsAsked) {
    const auto made = [this](Preallocation how) {
        const auto volume = storage_.create_volume(
            spec(Format::raw, {.preallocation = how, .cluster_size = {}, .extended_l2 = false}));
        EXPECT_EQ(fs::file_size(volume.path), volume.capacity.count());
        const Bytes blocks = allocated(volume.path);
        storage_.remove_volume(volume.ref);
        EXPECT_FALSE(fs::exists(volume.path));
        return blocks;
    };

    EXPECT_EQ(made(Preallocation::none), 0_B);
    EXPECT_GE(made(Preallocation::falloc), 64_MiB);
    EXPECT_GE(made(Preallocation::full), 64_MiB);
}

struct Qcow2Case {
    FormatOptions options;
    Bytes at_least;
    Bytes at_most;
};

class Qcow2SystemTest : public StorageSystemTest, public testing::WithParamInterface<Qcow2Case> {};

TEST_P(Qcow2SystemTest, AQcow2VolumeHasTheOptionsAsked) {
    const FormatOptions& options = GetParam().options;

    const VolumeInfo volume = storage_.create_volume(spec(Format::qcow2, options));

    const auto image = image_info(volume.path);
    const auto& detail = image["format-specific"]["data"];
    EXPECT_EQ(image["format"], "qcow2");
    EXPECT_EQ(image["virtual-size"], (64_MiB).count());
    EXPECT_EQ(image["cluster-size"], options.cluster_size.value_or(64_KiB).count());
    EXPECT_EQ(detail["compat"], "1.1");
    EXPECT_EQ(detail["extended-l2"], options.extended_l2);
    EXPECT_GE(allocated(volume.path), GetParam().at_least);
    EXPECT_LE(allocated(volume.path), GetParam().at_most);
    if (options.preallocation != Preallocation::none) {
        EXPECT_GE(fs::file_size(volume.path), (64_MiB).count());
    }
    storage_.remove_volume(volume.ref);
}

INSTANTIATE_TEST_SUITE_P(
    Options, Qcow2SystemTest,
    testing::Values(Qcow2Case{{}, 1_B, 1_MiB},
                    Qcow2Case{{Preallocation::metadata, {}, false}, 1_B, 1_MiB},
                    Qcow2Case{{Preallocation::falloc, {}, false}, 64_MiB, 66_MiB},
                    Qcow2Case{{Preallocation::none, 2_MiB, false}, 1_B, 16_MiB},
                    Qcow2Case{{Preallocation::none, 128_KiB, true}, 1_B, 2_MiB},
                    Qcow2Case{{Preallocation::falloc, 64_KiB, true}, 64_MiB, 66_MiB}));

TEST_F(StorageSystemTest, AnOverlayPointsToItsBackingVolume) {
    const VolumeInfo base = storage_.create_volume(spec(Format::raw));
    VolumeSpec overlay = spec(Format::qcow2);
    overlay.ref.name = "poolwise-abcdefgh-02";
    overlay.backing = base.ref;

    const VolumeInfo volume = storage_.create_volume(overlay);

    const auto image = image_info(volume.path);
    EXPECT_EQ(image["backing-filename"], base.path);
    EXPECT_EQ(image["backing-filename-format"], "raw");
    EXPECT_EQ(image["virtual-size"], (64_MiB).count());
    storage_.remove_volume(volume.ref);
    storage_.remove_volume(base.ref);
}

TEST_F(StorageSystemTest, AnInternalSnapshotIsInTheImageUntilItIsRemoved) {
    const VolumeInfo volume = storage_.create_volume(spec(Format::qcow2));
    const std::string list = "qemu-img snapshot -l " + volume.path;

    storage_.create_internal_snapshot(volume.ref, "poolwise-abcdefgh-02", "before-writes");
    EXPECT_THAT(output_of(list), testing::HasSubstr("before-writes"));

    storage_.remove_internal_snapshot("poolwise-abcdefgh-02", "before-writes");
    EXPECT_EQ(output_of(list), "");
    storage_.remove_volume(volume.ref);
}

/// A domain without disks; a transient one runs, paused before its first instruction.
class Stranger {
public:
    Stranger(Caller& caller, const std::string& name, const std::string& metadata, bool running)
        : caller_{caller}, name_{name} {
        const std::string xml = "<domain type='qemu'><name>" + name + "</name>" + metadata +
                                "<memory unit='MiB'>64</memory><os><type machine='pc'>hvm</type>"
                                "</os></domain>";
        caller_.call("make a domain", Seconds{60}, [xml, running](virConnectPtr libvirt) {
            static_cast<void>(adopt<Domain>(
                running ? virDomainCreateXML(libvirt, xml.c_str(), VIR_DOMAIN_START_PAUSED)
                        : virDomainDefineXML(libvirt, xml.c_str()),
                "make a domain"));
        });
    }
    ~Stranger() {
        caller_.call("remove a domain", Seconds{60}, [name = name_](virConnectPtr libvirt) {
            const auto domain = adopt_if_found<Domain>(virDomainLookupByName(libvirt, name.c_str()),
                                                       "find a domain");
            if (!domain) return;
            if (virDomainIsPersistent(domain.get()) == 1) {
                virDomainUndefine(domain.get());
            } else {
                virDomainDestroy(domain.get());
            }
        });
    }
    Stranger(const Stranger&) = delete;
    Stranger& operator=(const Stranger&) = delete;

    [[nodiscard]] bool exists() {
        return caller_.call("find a domain", Seconds{10}, [name = name_](virConnectPtr libvirt) {
            return adopt_if_found<Domain>(virDomainLookupByName(libvirt, name.c_str()), name) !=
                   nullptr;
        });
    }

private:
    Caller& caller_;
    std::string name_;
};

TEST_F(StorageSystemTest, ADomainWithoutOurMarkIsNeverRemoved) {
    Stranger stranger{subject_.caller(), "poolwise-abcdefgh-03", "", false};

    EXPECT_EQ(code_of([&] { storage_.remove_carrier("poolwise-abcdefgh-03"); }),
              ErrorCode::refused);
    EXPECT_EQ(code_of([&] { storage_.remove_internal_snapshot("poolwise-abcdefgh-03", "x"); }),
              ErrorCode::refused);
    EXPECT_TRUE(stranger.exists());
}

TEST_F(StorageSystemTest, ARunningDomainIsNeverTakenForACarrier) {
    Stranger stranger{subject_.caller(), "poolwise-abcdefgh-03",
                      "<metadata><poolwise:run xmlns:poolwise='https://poolwise.example/domain/1'>"
                      "abcdefgh</poolwise:run></metadata>",
                      true};

    EXPECT_EQ(code_of([&] { storage_.remove_carrier("poolwise-abcdefgh-03"); }),
              ErrorCode::refused);
    EXPECT_TRUE(stranger.exists());
}

TEST_F(StorageSystemTest, AVhdIsALittleLargerThanAskedAndAVmdkIsNot) {
    for (const Bytes asked : {100_MiB, 1_GiB, 10_GiB}) {
        VolumeSpec wanted = spec(Format::vpc);
        wanted.capacity = asked;
        const VolumeInfo vhd = storage_.create_volume(wanted);
        storage_.remove_volume(vhd.ref);
        wanted.format = Format::vmdk;
        const VolumeInfo vmdk = storage_.create_volume(wanted);
        storage_.remove_volume(vmdk.ref);

        EXPECT_EQ(vmdk.capacity, asked);
        EXPECT_GE(vhd.capacity, asked);
        EXPECT_LE(vhd.capacity, asked + 1_MiB);
    }
}

TEST_F(StorageSystemTest, AFileThatVanishedBehindLibvirtsBackIsNotAnError) {
    const VolumeInfo volume = storage_.create_volume(spec(Format::raw));
    fs::remove(volume.path);

    EXPECT_FALSE(storage_.find_volume(volume.ref));
    EXPECT_THAT(storage_.volumes(subject_.pool()), testing::IsEmpty());
    EXPECT_NO_THROW(storage_.remove_volume(volume.ref));
}

TEST_F(StorageSystemTest, AForeignFileThatLibvirtDoesNotListIsNeverTouched) {
    const fs::path foreign = subject_.pool_path() / "poolwise-abcdefgh-01";
    std::ofstream{foreign} << "precious";

    for (const Format format : {Format::raw, Format::qcow2, Format::vmdk, Format::vpc}) {
        EXPECT_EQ(code_of([&] { storage_.create_volume(spec(format)); }), ErrorCode::conflict);
        EXPECT_EQ(fs::file_size(foreign), 8U);
    }
}

TEST_F(StorageSystemTest, TheFoldersModeAndOwnerStayAsTheyWere) {
    struct stat before {};
    struct stat after {};
    const std::string path = subject_.free_directory();
    ASSERT_EQ(chmod(path.c_str(), 01751), 0);
    ASSERT_EQ(chown(path.c_str(), 12345, 12345), geteuid() == 0 ? 0 : -1);
    ASSERT_EQ(stat(path.c_str(), &before), 0);

    storage_.create_directory_pool("poolwise-abcdefgh-pool", path);
    storage_.remove_pool("poolwise-abcdefgh-pool");

    ASSERT_EQ(stat(path.c_str(), &after), 0);
    EXPECT_EQ(after.st_mode, before.st_mode);
    EXPECT_EQ(after.st_uid, before.st_uid);
}

/// A file system of its own, 16 MiB large.
class SmallFileSystem {
public:
    explicit SmallFileSystem(const std::string& path) : path_{path} {
        mounted_ = mount("none", path_.c_str(), "tmpfs", 0, "size=16m,mode=711") == 0;
    }
    ~SmallFileSystem() {
        if (mounted_) umount2(path_.c_str(), MNT_DETACH);
    }
    SmallFileSystem(const SmallFileSystem&) = delete;
    SmallFileSystem& operator=(const SmallFileSystem&) = delete;

    [[nodiscard]] bool mounted() const noexcept { return mounted_; }

private:
    std::string path_;
    bool mounted_ = false;
};

TEST_F(StorageSystemTest, ADiskThatFillsUpDuringCreationIsNoSpaceAndLeavesNothing) {
    const SmallFileSystem small{subject_.free_directory()};
    if (!small.mounted()) GTEST_SKIP() << "mounting needs root";
    const PoolInfo pool =
        storage_.create_directory_pool("poolwise-abcdefgh-pool", subject_.free_directory());
    // Fits by the numbers; qcow2's own tables are what is too much.
    VolumeSpec tight = spec(Format::qcow2, {Preallocation::falloc, {}, false});
    tight.ref.pool = pool.name;
    tight.capacity = pool.available;

    EXPECT_EQ(code_of([&] { storage_.create_volume(tight); }), ErrorCode::no_space);

    EXPECT_TRUE(fs::is_empty(subject_.free_directory()));
    EXPECT_THAT(storage_.volumes(pool.name), testing::IsEmpty());
    storage_.remove_pool(pool.name);
}

}  // namespace
}  // namespace poolwise::test
