// SPDX-License-Identifier: Apache-2.0
// What a program needs in order to start: its loader and its shared libraries.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace poolwise::guest_runner {

struct SharedLibrary {
    std::string name;            ///< as programs ask for it, "libz.so.1"
    std::filesystem::path file;  ///< where it is on the node
};

struct ElfClosure {
    /// "/lib64/ld-linux-x86-64.so.2"; absent for a static program, which needs nothing else.
    std::optional<std::filesystem::path> loader;
    std::vector<SharedLibrary> libraries;  ///< sorted by name, the loader not among them
};

/// Asks the program's own loader, without starting the program. 64-bit programs of this machine.
/// @throws Error{unavailable} not a program, or one of its libraries is missing.
[[nodiscard]] ElfClosure elf_closure(const std::filesystem::path& program);

/// The loader named in the program itself (PT_INTERP).
/// @param image  the beginning of the file, at least its program headers.
/// @throws Error{unavailable} not a 64-bit little-endian ELF file; `name` goes into the sentence.
[[nodiscard]] std::optional<std::string> elf_loader(std::string_view image,
                                                    const std::string& name);

/// Reads the list that `ld.so --list PROGRAM` prints.
/// @throws Error{unavailable} a library is "not found"; `program` goes into the sentence.
[[nodiscard]] std::vector<SharedLibrary> parse_library_list(const std::string& text,
                                                            const std::string& program);

}  // namespace poolwise::guest_runner
