// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/engine/system_readings.hpp"

#include <array>
#include <charconv>
#include <fstream>
#include <vector>

#include <unistd.h>

namespace poolwise::guest_runner {
namespace {

constexpr std::uint64_t kSectorSize = 512;  // of /sys/block/X/stat, whatever the disk's own

/// The leading whole numbers of a line.
std::vector<std::uint64_t> numbers(std::string_view line) {
    std::vector<std::uint64_t> found;
    while (true) {
        const auto start = line.find_first_not_of(" \t");
        if (start == std::string_view::npos) return found;
        line.remove_prefix(start);
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
        if (error != std::errc{}) return found;
        found.push_back(value);
        line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    }
}

}  // namespace

std::string read_text(const std::string& path, std::size_t limit) {
    std::ifstream file{path, std::ios::binary};
    std::string text(limit, '\0');
    file.read(text.data(), static_cast<std::streamsize>(limit));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

std::string trimmed(std::string_view text) {
    constexpr std::string_view kBlank{" \t\r\n\0", 5};
    const auto start = text.find_first_not_of(kBlank);
    if (start == std::string_view::npos) return {};
    return std::string{text.substr(start, text.find_last_not_of(kBlank) - start + 1)};
}

CpuTimes parse_cpu_times(std::string_view proc_stat, double ticks_per_second) {
    if (!proc_stat.starts_with("cpu ")) return {};
    // user nice system idle iowait irq softirq steal; guest times are part of user already.
    auto ticks = numbers(proc_stat.substr(4, proc_stat.find('\n') - 4));
    ticks.resize(8);
    const auto seconds = [&](std::uint64_t count) {
        return Seconds{static_cast<double>(count) / ticks_per_second};
    };
    return {.busy = seconds(ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]),
            .idle = seconds(ticks[3] + ticks[4]),
            .steal = seconds(ticks[7])};
}

std::optional<BlockCounters> parse_block_stat(std::string_view stat) {
    const auto fields = numbers(stat.substr(0, stat.find('\n')));
    if (fields.size() < 11) return std::nullopt;
    return BlockCounters{.read_requests = fields[0],
                         .write_requests = fields[4],
                         .flush_requests = fields.size() > 15 ? fields[15] : 0,
                         .read_bytes = Bytes{fields[2] * kSectorSize},
                         .write_bytes = Bytes{fields[6] * kSectorSize}};
}

std::optional<std::uint64_t> parse_field(std::string_view text, std::string_view name) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (!line.starts_with(name) || line.substr(name.size(), 1) != ":") continue;
        const auto values = numbers(line.substr(name.size() + 1));
        if (!values.empty()) return values.front();
    }
    return std::nullopt;
}

CpuTimes cpu_times() {
    return parse_cpu_times(read_text("/proc/stat", 1024),
                           static_cast<double>(::sysconf(_SC_CLK_TCK)));
}

}  // namespace poolwise::guest_runner
