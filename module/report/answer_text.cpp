// SPDX-License-Identifier: Apache-2.0
#include "module/report/answer_text.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "module/core/size_text.hpp"
#include "module/report/labels.hpp"
#include "module/report/text_format.hpp"

namespace poolwise {
namespace {

class Sentences {
public:
    explicit Sentences(const RunReport& report)
        : report_{report}, run_{report.run}, labels_{report.run.request} {}

    [[nodiscard]] std::string overall() const;
    [[nodiscard]] std::string workload(const WorkloadAnswer& answer) const;
    [[nodiscard]] std::vector<std::string> warnings() const;

private:
    [[nodiscard]] std::string margin() const { return format_share(report_.answer.margin); }
    [[nodiscard]] std::vector<std::string> names(const std::vector<std::string>& ids) const;
    [[nodiscard]] std::vector<const WorkloadAnswer*> measured() const;
    [[nodiscard]] std::string verdict(const std::vector<const WorkloadAnswer*>& measured) const;
    [[nodiscard]] std::string split(const std::vector<const WorkloadAnswer*>& measured) const;
    [[nodiscard]] std::string figures(const WorkloadAnswer& answer) const;

    void warn_of_early_end(std::vector<std::string>& out) const;
    void warn_of_conditions(std::vector<std::string>& out) const;
    void warn_of_candidates(std::vector<std::string>& out) const;
    void warn_of_void_samples(std::vector<std::string>& out) const;
    void add_remarks(std::vector<std::string>& out) const;
    [[nodiscard]] bool has_remark(std::string_view code) const;
    [[nodiscard]] bool host_was_measured() const;

    const RunReport& report_;
    const Run& run_;
    Labels labels_;
};

std::vector<std::string> Sentences::names(const std::vector<std::string>& ids) const {
    std::vector<std::string> out;
    for (const std::string& id : ids) out.push_back(labels_.candidate(id));
    return out;
}

std::vector<const WorkloadAnswer*> Sentences::measured() const {
    std::vector<const WorkloadAnswer*> out;
    for (const WorkloadAnswer& answer : report_.answer.workloads) {
        if (answer.outcome != Outcome::not_measured) out.push_back(&answer);
    }
    return out;
}

std::string Sentences::overall() const {
    const auto answers = measured();
    if (answers.empty()) {
        return "On this node nothing could be compared: on no workload do two guest candidates "
               "have a believed sample.";
    }
    std::string text = "On this node, for these workloads: " + verdict(answers);
    const std::size_t missing = report_.answer.workloads.size() - answers.size();
    if (missing > 0)
        text += fmt::format(" {} could not be compared.", count_of(missing, "workload"));
    return text;
}

std::string Sentences::verdict(const std::vector<const WorkloadAnswer*>& measured) const {
    const auto& best = report_.answer.best_overall;
    if (best.empty()) return split(measured);
    const auto of = [&](Outcome outcome) {
        return std::ranges::count(measured, outcome,
                                  [](const WorkloadAnswer* answer) { return answer->outcome; });
    };
    if (best.size() == 1 && std::cmp_equal(of(Outcome::fastest), measured.size())) {
        return labels_.candidate(best.front()) + " is fastest on every workload measured.";
    }
    if (best.size() == 1) {
        return fmt::format("only {} stays within {} of the fastest on every workload measured.",
                           labels_.candidate(best.front()), margin());
    }
    std::string text = fmt::format(
        "{} all stay within {} of the fastest on every workload measured, so speed does not decide "
        "between them",
        enumerate(names(best)), margin());
    if (of(Outcome::bound_elsewhere) > 0) {
        text += "; where a CPU or a limit was the bottleneck that does not prove them equal";
    }
    return text + ".";
}

std::string Sentences::split(const std::vector<const WorkloadAnswer*>& measured) const {
    std::vector<std::string> parts;
    for (const Candidate& candidate : run_.request.candidates) {
        const auto leads = std::ranges::count_if(measured, [&](const WorkloadAnswer* answer) {
            return std::ranges::count(answer->leaders, candidate.id) > 0;
        });
        if (leads > 0)
            parts.push_back(fmt::format("{} on {}", labels_.candidate(candidate.id), leads));
    }
    return fmt::format(
        "it depends on the workload. Fastest, or within {} of the fastest, of {}: {}.", margin(),
        count_of(measured.size(), "workload"), enumerate(parts));
}

// "raw 7,412 IOPS; relative to raw: qcow2 0.94x, qcow2 + snapshot 0.93x"
std::string Sentences::figures(const WorkloadAnswer& answer) const {
    const std::string& leader = answer.leaders.front();
    const std::string name = labels_.candidate(leader);
    std::vector<std::string> others;
    for (const Standing& standing : answer.standings) {
        if (standing.candidate == leader) continue;
        others.push_back(labels_.candidate(standing.candidate) + " " +
                         format_ratio(standing.ratio));
    }
    std::string text;
    if (const Cell* cell = find_cell(report_.cells, leader, answer.workload)) {
        const bool named = answer.outcome != Outcome::fastest;
        text = (named ? name + " " : "") + format_number(cell->iops.median) + " IOPS";
    }
    if (!others.empty()) text += "; relative to " + name + ": " + join(others, ", ");
    return text;
}

std::string Sentences::workload(const WorkloadAnswer& answer) const {
    const std::string title = labels_.workload(answer.workload);
    if (answer.outcome == Outcome::not_measured || answer.leaders.empty()) {
        return title + ": not decided: fewer than two guest candidates have a believed sample.";
    }
    const std::string leaders = enumerate(names(answer.leaders));
    switch (answer.outcome) {
        case Outcome::fastest:
            return fmt::format("{}: {} is fastest ({}).", title, leaders, figures(answer));
        case Outcome::too_close:
            return fmt::format("{}: too close to call: {} are within {} ({}).", title, leaders,
                               margin(), figures(answer));
        case Outcome::bound_elsewhere:
            return fmt::format("{}: not decided: {} are within {}, but {} was the bottleneck ({}).",
                               title, leaders, margin(), bottleneck(answer.bound_by),
                               figures(answer));
        case Outcome::not_measured:
            break;
    }
    return {};
}

bool Sentences::has_remark(std::string_view code) const {
    return std::ranges::any_of(run_.remarks,
                               [&](const Remark& remark) { return remark.code == code; });
}

bool Sentences::host_was_measured() const {
    return std::ranges::any_of(run_.request.candidates, [&](const Candidate& candidate) {
        if (candidate.layer != Layer::host) return false;
        return std::ranges::any_of(report_.cells, [&](const Cell& cell) {
            return cell.candidate == candidate.id && cell.iops.n > 0;
        });
    });
}

void Sentences::warn_of_early_end(std::vector<std::string>& out) const {
    const bool early = is_final(run_.state) && run_.state != RunState::succeeded;
    if (early) {
        const std::size_t planned = run_.plan ? run_.plan->samples.size() : 0;
        out.push_back(fmt::format("The run did not finish ({}): {} of {} planned were measured.{}",
                                  enum_name(kRunStateNames, run_.state), report_.samples.size(),
                                  count_of(planned, "sample"),
                                  run_.error.empty() ? "" : " " + printable(run_.error)));
    }
    for (const std::string& leftover : run_.leftovers) {
        out.push_back("Left behind: " + printable(leftover));
    }
}

void Sentences::warn_of_conditions(std::vector<std::string>& out) const {
    if (run_.accelerator == Accelerator::tcg) {
        out.emplace_back(
            "Measured under emulation (TCG): compare formats with each other, not with real "
            "hardware.");
    }
    if (run_.plan && run_.plan->cache_sized) {
        out.push_back(fmt::format(
            "Cache-sized: the test volumes ({}) fit into caches, so the figures may show a cache "
            "rather than the device ({}).",
            format_size(run_.plan->volume_size), printable(run_.plan->size_reason)));
    }
    if (!host_was_measured() && !has_remark("host_not_measured")) {
        out.emplace_back(
            "The layer below (the pool, used from the host) was not measured: these figures do not "
            "tell what the guest costs.");
    }
}

void Sentences::warn_of_candidates(std::vector<std::string>& out) const {
    const auto& ids = report_.answer.not_durable;
    if (ids.empty()) return;
    out.push_back(fmt::format(
        "Not durable: with {} no flush reached the host although the workload asked for one after "
        "each write. Acknowledged data may be lost in a power failure; not ranked.",
        enumerate(names(ids))));
}

void Sentences::warn_of_void_samples(std::vector<std::string>& out) const {
    const auto total = std::ranges::count_if(report_.samples, &Sample::is_void);
    if (total == 0) return;
    std::vector<std::string> parts;
    for (const Cell& cell : report_.cells) {
        if (cell.void_count == 0) continue;
        std::vector<std::string> reasons;
        for (const std::string& reason : cell.void_reasons) reasons.push_back(printable(reason));
        parts.push_back(fmt::format("{} of {}, {} ({})", cell.void_count,
                                    labels_.candidate(cell.candidate),
                                    labels_.workload(cell.workload), join(reasons, "; ")));
    }
    out.push_back(fmt::format("{} of {} {} void and not used: {}.", total,
                              count_of(report_.samples.size(), "sample"), total == 1 ? "is" : "are",
                              join(parts, "; ")));
}

void Sentences::add_remarks(std::vector<std::string>& out) const {
    std::set<std::string, std::less<>> said;
    if (run_.accelerator == Accelerator::tcg) said.insert("emulated");
    if (run_.plan && run_.plan->cache_sized) said.insert("cache_sized");
    if (!report_.answer.not_durable.empty()) said.insert("not_durable");
    if (std::ranges::any_of(report_.samples, &Sample::is_void)) said.insert("void_samples");
    for (const Remark& remark : run_.remarks) {
        if (!said.contains(remark.code)) out.push_back(printable(remark.text));
    }
}

std::vector<std::string> Sentences::warnings() const {
    std::vector<std::string> out;
    warn_of_early_end(out);
    warn_of_conditions(out);
    warn_of_candidates(out);
    warn_of_void_samples(out);
    add_remarks(out);
    return out;
}

}  // namespace

AnswerText answer_text(const RunReport& report) {
    const Sentences sentences{report};
    AnswerText text{.overall = sentences.overall(), .workloads = {}, .warnings = {}};
    for (const WorkloadAnswer& answer : report.answer.workloads) {
        text.workloads.push_back(sentences.workload(answer));
    }
    text.warnings = sentences.warnings();
    return text;
}

std::string render_answer(const RunReport& report, std::size_t width) {
    const AnswerText text = answer_text(report);
    std::string out = hang("", text.overall, width) + "\n";
    const auto add_list = [&](const std::vector<std::string>& lines) {
        for (const std::string& line : lines) out += hang("  - ", line, width) + "\n";
    };
    add_list(text.workloads);
    if (!text.warnings.empty()) out += "\nKeep in mind\n";
    add_list(text.warnings);
    return out;
}

}  // namespace poolwise
