#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Refuses C++ files that clang-format would change."""

import subprocess
from pathlib import Path

from common import cpp_files, report, root_argument


def check(root: Path) -> list[str]:
    files = [file.relative_to(root).as_posix() for file in cpp_files(root)]
    if not files:
        return ["no C++ files found: wrong root?"]
    result = subprocess.run(
        ["clang-format", "--dry-run", "-Werror", *files],
        cwd=root, capture_output=True, text=True, check=False,
    )
    findings = [line for line in result.stderr.splitlines() if ": error:" in line]
    return findings or ([result.stderr] if result.returncode else [])


if __name__ == "__main__":
    report(check(root_argument(__doc__).parse_args().root))
