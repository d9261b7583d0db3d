#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Refuses a flag of the program that README does not mention, and one in README's command table
that the program does not know."""

import re
import subprocess
from pathlib import Path

from common import report, root_argument

FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]+")
SECTION = re.compile(r"<!-- cli:begin -->(.*?)<!-- cli:end -->", re.DOTALL)


SUBCOMMANDS = re.compile(r"^Subcommands:\n((?:  .*\n?)+)", re.MULTILINE)


def help_of(command: list[str]) -> str:
    """What --help says, for the command and everything below it."""
    answer = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout
    listed = SUBCOMMANDS.search(answer)
    names = re.findall(r"^  (\w+)", listed.group(1), re.MULTILINE) if listed else []
    return answer + "".join(help_of([*command, name]) for name in names)


def check(root: Path, help_text: str) -> list[str]:
    section = SECTION.search((root / "README.md").read_text())
    if section is None:
        return ["README.md: no section between <!-- cli:begin --> and <!-- cli:end -->"]
    documented = set(FLAG.findall(section.group(1)))
    known = set(FLAG.findall(help_text))
    if not known:
        return ["the program's help names no flag"]
    return [f"README.md: {flag} is not documented" for flag in sorted(known - documented)] + [
        f"README.md: {flag} is documented, but the program has no such flag"
        for flag in sorted(documented - known)
    ]


if __name__ == "__main__":
    parser = root_argument(__doc__)
    parser.add_argument("program")
    options = parser.parse_args()
    report(check(options.root, help_of([options.program])))
