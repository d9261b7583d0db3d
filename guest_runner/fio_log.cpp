// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <system_error>

#include "guest_runner/fio_job.hpp"
#include "guest_runner/fio_result.hpp"

namespace poolwise::guest_runner {
namespace {

/// Later stamps are noise: a workload lasts a day at most, and every window until the stamp is
/// filled in.
constexpr std::uint64_t kLatestStamp = 2ULL * 24 * 60 * 60 * 1000;

struct Line {
    std::uint64_t at = 0;  ///< ms
    std::uint64_t iops = 0;
    std::size_t direction = 0;  ///< 0 read, 1 write
};

/// "time, value, direction, block size, offset" (fio HOWTO, log file formats).
std::optional<Line> parse_line(std::string_view text) {
    std::array<std::uint64_t, 4> fields{};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (i > 0 && (at == end || *at++ != ',')) return std::nullopt;
        while (at != end && *at == ' ') ++at;
        const auto [next, error] = std::from_chars(at, end, fields[i]);
        if (error != std::errc{}) return std::nullopt;
        at = next;
    }
    if (fields[0] > kLatestStamp || fields[2] > 1) return std::nullopt;
    return Line{.at = fields[0], .iops = fields[1], .direction = fields[2]};
}

/// Windows of all jobs by their number.
class Windows {
public:
    /// fio leaves out windows without a request, so the number comes from the distance to the one
    /// before; a stamp that does not rise is the next job's file.
    void add(const Line& line) {
        Place& place = places_.at(line.direction);
        if (line.at <= place.at) place = {};
        const auto width = static_cast<std::uint64_t>(kLogWindow.count());
        place.number += std::max<std::uint64_t>(1, (line.at - place.at + width / 2) / width);
        place.at = line.at;
        RatePoint& point = points_[place.number];
        Iops& rate = line.direction == 0 ? point.read : point.write;
        rate += Iops{static_cast<double>(line.iops)};
        point.at = std::max(point.at, std::chrono::milliseconds{line.at});
    }

    [[nodiscard]] std::vector<RatePoint> take() const {
        std::vector<RatePoint> filled;
        for (const auto& [number, point] : points_) {
            const std::chrono::milliseconds from =
                filled.empty() ? std::chrono::milliseconds{0} : filled.back().at;
            const std::chrono::milliseconds last = std::max(point.at, from);
            const auto missing = static_cast<std::int64_t>(number - 1 - filled.size());
            for (std::int64_t i = 1; i <= missing; ++i) {
                const auto at = from + (last - kLogWindow - from) * i / missing;
                filled.push_back({.at = std::max(at, from), .read = Iops{}, .write = Iops{}});
            }
            filled.push_back({.at = last, .read = point.read, .write = point.write});
        }
        return filled;
    }

private:
    struct Place {
        std::uint64_t at = 0;
        std::uint64_t number = 0;
    };

    std::array<Place, 2> places_;
    std::map<std::uint64_t, RatePoint> points_;
};

}  // namespace

std::vector<RatePoint> read_fio_iops_log(std::string_view log_text) {
    Windows windows;
    while (!log_text.empty()) {
        const std::size_t end = std::min(log_text.find('\n'), log_text.size());
        if (const auto line = parse_line(log_text.substr(0, end))) windows.add(*line);
        log_text.remove_prefix(std::min(end + 1, log_text.size()));
    }
    return windows.take();
}

}  // namespace poolwise::guest_runner
