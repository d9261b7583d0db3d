// SPDX-License-Identifier: Apache-2.0
// Lists of things that may vanish while they are looked at. Private to this folder.
#pragma once

#include <cstdlib>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "libvirt_glue/handle.hpp"

namespace poolwise::libvirt_glue {

/// Takes over an array that a virConnectListAll... call allocated, and what is in it.
template <typename Owner>
[[nodiscard]] std::vector<Owner> adopt_list(typename Owner::pointer* raw, int count) {
    const std::unique_ptr<typename Owner::pointer, Releaser<std::free>> array{raw};
    std::vector<Owner> owners;
    for (int i = 0; i < count; ++i) owners.emplace_back(raw[i]);
    return owners;
}

/// What `look` returns, or nothing if it throws Error{not_found}: between list and look somebody
/// removed the thing, which is not an error.
template <typename Look>
auto unless_gone(Look look) -> std::optional<std::invoke_result_t<Look&>> {
    try {
        return look();
    } catch (const Error& error) {
        if (error.code() != ErrorCode::not_found) throw;
        return std::nullopt;
    }
}

}  // namespace poolwise::libvirt_glue
