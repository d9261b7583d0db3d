#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Refuses words that do not belong in the tree, test names that say nothing, and files without
the licence line."""

import re
from pathlib import Path

from common import cpp_files, project_files, report, root_argument

FORBIDDEN = {
    "a promise without an issue": re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b"),
    "a path of somebody's machine": re.compile(r"(?<![\w.])/(?:work|home/\w+|root|Users)/[\w.]"),
    "a package registry": re.compile(
        r"\b(?:deb\.debian\.org|snapshot\.debian\.org|registry\.npmjs\.org|pypi\.org"
        r"|files\.pythonhosted\.org|proxy\.golang\.org|crates\.io|conan\.io|mirrors?\.[\w-]+\.\w+)\b"
    ),
}
TEST = re.compile(r"^\s*(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)", re.MULTILINE)
SENTENCE = re.compile(r"(?:[A-Z][a-z0-9]*|[0-9]+){3,}")
SPDX = "SPDX-License-Identifier: Apache-2.0"
EXEMPT = {"tests/lint/check_words.py", "tests/lint/lint_test.py", "LICENSE"}


def line_of(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def check_forbidden(root: Path) -> list[str]:
    findings = []
    for file in project_files(root):
        name = file.relative_to(root).as_posix()
        if name in EXEMPT:
            continue
        try:
            text = file.read_text()
        except UnicodeDecodeError:
            continue  # binary test data
        for what, pattern in FORBIDDEN.items():
            for match in pattern.finditer(text):
                findings.append(f"{name}:{line_of(text, match.start())}: {what}: {match.group()}")
    return findings


def check_test_names(root: Path) -> list[str]:
    findings = []
    for file in cpp_files(root):
        name = file.relative_to(root).as_posix()
        text = file.read_text()
        for match in TEST.finditer(text):
            if not SENTENCE.fullmatch(match.group(2)):
                findings.append(
                    f"{name}:{line_of(text, match.start(2))}: test name '{match.group(2)}':"
                    " make it a sentence of three or more CamelCase words"
                )
    return findings


def check_licence(root: Path) -> list[str]:
    return [
        f"{file.relative_to(root).as_posix()}:1: first line must be '// {SPDX}'"
        for file in cpp_files(root)
        if not file.read_text().startswith(f"// {SPDX}\n")
    ]


if __name__ == "__main__":
    root = root_argument(__doc__).parse_args().root
    report(check_forbidden(root) + check_test_names(root) + check_licence(root))
