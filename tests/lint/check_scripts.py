#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Refuses shell scripts with syntax errors, without `set -eu`, or (where shellcheck is installed)
with anything it finds."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from common import project_files, report, root_argument

SHEBANG = re.compile(rb"#!/bin/(sh|bash)\n|#!/usr/bin/env (bash)\n")


def check(root: Path) -> list[str]:
    findings = []
    for file in project_files(root):
        with file.open("rb") as stream:
            shebang = SHEBANG.match(stream.read(64))
        if shebang is None:
            continue
        name = file.relative_to(root).as_posix()
        shell = (shebang.group(1) or shebang.group(2)).decode()
        if not os.access(file, os.X_OK):
            findings.append(f"{name}: not executable")
        if not re.search(r"^set -eu", file.read_text(), re.MULTILINE):
            findings.append(f"{name}: no 'set -eu'")
        commands = [[shell, "-n", str(file)]]
        if shutil.which("shellcheck"):
            commands.append(["shellcheck", "-f", "gcc", str(file)])
        for command in commands:
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            if result.returncode != 0:
                findings.append(f"{name}: {command[0]}: {(result.stdout + result.stderr).strip()}")
    return findings


if __name__ == "__main__":
    report(check(root_argument(__doc__).parse_args().root))
