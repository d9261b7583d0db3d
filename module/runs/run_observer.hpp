// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "module/core/run.hpp"
#include "module/core/sample.hpp"
#include "module/ports/engine.hpp"

namespace poolwise {

/// Follows a run while it happens. Called on the run's own thread, so it must be quick.
class RunObserver : public Port {
public:
    /// Preflight and planning are done; nothing has been created yet.
    virtual void planned(const Run& run) = 0;
    /// A step begins: "boot the guest", "fill qcow2". For people.
    virtual void step(const std::string& what) = 0;
    virtual void sample_started(const PlannedSample& sample) = 0;
    virtual void progress(const JobProgress& progress) = 0;
    virtual void sample_done(const Sample& sample) = 0;
    virtual void remarked(const Remark& remark) = 0;
};

}  // namespace poolwise
