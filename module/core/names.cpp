// SPDX-License-Identifier: Apache-2.0
#include "module/core/names.hpp"

#include <algorithm>

namespace poolwise {
namespace {

constexpr std::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyz234567";
constexpr std::string_view kPrefix = "poolwise-";
constexpr std::size_t kRunIdLength = 8;

std::string two_digits(unsigned number) {
    return {static_cast<char>('0' + number / 10 % 10), static_cast<char>('0' + number % 10)};
}

}  // namespace

std::string make_run_id(std::uint64_t random_bits) {
    std::string id;
    for (std::size_t i = 0; i < kRunIdLength; ++i) {
        id += kAlphabet[random_bits & 31U];
        random_bits >>= 5U;
    }
    return id;
}

bool is_run_id(std::string_view text) noexcept {
    return text.size() == kRunIdLength && std::all_of(text.begin(), text.end(), [](char c) {
               return kAlphabet.find(c) != std::string_view::npos;
           });
}

std::string object_name(std::string_view run_id, unsigned number) {
    return object_name(run_id, two_digits(number));
}

std::string object_name(std::string_view run_id, std::string_view word) {
    return std::string{kPrefix} + std::string{run_id} + "-" + std::string{word};
}

std::string disk_serial(std::string_view run_id, unsigned number) {
    return "pw" + std::string{run_id} + two_digits(number);
}

bool is_object_of(std::string_view name, std::string_view run_id) noexcept {
    if (!is_run_id(run_id) || !name.starts_with(kPrefix)) return false;
    name.remove_prefix(kPrefix.size());
    if (!name.starts_with(run_id)) return false;
    name.remove_prefix(run_id.size());
    if (name.size() < 2 || name.front() != '-') return false;
    return std::all_of(name.begin() + 1, name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
    });
}

}  // namespace poolwise
