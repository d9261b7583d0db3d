// SPDX-License-Identifier: Apache-2.0
#include "module/app/progress_printer.hpp"

namespace poolwise {

ProgressPrinter::ProgressPrinter(std::ostream& out, Liveliness liveliness, std::size_t width,
                                 std::function<Seconds()> now)
    : out_{out}, liveliness_{liveliness}, width_{width}, now_{std::move(now)}, start_{now_()} {
    view_.phase = "preparing";
}

ProgressPrinter::~ProgressPrinter() {
    erase_line();
}

void ProgressPrinter::planned(const Run& run) {
    labels_.emplace(run.request);
    view_.samples = static_cast<unsigned>(run.plan->samples.size());
    view_.rounds = run.request.profile.rounds;
    for (const Remark& remark : run.remarks) remarked(remark);
}

void ProgressPrinter::step(const std::string& what) {
    view_.phase = what;
    view_.candidate.clear();
    view_.workload.clear();
    view_.iops.reset();
    if (view_.sample == view_.samples) view_.sample = view_.round = 0;  // the last one is done
    show();
}

void ProgressPrinter::sample_started(const PlannedSample& sample) {
    if (!first_sample_) first_sample_ = now_();
    view_.phase = "measuring";
    view_.candidate = labels_->candidate(sample.candidate);
    view_.workload = labels_->workload(sample.workload);
    view_.round = sample.round;
    view_.sample = sample.position;
    view_.iops.reset();
    if (liveliness_ == Liveliness::live) show();
}

void ProgressPrinter::progress(const JobProgress& progress) {
    view_.iops = progress.iops;
    if (liveliness_ == Liveliness::live) show();
}

void ProgressPrinter::sample_done(const Sample& sample) {
    view_.iops = sample.result.read.iops + sample.result.write.iops;
    if (liveliness_ == Liveliness::plain) show();
    if (!sample.is_void()) return;
    remarked({"void_sample", "sample " + std::to_string(sample.position) + " (" + view_.candidate +
                                 ", " + view_.workload +
                                 ") is void: " + sample.void_reasons.front()});
}

void ProgressPrinter::remarked(const Remark& remark) {
    erase_line();
    out_ << "note: " << remark.text << '\n' << std::flush;
}

/// From the pace of the samples so far; too few say nothing.
std::optional<Seconds> ProgressPrinter::time_left() const {
    constexpr unsigned kEnough = 3;
    if (!first_sample_ || view_.sample <= kEnough) return std::nullopt;
    const unsigned done = view_.sample - 1;
    return (now_() - *first_sample_) / done * (view_.samples - done);
}

void ProgressPrinter::show() {
    view_.elapsed = now_() - start_;
    view_.eta = time_left();
    if (liveliness_ == Liveliness::plain) {
        out_ << plain_line(view_) << std::flush;
        return;
    }
    out_ << "\r\033[K" << status_line(view_, width_) << std::flush;
    drawn_ = true;
}

void ProgressPrinter::erase_line() {
    if (!drawn_) return;
    out_ << "\r\033[K" << std::flush;
    drawn_ = false;
}

}  // namespace poolwise
