// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "module/core/units.hpp"

namespace poolwise {

/// One moment of a run. Texts may come from outside; rendering makes them printable.
struct ProgressView {
    std::string phase;      ///< "preparing", "filling", "measuring", ...
    std::string candidate;  ///< label; empty between samples
    std::string workload;   ///< title
    unsigned round = 0;     ///< from 1; 0 = no round yet
    unsigned rounds = 0;
    unsigned sample = 0;  ///< from 1; 0 = no sample yet
    unsigned samples = 0;
    std::optional<Iops> iops;    ///< now
    std::optional<Seconds> eta;  ///< of the whole run
    Seconds elapsed{0};
};

/// One line for redrawing in place, at most `width` columns, no line end. The time left survives
/// a narrow terminal; names are cut first.
[[nodiscard]] std::string status_line(const ProgressView& view, std::size_t width);

/// One line for a log or a pipe, line feed included.
[[nodiscard]] std::string plain_line(const ProgressView& view);

}  // namespace poolwise
