// SPDX-License-Identifier: Apache-2.0
// Names of the things we create. Only what matches these patterns is ever deleted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace poolwise {

/// 8 base32 characters (RFC 4648 alphabet, lower case) from 40 random bits.
[[nodiscard]] std::string make_run_id(std::uint64_t random_bits);
[[nodiscard]] bool is_run_id(std::string_view text) noexcept;

/// "poolwise-<run>-<nn>": volumes, domains. Precondition: number < 100.
[[nodiscard]] std::string object_name(std::string_view run_id, unsigned number);
/// "poolwise-<run>-<word>": the one object of its kind in a run ("guest", "pool").
[[nodiscard]] std::string object_name(std::string_view run_id, std::string_view word);
/// "pw<run><nn>", 12 bytes; virtio serials hold at most 20.
[[nodiscard]] std::string disk_serial(std::string_view run_id, unsigned number);

/// The virtio-serial port through which a guest's engine speaks.
inline constexpr const char* kEngineChannel = "org.poolwise.engine.0";
/// Serial of the guest's read-only disk with fio.
inline constexpr const char* kToolsSerial = "pwtools";

/// Whether `name` is one that object_name(run_id, ...) makes, file suffixes allowed.
[[nodiscard]] bool is_object_of(std::string_view name, std::string_view run_id) noexcept;

}  // namespace poolwise
