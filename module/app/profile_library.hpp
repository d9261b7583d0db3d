// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "module/core/profile.hpp"

namespace poolwise {

/// Profiles as files: by name from a folder, or by path.
class ProfileLibrary {
public:
    explicit ProfileLibrary(std::filesystem::path folder) : folder_{std::move(folder)} {}

    /// @param name  a name ("quick"), or a path: anything with a '/' or ending in ".json".
    /// @throws Error{not_found} naming the profiles there are; {invalid_request} from the reader.
    [[nodiscard]] Profile load(const std::string& name) const;

    [[nodiscard]] std::vector<std::string> names() const;

private:
    std::filesystem::path folder_;
};

}  // namespace poolwise
