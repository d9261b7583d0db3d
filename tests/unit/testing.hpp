// SPDX-License-Identifier: Apache-2.0
// Small helpers for tests.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include "module/core/error.hpp"

namespace poolwise::test {

/// The Error that `call` throws.
/// @throws std::logic_error if it throws none, which fails the test.
inline Error error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error;
    }
    throw std::logic_error{"expected an Error, nothing was thrown"};
}

inline ErrorCode code_of(const std::function<void()>& call) {
    return error_of(call).code();
}

inline std::string message_of(const std::function<void()>& call) {
    return error_of(call).what();
}

}  // namespace poolwise::test
