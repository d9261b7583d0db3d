// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/base64.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace poolwise::guest_runner {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNone = 0xff;

constexpr auto kValues = [] {
    std::array<std::uint8_t, 256> values{};
    values.fill(kNone);
    for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
        values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
    }
    return values;
}();

}  // namespace

std::string base64_encode(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            group = group << 8U | (k < have ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            text += k <= have ? kAlphabet[group >> (18U - 6U * k) & 63U] : '=';
        }
    }
    return text;
}

std::optional<std::string> base64_decode(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    for (std::size_t i = 0; i < text.size(); i += 4) {
        const bool last = i + 4 == text.size();
        std::size_t padding = 0;
        if (last && text[i + 3] == '=') padding = text[i + 2] == '=' ? 2 : 1;
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            const std::uint8_t value =
                k >= 4 - padding ? 0 : kValues[static_cast<unsigned char>(text[i + k])];
            if (value == kNone) return std::nullopt;
            group = group << 6U | value;
        }
        for (std::size_t k = 0; k < 3 - padding; ++k) {
            bytes += static_cast<char>(group >> (16U - 8U * k) & 0xffU);
        }
        // Bits that padding cuts off must be zero, or two texts would mean the same bytes.
        if (padding > 0 && (group & ((1U << (8U * padding)) - 1U)) != 0) return std::nullopt;
    }
    return bytes;
}

}  // namespace poolwise::guest_runner
