// SPDX-License-Identifier: Apache-2.0
// From what a user typed to a complete request. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "module/core/run.hpp"

namespace poolwise {

/// What the commands `compare` and `plan` understand, as typed.
struct RequestOptions {
    std::vector<std::string> pools;  ///< names, or dir:/path
    std::vector<std::string> candidates{"raw", "qcow2", "qcow2+snapshot"};
    std::vector<std::string> layers{"host", "guest"};
    std::optional<std::string> size;
    std::optional<unsigned> rounds;
    std::optional<std::string> cache;
    std::optional<std::string> io;
    std::optional<std::string> discard;
    std::optional<unsigned> queues;
    std::optional<double> limit_iops;
    std::optional<std::string> accelerator;
    std::optional<std::uint64_t> seed;
    bool iothread = false;
    bool exclusive = false;
};

/// @param seed  used where the options give none.
/// @throws Error{invalid_request} naming the option and what would do.
[[nodiscard]] RunRequest build_request(const RequestOptions& options, const Profile& profile,
                                       std::uint64_t seed);

}  // namespace poolwise
