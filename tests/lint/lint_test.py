#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every check finds a planted offence, and passes the same tree without it."""

import contextlib
import io
import json
import shutil
import tempfile
import unittest
from pathlib import Path

import check_cli_docs
import check_coroutines
import check_format
import check_layers
import check_scripts
import check_tidy
import check_words
import summary
from layers import LAYERS

ROOT = Path(__file__).resolve().parents[2]
SPDX = "// SPDX-License-Identifier: Apache-2.0\n"


class Tree(unittest.TestCase):
    """A throw-away project."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()

    def write(self, name: str, text: str) -> Path:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def assert_finds(self, findings: list[str], *parts: str):
        self.assertEqual(len(findings), 1, findings)
        for part in parts:
            self.assertIn(part, findings[0])


class Layers(Tree):
    def include(self, file: str, header: str) -> list[str]:
        self.write(file, f"{SPDX}#include {header}\n")
        return check_layers.check_includes(self.root)

    def test_allows_what_the_table_allows(self):
        self.assertEqual(self.include("module/runs/a.cpp", '"module/ports/b.hpp"'), [])
        self.assertEqual(self.include("module/core/a.cpp", "<vector>"), [])
        self.assertEqual(self.include("libvirt_glue/a.cpp", "<libvirt/libvirt.h>"), [])
        self.assertEqual(self.include("guest_runner/engine/a.cpp", '"guest_runner/b.hpp"'), [])

    def test_finds_an_upward_include(self):
        self.assert_finds(
            self.include("module/core/a.cpp", '"module/runs/b.hpp"'),
            "module/core/a.cpp:2", "may not include module/runs",
        )

    def test_finds_adapters_that_know_each_other(self):
        self.assert_finds(
            self.include("guest_runner/image/a.cpp", '"libvirt_glue/b.hpp"'), "libvirt_glue"
        )

    def test_finds_libvirt_outside_libvirt_glue(self):
        self.assert_finds(self.include("module/app/a.cpp", "<libvirt/libvirt.h>"), "libvirt")

    def test_finds_json_in_core(self):
        self.assert_finds(self.include("module/core/a.hpp", "<nlohmann/json.hpp>"), "nlohmann_json")

    def test_finds_system_calls_in_runs(self):
        self.assert_finds(self.include("module/runs/a.cpp", "<unistd.h>"), "system")

    def test_finds_an_include_that_is_not_rooted(self):
        self.assert_finds(self.include("module/core/a.cpp", '"units.hpp"'), "not rooted")

    def test_finds_tests_used_by_the_product(self):
        self.assert_finds(self.include("api/a.cpp", '"tests/fakes/b.hpp"'), "not a file of a layer")

    def test_finds_a_folder_without_layer(self):
        self.assert_finds(self.include("module/extra/a.cpp", "<vector>"), "in no layer")

    def test_finds_a_link_that_is_not_in_the_table(self):
        self.write("module/core/CMakeLists.txt", "poolwise_layer(core\n  SOURCES a.cpp\n  MAY_USE runs)")
        self.assert_finds(check_layers.check_cmake(self.root), "MAY_USE runs")

    def test_finds_a_readme_that_differs(self):
        rows = []
        for folder in LAYERS:
            _, name, used, libraries, _ = check_layers.readme_row(folder).split("|")
            rows.append(f"|{name}| what it is |{used}|{libraries}|")
        self.write("README.md", "\n".join(rows))
        self.assertEqual(check_layers.check_readme(self.root), [])

        rows[0] = rows[0].replace("| - | - |", "| runs | - |")
        self.write("README.md", "\n".join(rows))
        self.assert_finds(check_layers.check_readme(self.root), "module/core", "runs")


class Coroutines(Tree):
    def code(self, text: str) -> list[str]:
        self.write("module/runs/a.cpp", f"{SPDX}awaitable<void> f() {{\n{text}\n}}\n")
        return check_coroutines.check(self.root)

    def test_allows_a_named_lambda(self):
        self.assertEqual(
            self.code("auto body = [x] { return x; };\nco_return co_await spawn(std::move(body));"), []
        )

    def test_allows_no_captures_subscripts_and_attributes(self):
        self.assertEqual(self.code("co_await run([] { return 1; });"), [])
        self.assertEqual(self.code("co_await run(items[i](1));"), [])
        self.assertEqual(self.code('// co_await run([x] {});\nco_await run("[x] {}");'), [])

    def test_allows_co_await_inside_the_lambda_only(self):
        self.assertEqual(
            self.code("spawn(executor, [x]() -> awaitable<void> { co_await g(); }, detached);"), []
        )

    def test_finds_a_capture_in_an_argument(self):
        self.assert_finds(self.code("int y;\nco_await run(pool, [this, &x] { return x; });"), "a.cpp:4")

    def test_finds_a_capture_over_several_lines_and_nested(self):
        self.assert_finds(
            self.code("g([] {\n  co_await run(pool,\n    [x = std::move(x)]() mutable {\n    });\n});"),
            "a.cpp:4",
        )

    def test_finds_a_lambda_that_is_awaited_itself(self):
        self.assert_finds(self.code("co_await [x]() -> awaitable<void> { co_return; }();"), "a.cpp:3")


class Format(Tree):
    def setUp(self):
        super().setUp()
        shutil.copy(ROOT / ".clang-format", self.root)

    def test_finds_what_clang_format_would_change(self):
        self.write("module/core/a.hpp", f"{SPDX}int f();\n")
        self.assertEqual(check_format.check(self.root), [])

        self.write("module/core/a.hpp", f"{SPDX}int   f( );\n")
        self.assertNotEqual(check_format.check(self.root), [])

    def test_finds_an_empty_tree(self):
        self.assert_finds(check_format.check(self.root), "wrong root")


class Words(Tree):
    def test_allows_ordinary_text(self):
        self.write("a.md", "Volumes live in /var/tmp; sizes are read from /sys; homework is done.")
        self.assertEqual(check_words.check_forbidden(self.root), [])

    def test_finds_each_forbidden_word(self):
        for text in ("// TODO later", "see /home/me/notes", "cp /root/a b", "https://pypi.org/x"):
            self.write("a.md", f"first\n{text}\n")
            self.assert_finds(check_words.check_forbidden(self.root), "a.md:2")

    def test_finds_a_test_name_that_is_no_sentence(self):
        self.write("tests/a_test.cpp", "TEST(Size, ReadsBinarySuffixes) {}\n")
        self.assertEqual(check_words.check_test_names(self.root), [])
        for name in ("Works", "Test1", "reads_binary_suffixes"):
            self.write("tests/a_test.cpp", f"TEST_F(Size, {name}) {{}}\n")
            self.assert_finds(check_words.check_test_names(self.root), name)

    def test_finds_a_file_without_licence_line(self):
        self.write("module/core/a.hpp", f"{SPDX}#pragma once\n")
        self.assertEqual(check_words.check_licence(self.root), [])
        self.write("module/core/a.hpp", "#pragma once\n")
        self.assert_finds(check_words.check_licence(self.root), "a.hpp:1")


class Scripts(Tree):
    def script(self, text: str, mode: int = 0o755) -> list[str]:
        self.write("etc/a", text).chmod(mode)
        return check_scripts.check(self.root)

    def test_allows_a_sound_script(self):
        self.assertEqual(self.script("#!/bin/sh\nset -eu\necho ok\n"), [])

    def test_finds_each_fault(self):
        self.assert_finds(self.script("#!/bin/sh\nset -eu\n", 0o644), "not executable")
        self.assert_finds(self.script("#!/bin/sh\necho ok\n"), "set -eu")
        self.assertNotEqual(self.script("#!/bin/sh\nset -eu\nif true; then\n"), [])
        self.assertNotEqual(self.script("#!/bin/bash\nset -eu\ncase x in\n"), [])


class CliDocs(Tree):
    def readme(self, text: str, help_text: str) -> list[str]:
        self.write("README.md", f"<!-- cli:begin -->{text}<!-- cli:end -->")
        return check_cli_docs.check(self.root, help_text)

    def test_compares_both_ways(self):
        self.assertEqual(self.readme("`--size SIZE`", "  --size SIZE  of a volume"), [])
        self.assert_finds(self.readme("`--size`", "--size --rounds"), "--rounds is not documented")
        self.assert_finds(self.readme("`--size` `--old`", "--size"), "--old", "no such flag")

    def test_asks_every_subcommand(self):
        program = self.write(
            "program",
            "#!/bin/sh\nset -eu\ncase $* in\n"
            "--help) printf -- '--top\\nSubcommands:\\n  run   Runs\\n  image Images\\n' ;;\n"
            "'image --help') printf 'Subcommands:\\n  build Builds\\n' ;;\n"
            "*) echo \"--flag-of-$1\" ;;\nesac\n",
        )
        program.chmod(0o755)
        text = check_cli_docs.help_of([str(program)])
        self.assertEqual(
            set(check_cli_docs.FLAG.findall(text)), {"--top", "--flag-of-run", "--flag-of-image"}
        )

    def test_finds_missing_section_and_missing_help(self):
        self.write("README.md", "nothing")
        self.assert_finds(check_cli_docs.check(self.root, "--size"), "no section")
        self.assert_finds(self.readme("`--size`", ""), "names no flag")


class Tidy(Tree):
    def tidy(self, code: str) -> list[str]:
        """What is printed and returned, as one finding."""
        shutil.copy(ROOT / ".clang-tidy", self.root)
        source = self.write("module/core/a.cpp", SPDX + code)
        build = self.root / "build"
        build.mkdir(exist_ok=True)
        entry = {"directory": str(build), "file": str(source), "command": f"g++ -I{self.root} -std=c++20 -c {source}"}
        (build / "compile_commands.json").write_text(json.dumps([entry]))
        with contextlib.redirect_stdout(io.StringIO()) as output:
            findings = check_tidy.check(self.root, build)
        return [output.getvalue() + finding for finding in findings]

    def test_allows_our_names(self):
        self.assertEqual(
            self.tidy(
                "namespace {\nconstexpr int kLimit = 2;\nenum class Kind { one, two_three };\n"
                "class Thing {\npublic:\n    int get() const { return value_ + kLimit; }\n"
                "private:\n    int value_ = 0;\n};\nstruct Open {\n    int count = 0;\n};\n"
                "}  // namespace\n"
                "int sum() {\n    const Thing thing;\n    const Open open;\n"
                "    return thing.get() + open.count + static_cast<int>(Kind::one);\n}\n"
            ),
            [],
        )

    def test_looks_again_when_a_header_changes(self):
        header = self.write("module/core/a.hpp", "inline int f() { return 1; }\n")
        self.assertEqual(self.tidy(f'#include "{header.relative_to(self.root)}"\n'), [])
        self.write("module/core/a.hpp", "inline int BadName() { return 1; }\n")
        self.assert_finds(self.tidy(f'#include "{header.relative_to(self.root)}"\n'), "BadName")

    def test_finds_a_wrong_name_and_a_bug(self):
        self.assert_finds(self.tidy("int BadName() { return 1; }\n"), "readability-identifier-naming")
        self.assert_finds(
            self.tidy("double half(int n) { double r = n / 2; return r; }\n"),
            "bugprone-integer-division",
        )

    def test_finds_a_build_without_sources(self):
        build = self.root / "build"
        build.mkdir()
        (build / "compile_commands.json").write_text("[]")
        self.assert_finds(check_tidy.check(self.root, build), "names no source")


class Summary(Tree):
    def sum_up(self, cases: str, *failed_parts: str) -> tuple[int, str]:
        self.write("test.xml", f"<testsuite>{cases}</testsuite>")
        with contextlib.redirect_stdout(io.StringIO()) as output:
            status = summary.main(self.root, list(failed_parts))
        return status, output.getvalue()

    def test_passes_and_prints_reasons_of_skipped_tests(self):
        status, output = self.sum_up(
            '<testcase name="A" status="run"/>'
            '<testcase name="B" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>'
            "<system-out>[ RUN ] B\nb.cpp:3: Skipped\nno fio\non this node\n[  SKIPPED ] B</system-out>"
            "</testcase>"
        )
        self.assertEqual(status, 0)
        self.assertIn("test: B: no fio on this node\n", output)
        self.assertTrue(output.endswith("100% tests passed, 0 tests failed out of 2\n"), output)

    def test_fails_for_a_failed_test_and_one_whose_program_is_missing(self):
        status, output = self.sum_up(
            '<testcase name="A" status="run"/><testcase name="B" status="fail"/>'
            '<testcase name="C" status="notrun"><skipped message="Unable to find executable"/>'
            "</testcase>",
            "test",
        )
        self.assertEqual(status, 1)
        self.assertTrue(output.endswith("33% tests passed, 2 tests failed out of 3\n"), output)

    def test_fails_for_a_part_that_failed_outside_ctest(self):
        status, output = self.sum_up('<testcase name="A" status="run"/>', "build")
        self.assertEqual(status, 1)
        self.assertTrue(output.endswith("50% tests passed, 1 tests failed out of 2\n"), output)

    def test_fails_when_nothing_ran(self):
        self.assertEqual(self.sum_up("")[0], 1)


if __name__ == "__main__":
    unittest.main()
