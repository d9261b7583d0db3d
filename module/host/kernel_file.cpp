// SPDX-License-Identifier: Apache-2.0
#include "module/host/kernel_file.hpp"

#include <fstream>
#include <iterator>

namespace poolwise {

std::optional<std::string> read_kernel_file(const std::filesystem::path& path) {
    std::ifstream file{path};
    if (!file) return std::nullopt;
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    if (file.bad()) return std::nullopt;
    constexpr const char* kBlanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace poolwise
