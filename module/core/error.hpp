// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

namespace poolwise {

/// What went wrong, in terms a caller can act on. The set is closed; exit_code() decides for each
/// value what a command returns.
enum class ErrorCode {
    invalid_request,    ///< the caller sent something we will never accept
    not_found,          ///< a pool, volume, guest, profile or run that does not exist
    conflict,           ///< valid, but not in the present state (pool inactive, name taken)
    refused,            ///< would be unsafe: foreign data, running guests, the free-space floor
    no_space,           ///< the pool cannot hold the test volumes
    unavailable,        ///< the node lacks a part: fio, a kernel, libvirt, O_DIRECT
    hypervisor_failed,  ///< libvirt refused a call or lost the connection
    guest_failed,       ///< the guest, the engine or fio in it failed
    malformed_result,   ///< fio or the engine answered with something we do not understand
    store_failed,       ///< our own database could not be read or written
    timed_out,          ///< a deadline passed; the operation may still be running
    cancelled,          ///< the user asked to stop
};

inline constexpr std::array kErrorCodes{
    ErrorCode::invalid_request,   ErrorCode::not_found,    ErrorCode::conflict,
    ErrorCode::refused,           ErrorCode::no_space,     ErrorCode::unavailable,
    ErrorCode::hypervisor_failed, ErrorCode::guest_failed, ErrorCode::malformed_result,
    ErrorCode::store_failed,      ErrorCode::timed_out,    ErrorCode::cancelled};

[[nodiscard]] constexpr std::string_view to_string(ErrorCode code) noexcept {
    switch (code) {
        case ErrorCode::invalid_request:
            return "invalid_request";
        case ErrorCode::not_found:
            return "not_found";
        case ErrorCode::conflict:
            return "conflict";
        case ErrorCode::refused:
            return "refused";
        case ErrorCode::no_space:
            return "no_space";
        case ErrorCode::unavailable:
            return "unavailable";
        case ErrorCode::hypervisor_failed:
            return "hypervisor_failed";
        case ErrorCode::guest_failed:
            return "guest_failed";
        case ErrorCode::malformed_result:
            return "malformed_result";
        case ErrorCode::store_failed:
            return "store_failed";
        case ErrorCode::timed_out:
            return "timed_out";
        case ErrorCode::cancelled:
            return "cancelled";
    }
    return "unknown";  // unreachable; keeps -Wreturn-type quiet without a default that hides gaps
}

/// Exit status of a command that ended with `code` (README, "Exit codes").
[[nodiscard]] constexpr int exit_code(ErrorCode code) noexcept {
    switch (code) {
        case ErrorCode::invalid_request:
        case ErrorCode::not_found:
            return 2;
        case ErrorCode::refused:
        case ErrorCode::no_space:
            return 4;
        case ErrorCode::conflict:
        case ErrorCode::unavailable:
        case ErrorCode::hypervisor_failed:
        case ErrorCode::guest_failed:
        case ErrorCode::malformed_result:
        case ErrorCode::store_failed:
        case ErrorCode::timed_out:
            return 5;
        case ErrorCode::cancelled:
            return 6;
    }
    return 5;  // unreachable, as above
}

/// The only exception type this project throws.
///
/// `what()` is one sentence for an operator: the operation, the object in quotes, the reason and,
/// where there is one, what to do.
class Error : public std::runtime_error {
public:
    Error(ErrorCode code, const std::string& what) : std::runtime_error{what}, code_{code} {}

    [[nodiscard]] ErrorCode code() const noexcept { return code_; }

private:
    ErrorCode code_;
};

}  // namespace poolwise
