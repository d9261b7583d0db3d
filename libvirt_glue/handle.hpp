// SPDX-License-Identifier: Apache-2.0
// Ownership of libvirt's reference-counted objects. Private to libvirt_glue: no header outside this
// folder includes <libvirt/*>.
#pragma once

#include <memory>
#include <string>

#include <libvirt/libvirt.h>
#include <libvirt/virterror.h>

#include "module/core/error.hpp"

namespace poolwise::libvirt_glue {

/// Calls the C release function `Free` when the owner goes out of scope. Adds nothing to its size.
template <auto Free>
struct Releaser {
    template <typename T>
    void operator()(T* object) const noexcept {
        static_cast<void>(Free(object));  // nobody left to tell; a failure here is a bug
    }
};

using Connection = std::unique_ptr<virConnect, Releaser<virConnectClose>>;
using Domain = std::unique_ptr<virDomain, Releaser<virDomainFree>>;
using DomainSnapshot = std::unique_ptr<virDomainSnapshot, Releaser<virDomainSnapshotFree>>;
using Pool = std::unique_ptr<virStoragePool, Releaser<virStoragePoolFree>>;
using Volume = std::unique_ptr<virStorageVol, Releaser<virStorageVolFree>>;
using Stream = std::unique_ptr<virStream, Releaser<virStreamFree>>;

/// What a libvirt error means to a caller. Knows the numbers, the errno of system errors and, where
/// libvirt has only one number for many things, its (untranslated) words.
[[nodiscard]] ErrorCode classify(const virError& error);

/// Builds an Error "doing: libvirt's reason" from libvirt's last error.
///
/// libvirt keeps that error per thread, so this must run on the thread that made the failing call
/// and before any other libvirt call on it.
[[nodiscard]] Error last_error(const std::string& doing);

/// Takes ownership of what a libvirt "create" or "lookup" call returned.
/// @throws Error from last_error() if the call returned null.
template <typename Owner>
[[nodiscard]] Owner adopt(typename Owner::pointer raw, const std::string& doing) {
    if (raw == nullptr) throw last_error(doing);
    return Owner{raw};
}

/// As adopt(), but null with an error that classify() calls not_found is an empty owner.
template <typename Owner>
[[nodiscard]] Owner adopt_if_found(typename Owner::pointer raw, const std::string& doing) {
    if (raw != nullptr) return Owner{raw};
    if (const Error error = last_error(doing); error.code() != ErrorCode::not_found) throw error;
    return Owner{};
}

/// Checks the result of a call that returns a negative number on failure.
/// @return `result`. @throws Error from last_error().
inline int checked(int result, const std::string& doing) {
    if (result < 0) throw last_error(doing);
    return result;
}

/// Takes over a string that libvirt allocated. @throws Error from last_error() if it is null.
[[nodiscard]] std::string adopt_text(char* text, const std::string& doing);

}  // namespace poolwise::libvirt_glue
