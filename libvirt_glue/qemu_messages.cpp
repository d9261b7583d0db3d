// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/qemu_messages.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace poolwise::libvirt_glue {

namespace {

std::string quoted_list(const std::vector<std::string>& paths, const std::string& message) {
    std::vector<std::string> named;
    std::copy_if(
        paths.begin(), paths.end(), std::back_inserter(named),
        [&message](const std::string& path) { return message.find(path) != std::string::npos; });
    std::string list;
    for (const std::string& path : named.empty() ? paths : named) {
        list += (list.empty() ? "'" : ", '") + path + "'";
    }
    return list;
}

}  // namespace

Error with_advice(const Error& error, const std::vector<std::string>& paths) {
    const std::string message = error.what();
    const auto says = [&message](std::string_view words) {
        return message.find(words) != std::string::npos;
    };
    // QEMU's words, and libvirt's where it looks first.
    if (says("requires cache.direct=on") || says("io='native' needs")) {
        return {ErrorCode::invalid_request,
                message + "; io=native goes with cache none or directsync only"};
    }
    if (says("Failed to get") && says("lock")) {
        return {ErrorCode::conflict, message + "; another process has " +
                                         quoted_list(paths, message) +
                                         " open: end it, or wait until it lets go"};
    }
    if (says("Permission denied")) {
        return {error.code(),
                message + "; QEMU runs as an unprivileged user: every directory above " +
                    quoted_list(paths, message) +
                    " must be searchable by it (o+x), and where modes are right, look for a "
                    "denial in the AppArmor or SELinux log (journalctl -k, audit.log)"};
    }
    return error;
}

}  // namespace poolwise::libvirt_glue
