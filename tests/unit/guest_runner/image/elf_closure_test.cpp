// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/elf_closure.hpp"

#include <cstring>

#include <elf.h>
#include <gmock/gmock.h>

#include "tests/unit/testing.hpp"

namespace poolwise::guest_runner {
namespace {

using testing::HasSubstr;

std::string elf_with_segment(unsigned type, const std::string& text) {
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_phoff = sizeof header;
    header.e_phnum = 1;
    header.e_phentsize = sizeof(Elf64_Phdr);
    Elf64_Phdr segment{};
    segment.p_type = type;
    segment.p_offset = sizeof header + sizeof segment;
    segment.p_filesz = text.size() + 1;
    std::string image(sizeof header + sizeof segment, '\0');
    std::memcpy(image.data(), &header, sizeof header);
    std::memcpy(image.data() + sizeof header, &segment, sizeof segment);
    return image + text + '\0';
}

TEST(ElfLoader, IsTheOneTheProgramNames) {
    EXPECT_EQ(elf_loader(elf_with_segment(PT_INTERP, "/lib64/ld.so"), "p"), "/lib64/ld.so");
}

TEST(ElfLoader, IsAbsentInAStaticProgram) {
    EXPECT_EQ(elf_loader(elf_with_segment(PT_LOAD, ""), "p"), std::nullopt);
}

TEST(ElfLoader, IsNotLookedForInWhatIsNoProgram) {
    const std::string whole = elf_with_segment(PT_INTERP, "/lib64/ld.so");
    for (const std::string& image :
         {std::string{}, std::string{"#!/bin/sh\n"}, std::string(64, '\0'), whole.substr(0, 70)}) {
        EXPECT_THAT(test::message_of([&] { return elf_loader(image, "/usr/bin/fio"); }),
                    HasSubstr("'/usr/bin/fio'"));
    }
}

TEST(LibraryList, HoldsWhatTheLoaderFoundInTheOrderOfNames) {
    const auto libraries = parse_library_list(
        "\tlinux-vdso.so.1 (0x00007ffc5f1f2000)\n"
        "\tlibz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f678c985000)\n"
        "\tlibceph-common.so.2 => /usr/lib/x86_64-linux-gnu/ceph/libceph-common.so.2 (0x0)\n"
        "\t/lib64/ld-linux-x86-64.so.2 (0x00007f678c9c7000)\n",
        "fio");

    ASSERT_EQ(libraries.size(), 2U);
    EXPECT_EQ(libraries[0].name, "libceph-common.so.2");
    EXPECT_EQ(libraries[0].file, "/usr/lib/x86_64-linux-gnu/ceph/libceph-common.so.2");
    EXPECT_EQ(libraries[1].name, "libz.so.1");
}

TEST(LibraryList, NamesAMissingLibraryAndItsProgram) {
    const std::string text = test::message_of(
        [] { return parse_library_list("\tlibaio.so.1 => not found\n", "/usr/bin/fio"); });

    EXPECT_THAT(text, HasSubstr("'libaio.so.1'"));
    EXPECT_THAT(text, HasSubstr("'/usr/bin/fio'"));
}

}  // namespace
}  // namespace poolwise::guest_runner
