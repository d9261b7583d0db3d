// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/elf_closure.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>

#include <elf.h>

#include "guest_runner/image/files.hpp"
#include "guest_runner/image/run_program.hpp"

namespace poolwise::guest_runner {
namespace {

Error not_a_program(const std::string& name) {
    return Error{ErrorCode::unavailable,
                 "read the program '" + name + "': it is not a 64-bit ELF program"};
}

/// A copy of the structure at `offset`: the file's bytes need not be aligned.
template <typename T>
T structure_at(std::string_view image, std::size_t offset, const std::string& name) {
    if (offset > image.size() || image.size() - offset < sizeof(T)) throw not_a_program(name);
    T result;
    std::memcpy(&result, image.data() + offset, sizeof(T));
    return result;
}

/// Linkers put the program headers and the loader's name first; 64 KiB hold them with room.
std::string read_beginning(const std::filesystem::path& program) {
    std::string beginning(std::size_t{64} * 1024, '\0');
    std::ifstream file{program, std::ios::binary};
    if (!file) throw file_error("read the program", program);
    file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
    beginning.resize(static_cast<std::size_t>(file.gcount()));
    return beginning;
}

}  // namespace

std::optional<std::string> elf_loader(std::string_view image, const std::string& name) {
    const auto header = structure_at<Elf64_Ehdr>(image, 0, name);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) {
        throw not_a_program(name);
    }
    for (std::size_t i = 0; i < header.e_phnum; ++i) {
        const auto segment =
            structure_at<Elf64_Phdr>(image, header.e_phoff + i * header.e_phentsize, name);
        if (segment.p_type != PT_INTERP) continue;
        if (segment.p_offset > image.size()) throw not_a_program(name);
        const std::string_view text = image.substr(segment.p_offset, segment.p_filesz);
        return std::string{text.substr(0, text.find('\0'))};
    }
    return std::nullopt;
}

std::vector<SharedLibrary> parse_library_list(const std::string& text, const std::string& program) {
    std::vector<SharedLibrary> libraries;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words{line};
        std::string name;
        std::string arrow;
        std::string file;
        // The loader and the kernel's own page ("linux-vdso.so.1") come without an arrow.
        if (!(words >> name >> arrow >> file) || arrow != "=>") continue;
        if (!file.starts_with('/')) {
            throw Error{ErrorCode::unavailable,
                        "collect the libraries of '" + program + "': '" + name +
                            "' is not installed; reinstall the package of the program"};
        }
        libraries.push_back({name, file});
    }
    std::sort(libraries.begin(), libraries.end(),
              [](const SharedLibrary& a, const SharedLibrary& b) { return a.name < b.name; });
    return libraries;
}

ElfClosure elf_closure(const std::filesystem::path& program) {
    ElfClosure closure;
    closure.loader = elf_loader(read_beginning(program), program.string());
    if (!closure.loader) return closure;
    const ProgramResult list = run_program(
        {.program = *closure.loader, .arguments = {"--list", program.string()}, .environment = {}});
    // A missing library gives status 1 and is named in the list: the parser's sentence is better.
    closure.libraries = parse_library_list(list.output, program.string());
    std::erase_if(closure.libraries, [&closure](const SharedLibrary& library) {
        return library.name == closure.loader->filename();
    });
    if (list.status != 0) {
        throw Error{ErrorCode::unavailable,
                    "collect the libraries of '" + program.string() + "': " + list.messages};
    }
    return closure;
}

}  // namespace poolwise::guest_runner
