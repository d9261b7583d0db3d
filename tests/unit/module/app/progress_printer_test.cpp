// SPDX-License-Identifier: Apache-2.0
#include "module/app/progress_printer.hpp"

#include <sstream>

#include <gmock/gmock.h>

namespace poolwise {
namespace {

using testing::HasSubstr;
using testing::Not;

Run run_with_one_candidate() {
    Run run;
    run.request.profile = {.name = "p", .workloads = {{.id = "read", .title = "Random read"}}};
    run.request.candidates = {{.id = "guest-raw", .pool = "fast"}};
    run.plan = Plan{};
    run.plan->samples = {{1, 1, "guest-raw", "read"}, {2, 2, "guest-raw", "read"}};
    return run;
}

Sample sample_with(std::vector<std::string> reasons) {
    Sample sample{.round = 1, .position = 1, .candidate = "guest-raw", .workload = "read"};
    sample.result.read.iops = Iops{1234};
    sample.void_reasons = std::move(reasons);
    return sample;
}

std::string printed(Liveliness liveliness, const Sample& sample) {
    std::ostringstream out;
    {
        ProgressPrinter printer{out, liveliness, 80, [] { return Seconds{1}; }};
        printer.planned(run_with_one_candidate());
        printer.step("boot the guest");
        printer.sample_started({1, 1, "guest-raw", "read"});
        printer.progress({.iops = Iops{999}});
        printer.sample_done(sample);
    }
    return out.str();
}

TEST(ProgressPrinter, APipeGetsWholeLinesWithoutControlCharacters) {
    const std::string text = printed(Liveliness::plain, sample_with({}));

    EXPECT_THAT(text, HasSubstr("boot the guest"));
    EXPECT_THAT(text, HasSubstr("Random read"));
    EXPECT_THAT(text, HasSubstr("1,234"));
    EXPECT_THAT(text, Not(HasSubstr("\r")));
    EXPECT_THAT(text, Not(HasSubstr("\033")));
    EXPECT_EQ(text.back(), '\n');
}

TEST(ProgressPrinter, ATerminalIsLeftWithAnEmptyLine) {
    const std::string text = printed(Liveliness::live, sample_with({}));

    EXPECT_THAT(text, HasSubstr("999"));
    EXPECT_TRUE(text.ends_with("\r\033[K"));
}

TEST(ProgressPrinter, AVoidSampleIsToldAtOnceWithItsReason) {
    EXPECT_THAT(printed(Liveliness::plain, sample_with({"the guest's clock stood still"})),
                HasSubstr("is void: the guest's clock stood still"));
}

}  // namespace
}  // namespace poolwise
