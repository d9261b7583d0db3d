// SPDX-License-Identifier: Apache-2.0
#include "module/app/profile_library.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "module/codec/profile_codec.hpp"
#include "module/core/error.hpp"

namespace poolwise {
namespace {

constexpr std::uintmax_t kLargestProfile = 1U << 20U;

std::string read_file(const std::filesystem::path& path) {
    std::error_code failure;
    const std::uintmax_t size = std::filesystem::file_size(path, failure);
    std::ifstream file{path, std::ios::binary};
    if (failure || !file) {
        throw Error{ErrorCode::not_found,
                    "read profile '" + path.string() +
                        "': " + (failure ? failure.message() : "it cannot be opened")};
    }
    if (size > kLargestProfile) {
        throw Error{ErrorCode::invalid_request,
                    "read profile '" + path.string() + "': larger than 1 MiB"};
    }
    return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

std::vector<std::string> ProfileLibrary::names() const {
    std::vector<std::string> names;
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator{folder_, failure}) {
        if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

Profile ProfileLibrary::load(const std::string& name) const {
    const bool is_path = name.find('/') != std::string::npos || name.ends_with(".json");
    const std::filesystem::path path =
        is_path ? std::filesystem::path{name} : folder_ / (name + ".json");
    if (!is_path && !std::filesystem::exists(path)) {
        std::string known;
        for (const std::string& each : names()) known += (known.empty() ? "" : ", ") + each;
        throw Error{ErrorCode::not_found, "profile '" + name + "' does not exist: there are " +
                                              known + "; a file is given by its path"};
    }
    return parse_profile(read_file(path), path.string());
}

}  // namespace poolwise
