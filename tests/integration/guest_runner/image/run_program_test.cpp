// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/image/run_program.hpp"

#include <gmock/gmock.h>

#include "tests/unit/testing.hpp"

namespace poolwise::guest_runner {
namespace {

using testing::HasSubstr;

ProgramRun shell(const std::string& script) {
    return {.program = "/bin/sh", .arguments = {"-c", script}, .environment = {}};
}

TEST(RunProgram, KeepsOutputMessagesAndStatusApart) {
    const ProgramResult result = run_program(shell("echo out; echo err >&2; exit 3"));

    EXPECT_EQ(result.output, "out\n");
    EXPECT_EQ(result.messages, "err\n");
    EXPECT_EQ(result.status, 3);
}

TEST(RunProgram, TakesMuchOfBothStreamsAtOnce) {
    const ProgramResult result =
        run_program(shell("head -c 3000000 /dev/zero >&2; head -c 2000000 /dev/zero"));

    EXPECT_EQ(result.output.size(), 2'000'000U);
    EXPECT_EQ(result.messages.size(), 3'000'000U);
}

TEST(RunProgram, GivesTheProgramOnlyTheEnvironmentAsked) {
    ProgramRun run = shell("echo \"$WANTED-$HOME-$LC_ALL\"");
    run.environment = {"WANTED=yes"};

    EXPECT_EQ(output_of(run), "yes--C\n");
}

TEST(RunProgram, SaysWhyAProgramFailed) {
    EXPECT_THAT(test::message_of([] { return output_of(shell("echo no luck >&2; exit 4")); }),
                HasSubstr("'/bin/sh': exit status 4: no luck"));
    EXPECT_EQ(run_program(shell("kill -9 $$")).status, 128 + 9);
}

TEST(RunProgram, NamesAProgramThatIsNotThere) {
    const ProgramRun run{.program = "/no/such/program", .arguments = {}, .environment = {}};

    EXPECT_THAT(test::message_of([&] { return run_program(run); }),
                HasSubstr("'/no/such/program'"));
}

TEST(RunProgram, KillsAProgramAndItsChildrenAtTheLimit) {
    ProgramRun run = shell("sleep 1000 & sleep 1000");
    run.limit = std::chrono::seconds{1};

    EXPECT_EQ(test::code_of([&] { return run_program(run); }), ErrorCode::timed_out);
}

TEST(FindProgram, LooksAlsoWhereAdministrationToolsAre) {
    EXPECT_TRUE(find_program("mke2fs"));
    EXPECT_FALSE(find_program("no-such-program"));
    EXPECT_FALSE(find_program("/no/such/program"));
}

}  // namespace
}  // namespace poolwise::guest_runner
