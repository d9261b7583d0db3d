// SPDX-License-Identifier: Apache-2.0
#include "module/host/block_device.hpp"

#include <charconv>
#include <chrono>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "module/host/kernel_file.hpp"

namespace poolwise {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
    return read_kernel_file(path).value_or("");
}

Bytes size_of(const fs::path& path, Bytes otherwise) {
    const std::string text = text_of(path);
    std::uint64_t bytes = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), bytes);
    return failure == std::errc{} && bytes > 0 ? Bytes{bytes} : otherwise;
}

/// "none [mq-deadline] kyber" -> "mq-deadline"; a device without a choice shows one bare word.
std::string active_choice(const std::string& choices) {
    const std::size_t open = choices.find('[');
    const std::size_t close = choices.find(']');
    if (open == std::string::npos || close == std::string::npos || close < open) return choices;
    return choices.substr(open + 1, close - open - 1);
}

/// Software RAID at work on this device or below it: its requests are measured with ours.
std::string array_work(const fs::path& disk) {
    const std::string action = text_of(disk / "md" / "sync_action");
    if (!action.empty() && action != "idle" && action != "frozen") return "md " + action;
    std::error_code none;
    for (const auto& slave : fs::directory_iterator{disk / "slaves", none}) {
        const fs::path below = fs::canonical(slave.path(), none);
        if (none) continue;
        if (std::string work = array_work(below); !work.empty()) return work;
    }
    return "";
}

BackingDevice describe(const fs::path& disk) {
    BackingDevice device;
    device.name = disk.filename().string();
    device.model = text_of(disk / "device" / "model");
    device.rotational = text_of(disk / "queue" / "rotational") == "1";
    device.scheduler = active_choice(text_of(disk / "queue" / "scheduler"));
    device.write_cache = text_of(disk / "queue" / "write_cache");
    device.logical_block = size_of(disk / "queue" / "logical_block_size", device.logical_block);
    device.physical_block = size_of(disk / "queue" / "physical_block_size", device.logical_block);
    device.busy_with = array_work(disk);
    return device;
}

}  // namespace

std::optional<BackingDevice> find_block_device(const fs::path& sys, DeviceNumber number) {
    if (number.device_major == 0) return std::nullopt;
    std::error_code absent;
    fs::path disk = fs::canonical(
        sys / "dev" / "block" /
            (std::to_string(number.device_major) + ":" + std::to_string(number.device_minor)),
        absent);
    if (absent) return std::nullopt;
    if (fs::exists(disk / "partition", absent)) disk = disk.parent_path();
    return describe(disk);
}

std::optional<DeviceNumber> number_of_source(const fs::path& sys, const std::string& source) {
    if (!source.starts_with("/dev/")) return std::nullopt;
    std::error_code absent;
    // /dev/mapper and /dev/disk hold symlinks to the kernel's names.
    const fs::path device = fs::weakly_canonical(source, absent);
    if (absent) return std::nullopt;
    std::istringstream text{text_of(sys / "class" / "block" / device.filename() / "dev")};
    DeviceNumber number;
    char colon = 0;
    if (!(text >> number.device_major >> colon >> number.device_minor) || colon != ':') {
        return std::nullopt;
    }
    return number;
}

std::optional<Node::DeviceActivity> read_device_activity(const fs::path& sys,
                                                         const std::string& name) {
    const fs::path disk = sys / "block" / name;
    if (name.empty() || text_of(disk / "queue" / "iostats") == "0") return std::nullopt;
    // Kernel documentation, "Block layer statistics": field 9 in_flight, 10 io_ticks in ms.
    std::istringstream text{text_of(disk / "stat")};
    std::vector<std::uint64_t> fields;
    for (std::uint64_t field = 0; text >> field;) fields.push_back(field);
    if (fields.size() < 10) return std::nullopt;
    const Seconds busy = std::chrono::duration<double, std::milli>(fields[9]);
    return Node::DeviceActivity{busy, fields[8]};
}

}  // namespace poolwise
