// SPDX-License-Identifier: Apache-2.0
// What the kernel says in /proc and /sys. Parsers take the text, so that tests need no kernel.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "module/core/measurement.hpp"
#include "module/core/units.hpp"

namespace poolwise::guest_runner {

/// The first `limit` bytes of a file; empty where it cannot be read. Trailing white space stays.
[[nodiscard]] std::string read_text(const std::string& path, std::size_t limit = 64U << 10U);

/// `text` without white space and NUL bytes at both ends.
[[nodiscard]] std::string trimmed(std::string_view text);

/// The "cpu" line of /proc/stat.
/// @param ticks_per_second  sysconf(_SC_CLK_TCK).
[[nodiscard]] CpuTimes parse_cpu_times(std::string_view proc_stat, double ticks_per_second);

/// /sys/block/X/stat; nullopt for a text with fewer than 11 fields. Kernels before 5.5 count no
/// flushes.
[[nodiscard]] std::optional<BlockCounters> parse_block_stat(std::string_view stat);

/// The value of a "Name: 123 kB" line of /proc/meminfo, or of a "name: 123" line of /proc/PID/io;
/// nullopt where there is none.
[[nodiscard]] std::optional<std::uint64_t> parse_field(std::string_view text,
                                                       std::string_view name);

[[nodiscard]] CpuTimes cpu_times();

}  // namespace poolwise::guest_runner
