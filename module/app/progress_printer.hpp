// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <ostream>
#include <string>

#include "module/core/run.hpp"
#include "module/report/labels.hpp"
#include "module/report/progress.hpp"
#include "module/runs/run_observer.hpp"

namespace poolwise {

enum class Liveliness {
    live,   ///< one status line, redrawn in place
    plain,  ///< a line per step and per sample, for pipes and logs
};

/// Shows a run while it happens. One thread.
class ProgressPrinter final : public RunObserver {
public:
    /// @param now    monotonic.
    /// @param width  columns of the terminal; used when live.
    ProgressPrinter(std::ostream& out, Liveliness liveliness, std::size_t width,
                    std::function<Seconds()> now);
    ~ProgressPrinter() override;

    void planned(const Run& run) override;
    void step(const std::string& what) override;
    void sample_started(const PlannedSample& sample) override;
    void progress(const JobProgress& progress) override;
    void sample_done(const Sample& sample) override;
    void remarked(const Remark& remark) override;

private:
    void show();
    void erase_line();
    [[nodiscard]] std::optional<Seconds> time_left() const;

    std::ostream& out_;
    Liveliness liveliness_;
    std::size_t width_;
    std::function<Seconds()> now_;
    Seconds start_;
    std::optional<Seconds> first_sample_;
    std::optional<Labels> labels_;
    ProgressView view_;
    bool drawn_ = false;  ///< a status line stands on the terminal
};

}  // namespace poolwise
