// SPDX-License-Identifier: Apache-2.0
#include "module/report/plan_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "module/core/size_text.hpp"
#include "module/report/labels.hpp"
#include "module/report/text_format.hpp"

namespace poolwise {
namespace {

class PlanText {
public:
    PlanText(const PlanView& view, std::size_t width)
        : view_{view}, width_{width}, labels_{view.request} {}

    [[nodiscard]] std::string render();

private:
    void line(std::string_view name, const std::string& text);
    void add_candidates();
    void add_workloads();
    void add_pools();
    void add_cost();
    void add_guests();

    const PlanView& view_;
    std::size_t width_;
    Labels labels_;
    std::string out_;
};

void PlanText::line(std::string_view name, const std::string& text) {
    out_ += hang(fmt::format("{:<13}", name), text, width_) + "\n";
}

void PlanText::add_pools() {
    for (const PoolInfo& pool : view_.pools) {
        line("Pool",
             fmt::format("'{}' ({}{}{}), {} free of {}", printable(pool.name), printable(pool.type),
                         pool.path.empty() ? "" : " at ", printable(pool.path),
                         format_size(pool.available), format_size(pool.capacity)));
    }
}

void PlanText::add_candidates() {
    std::vector<std::string> names;
    for (const Candidate& candidate : view_.request.candidates) {
        names.push_back(labels_.candidate(candidate.id));
    }
    line("Candidates", join(names, ", "));
    line("Volumes", fmt::format("{} each{}{}", format_size(view_.plan.volume_size),
                                view_.plan.size_reason.empty() ? "" : ": ",
                                printable(view_.plan.size_reason)));
}

void PlanText::add_workloads() {
    const Profile& profile = view_.request.profile;
    std::vector<std::string> titles;
    for (const Workload& workload : profile.workloads) {
        titles.push_back(labels_.workload(workload.id));
    }
    line("Workloads", fmt::format("profile '{}': {}", printable(profile.name), join(titles, "; ")));
    line("Samples",
         fmt::format("{} in {}, {}, seed {}", view_.plan.samples.size(),
                     count_of(profile.rounds, "round"),
                     profile.order == Order::interleaved ? "shuffled" : "in the source's order",
                     view_.request.seed));
}

void PlanText::add_cost() {
    const Plan& plan = view_.plan;
    line("Takes",
         fmt::format("{} to {}", format_duration(plan.shortest), format_duration(plan.longest)));
    line("Writes", fmt::format("about {}, at most {} of the pool at a time; all of it is removed "
                               "afterwards",
                               format_size(plan.bytes_written), format_size(plan.peak_space)));
}

void PlanText::add_guests() {
    if (view_.guests.empty()) {
        line("Guests", "no other guest runs on this node now");
        return;
    }
    std::vector<std::string> names;
    constexpr std::size_t kShown = 5;
    for (const ForeignGuest& guest : view_.guests) {
        if (names.size() < kShown) names.push_back("'" + printable(guest.name) + "'");
    }
    const std::size_t hidden = view_.guests.size() - names.size();
    line("Guests",
         fmt::format("{} now ({}{}): while samples run they share the device and the CPU "
                     "with the measurement and will be slower; their load also makes the "
                     "figures vary",
                     count_of(view_.guests.size(), "other guest") +
                         (view_.guests.size() == 1 ? " runs" : " run"),
                     join(names, ", "), hidden > 0 ? fmt::format(" and {} more", hidden) : ""));
}

std::string PlanText::render() {
    add_pools();
    add_candidates();
    add_workloads();
    add_cost();
    add_guests();
    for (const Remark& remark : view_.remarks) line("Note", printable(remark.text));
    return std::move(out_);
}

}  // namespace

std::string render_plan(const PlanView& view, std::size_t width) {
    return PlanText{view, width}.render();
}

}  // namespace poolwise
