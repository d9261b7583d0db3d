// SPDX-License-Identifier: Apache-2.0
// Checks XML against the schemas that libvirt installs.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "tests/unit/scratch_folder.hpp"

namespace poolwise::test {

inline std::string schema_path(const std::string& schema) {
    return "/usr/share/libvirt/schemas/" + schema + ".rng";
}

/// Why schemas cannot be checked here; empty if they can.
inline std::string schema_trouble() {
    if (!std::filesystem::exists(schema_path("domain"))) return "libvirt's schemas are missing";
    if (!std::filesystem::exists("/usr/bin/xmllint")) return "xmllint is missing (libxml2-utils)";
    return {};
}

/// @param schema  "domain", "storagepool", "storagevol", "domainsnapshot".
inline testing::AssertionResult follows_schema(const std::string& xml, const std::string& schema) {
    const ScratchFolder folder;
    const std::string file = folder.put("document.xml", xml);
    const std::string command =
        "xmllint --noout --relaxng " + schema_path(schema) + " " + file + " 2>&1";
    std::string output;
    FILE* pipe = popen(command.c_str(), "r");
    char buffer[512];
    while (pipe != nullptr && std::fgets(buffer, sizeof buffer, pipe) != nullptr) output += buffer;
    const int status = pipe != nullptr ? pclose(pipe) : -1;

    if (status == 0) return testing::AssertionSuccess();
    return testing::AssertionFailure() << output << xml;
}

}  // namespace poolwise::test
