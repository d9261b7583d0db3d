// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "module/core/run.hpp"
#include "module/core/sample.hpp"

namespace poolwise {

/// What candidates and workloads of one run are called in its reports; safe to print
/// (text_format.hpp, printable()).
class Labels {
public:
    explicit Labels(const RunRequest& request);

    /// label() of the candidate; with the pool where the run uses several, and with the id where
    /// two would still read alike. An unknown id is returned as it is.
    [[nodiscard]] std::string candidate(const std::string& id) const;
    /// The title, or the id where there is none.
    [[nodiscard]] std::string workload(const std::string& id) const;

private:
    std::map<std::string, std::string> candidates_;
    std::map<std::string, std::string> workloads_;
};

/// "pool 'fast' (dir at /srv/vm)", or "directory /srv/vm" where the pool was one of the run's own,
/// whose name says nothing. Not made safe to print.
[[nodiscard]] std::string place_name(const PoolInfo& pool, const Run& run);

/// "the guest's CPU", "the device", ...: what was the bottleneck, as part of a sentence.
[[nodiscard]] std::string bottleneck(BoundBy bound_by);
/// "guest CPU", "device", ...: for a table.
[[nodiscard]] std::string bottleneck_word(BoundBy bound_by);

}  // namespace poolwise
