// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/module_closure.hpp"

#include <gmock/gmock.h>

#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/testing.hpp"

namespace poolwise::guest_runner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// depmod's files as Debian's general kernel has them: all of these drivers are modules.
class ModuleClosure : public testing::Test {
protected:
    ModuleClosure() {
        folder.put("modules.dep",
                   "kernel/drivers/virtio/virtio.ko:\n"
                   "kernel/drivers/virtio/virtio_ring.ko:\n"
                   "kernel/drivers/virtio/virtio_pci.ko: kernel/drivers/virtio/virtio.ko "
                   "kernel/drivers/virtio/virtio_ring.ko\n"
                   "kernel/drivers/block/virtio_blk.ko: kernel/drivers/virtio/virtio.ko "
                   "kernel/drivers/virtio/virtio_ring.ko\n"
                   "kernel/lib/crc16.ko:\n"
                   "kernel/fs/mbcache.ko:\n"
                   "kernel/fs/jbd2/jbd2.ko:\n"
                   "kernel/crypto/crc32c_generic.ko:\n"
                   "kernel/fs/ext4/ext4.ko: kernel/lib/crc16.ko kernel/fs/mbcache.ko "
                   "kernel/fs/jbd2/jbd2.ko\n"
                   "kernel/net/unwanted.ko:\n");
        folder.put("modules.builtin", "kernel/drivers/char/virtio-console.ko\n");
        folder.put("modules.softdep",
                   "# Soft dependencies extracted from modules themselves.\n"
                   "softdep ext4 pre: crc32c-generic no-such-module post: ext4\n");
    }

    std::vector<std::string> names(const std::vector<WantedModule>& wanted) const {
        std::vector<std::string> result;
        for (const auto& file : module_closure(folder.path(), wanted)) {
            result.push_back(file.filename().string());
        }
        return result;
    }

    test::ScratchFolder folder;
};

TEST_F(ModuleClosure, LoadsDependenciesFirstAndEachModuleOnce) {
    EXPECT_THAT(names({{.name = "virtio_pci"}, {.name = "virtio_blk"}}),
                ElementsAre("virtio_ring.ko", "virtio.ko", "virtio_pci.ko", "virtio_blk.ko"));
}

TEST_F(ModuleClosure, BringsSoftDependenciesThatExist) {
    EXPECT_THAT(names({{.name = "ext4"}}),
                ElementsAre("crc32c_generic.ko", "jbd2.ko", "mbcache.ko", "crc16.ko", "ext4.ko"));
}

TEST_F(ModuleClosure, LeavesOutWhatIsBuiltIntoTheKernel) {
    EXPECT_THAT(names({{.name = "virtio_console"}}), IsEmpty());
}

TEST_F(ModuleClosure, NamesARequiredModuleThatTheKernelLacks) {
    EXPECT_THAT(test::message_of([&] { return names({{.name = "virtio_net"}}); }),
                HasSubstr("'virtio_net'"));
    EXPECT_THAT(names({{.name = "virtio_net", .required = false}}), IsEmpty());
}

TEST_F(ModuleClosure, FailsWithoutDepmodsList) {
    EXPECT_EQ(test::code_of([&] { return module_closure(folder.path() / "none", {}); }),
              ErrorCode::unavailable);
}

TEST(ModuleName, IsTheSameForPackedFilesAndForDashes) {
    EXPECT_EQ(module_name("kernel/arch/x86/crypto/crc32c-intel.ko"), "crc32c_intel");
    EXPECT_EQ(module_name("kernel/fs/ext4/ext4.ko.xz"), "ext4");
}

}  // namespace
}  // namespace poolwise::guest_runner
