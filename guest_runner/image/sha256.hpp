// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace poolwise::guest_runner {

/// SHA-256 (FIPS 180-4), to name images by what is in them. No secret is protected by it.
class Sha256 {
public:
    void update(std::string_view bytes);

    /// 64 lower-case hexadecimal digits. Call once; update() is not legal afterwards.
    [[nodiscard]] std::string finish();

private:
    void compress(const std::uint8_t* block);

    static constexpr std::size_t kBlockSize = 64;
    std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::uint8_t, kBlockSize> pending_{};
    std::size_t pending_size_ = 0;
    std::uint64_t total_size_ = 0;
};

[[nodiscard]] std::string sha256_of(std::string_view bytes);

}  // namespace poolwise::guest_runner
