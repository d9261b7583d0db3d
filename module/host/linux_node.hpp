// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "module/ports/node.hpp"

namespace poolwise {

/// Where the kernel and the node show themselves; tests point it at trees of their own.
struct NodePlaces {
    std::filesystem::path proc = "/proc";
    std::filesystem::path sys = "/sys";
    std::filesystem::path lock = "/run/lock/poolwise.lock";
    std::string fio = "fio";  ///< a name to look for in $PATH, or a path
};

/// The node as Linux describes it. Stateless: safe from several threads. Calls take milliseconds,
/// but drop_caches(), which first writes back all that the node holds.
class LinuxNode : public Node {
public:
    explicit LinuxNode(NodePlaces places = {});

    NodeFacts facts() override;
    PathFacts path_facts(const std::string& path) override;

    /// @throws Error{unavailable} /proc/stat is not as expected.
    CpuTimes cpu_times() override;
    std::optional<DeviceActivity> device_activity(const std::string& device_name) override;
    void drop_caches() override;
    std::unique_ptr<NodeLock> lock(const std::string& holder) override;
    std::optional<std::string> unsearchable_parent(const std::string& path) override;
    std::uint64_t random_bits() override;

private:
    NodePlaces places_;
};

}  // namespace poolwise
