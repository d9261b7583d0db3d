// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/handle.hpp"

#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace poolwise::libvirt_glue {

namespace {

bool says(const virError& error, std::string_view words) {
    return error.message != nullptr &&
           std::string_view{error.message}.find(words) != std::string_view::npos;
}

// QEMU's tools refuse an image that a running QEMU has open.
bool says_in_use(const virError& error) {
    return says(error, "Failed to get \"write\" lock");
}

// libvirt passes the tools' messages (qemu-img, lvcreate) on as "internal error" or "operation
// failed", so only the words tell a full disk from everything else.
bool says_no_space(const virError& error) {
    return says(error, "No space left on device") || says(error, "Disk quota exceeded") ||
           says(error, "ot enough free space") || says(error, "nsufficient free space");
}

ErrorCode classify_errno(int number) {
    switch (number) {
        case ENOSPC:
        case EDQUOT:
            return ErrorCode::no_space;
        case ENOENT:
            return ErrorCode::not_found;
        case EEXIST:
            return ErrorCode::conflict;
        default:
            return ErrorCode::hypervisor_failed;
    }
}

}  // namespace

ErrorCode classify(const virError& error) {
    if (says_no_space(error)) return ErrorCode::no_space;
    if (says_in_use(error)) return ErrorCode::conflict;
    switch (error.code) {
        case VIR_ERR_NO_DOMAIN:
        case VIR_ERR_NO_STORAGE_POOL:
        case VIR_ERR_NO_STORAGE_VOL:
        case VIR_ERR_NO_DOMAIN_SNAPSHOT:
        case VIR_ERR_NO_DOMAIN_METADATA:
        case VIR_ERR_DEVICE_MISSING:
            return ErrorCode::not_found;
        case VIR_ERR_DOM_EXIST:
        case VIR_ERR_STORAGE_VOL_EXIST:
        case VIR_ERR_RESOURCE_BUSY:
        case VIR_ERR_OPERATION_INVALID:
            return ErrorCode::conflict;
        case VIR_ERR_OPERATION_TIMEOUT:
            return ErrorCode::timed_out;
        case VIR_ERR_NO_CONNECT:
        case VIR_ERR_NO_SUPPORT:
        case VIR_ERR_CONFIG_UNSUPPORTED:
        case VIR_ERR_OPERATION_UNSUPPORTED:
        case VIR_ERR_ARGUMENT_UNSUPPORTED:
            return ErrorCode::unavailable;
        // virReportSystemError() puts the errno into int1.
        case VIR_ERR_SYSTEM_ERROR:
            return classify_errno(error.int1);
        // Taken names of pools and domains have no number of their own.
        case VIR_ERR_OPERATION_FAILED:
            return says(error, "already exists") || says(error, "already active") ||
                           says(error, "conflict")
                       ? ErrorCode::conflict
                       : ErrorCode::hypervisor_failed;
        default:
            return ErrorCode::hypervisor_failed;
    }
}

Error last_error(const std::string& doing) {
    const virError* error = virGetLastError();
    if (error == nullptr) {
        return {ErrorCode::hypervisor_failed, doing + ": libvirt gave no reason"};
    }
    const char* reason = error->message != nullptr ? error->message : "libvirt gave no reason";
    return {classify(*error), doing + ": " + reason};
}

std::string adopt_text(char* text, const std::string& doing) {
    if (text == nullptr) throw last_error(doing);
    // libvirt's strings come from malloc and are the caller's to free.
    const std::unique_ptr<char, Releaser<std::free>> owner{text};
    return owner.get();
}

}  // namespace poolwise::libvirt_glue
