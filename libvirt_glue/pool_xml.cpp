// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/pool_xml.hpp"

#include <algorithm>
#include <string_view>

#include "libvirt_glue/xml_text.hpp"

namespace poolwise::libvirt_glue {

namespace {

std::string quoted_for_shell(const std::string& word) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+/";
    if (word.find_first_not_of(kPlain) == std::string::npos) return word;
    std::string quoted = "'";
    for (const char letter : word) {
        quoted += letter == '\'' ? "'\\''" : std::string{letter};
    }
    return quoted + "'";
}

bool holds_files(const std::string& type) {
    return type == "dir" || type == "fs" || type == "netfs";
}

std::string unmeasured_remark(const std::string& type) {
    const std::string kind = type == "logical" ? "LVM" : "'" + type + "'";
    return kind + " pools are not measured by this version";
}

void judge(PoolInfo& pool) {
    if (!holds_files(pool.type)) {
        pool.remark = unmeasured_remark(pool.type);
    } else if (!pool.active) {
        pool.remark = inactive_remark(pool.name);
    } else {
        pool.formats = {Format::raw, Format::qcow2, Format::vmdk, Format::vpc};
    }
}

}  // namespace

std::string inactive_remark(const std::string& pool) {
    return "pool '" + pool + "' is inactive: start it with `virsh pool-start " +
           quoted_for_shell(pool) + "`";
}

std::string directory_pool_xml(const std::string& name, const std::string& path) {
    pugi::xml_document document;
    auto pool = document.append_child("pool");
    pool.append_attribute("type") = "dir";
    append_text(pool, "name", name);
    append_text(pool.append_child("target"), "path", path);
    return to_text(document);
}

PoolInfo parse_pool_xml(const std::string& xml, const PoolState& state) {
    pugi::xml_document document;
    const auto node = parse_root(document, xml, "pool");
    PoolInfo pool;
    pool.name = node.child("name").text().get();
    pool.type = node.attribute("type").value();
    pool.path = node.child("target").child("path").text().get();
    pool.active = state.active;
    pool.autostart = state.autostart;
    pool.persistent = state.persistent;
    if (state.active) {
        pool.capacity = read_bytes(node.child("capacity"));
        pool.available = read_bytes(node.child("available"));
    }
    judge(pool);
    return pool;
}

}  // namespace poolwise::libvirt_glue
