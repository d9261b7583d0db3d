// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace poolwise {

/// Base of every port: an abstract class that `runs` needs and an adapter implements. Ports are
/// owned by the composition and passed by reference, so they are neither copied nor moved.
class Port {
public:
    virtual ~Port() = default;
    Port(const Port&) = delete;
    Port& operator=(const Port&) = delete;

protected:
    Port() = default;
};

}  // namespace poolwise
