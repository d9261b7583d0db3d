// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <string>

#include "module/ports/guest_host.hpp"

namespace poolwise::test {

/// A guest host and the surroundings that the contract needs; the destructor removes them.
class GuestHostSubject {
public:
    GuestHostSubject() = default;
    GuestHostSubject(const GuestHostSubject&) = delete;
    GuestHostSubject& operator=(const GuestHostSubject&) = delete;
    virtual ~GuestHostSubject() = default;

    /// Why guests cannot be started here; empty if they can.
    virtual std::string trouble() { return {}; }

    virtual GuestHost& host() = 0;

    /// A guest that boots here and gives back each line that its channel brings.
    virtual GuestSpec spec(const std::string& name) = 0;

    /// A disk on a fresh volume of 16 MiB.
    virtual GuestDisk disk(const std::string& serial) = 0;

    /// Has the guest write `mebibytes` to one of its disks, and flush.
    virtual void write(ByteChannel& channel, const std::string& name, const std::string& serial,
                       unsigned mebibytes) = 0;

    /// Makes the guest end by itself.
    virtual void crash(ByteChannel& channel, const std::string& name) = 0;

    /// Name of a running guest that is not ours; removed by the destructor.
    virtual std::string foreign_guest() = 0;
};

/// Reads up to the next line end, which is not part of the answer.
/// @return what came, even if no line end did within `limit`.
inline std::string read_line(ByteChannel& channel, std::chrono::seconds limit) {
    const auto end = std::chrono::steady_clock::now() + limit;
    std::string line;
    std::array<char, 1> byte{};
    while (std::chrono::steady_clock::now() < end) {
        if (channel.read(byte, std::chrono::milliseconds{100}) == 0) continue;
        if (byte[0] == '\n') break;
        line += byte[0];
    }
    return line;
}

inline void write_line(ByteChannel& channel, const std::string& line) {
    channel.write(line + '\n', std::chrono::seconds{5});
}

}  // namespace poolwise::test
