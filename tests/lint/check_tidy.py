#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy (.clang-tidy has the checks) over the sources of a build, tests left out.

A source found clean is not looked at again until it, a header of ours that it includes, its
compile command or .clang-tidy changes: BUILD/tidy remembers.
"""

import hashlib
import json
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from common import report, root_argument

OUR_INCLUDE = re.compile(rb'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def sources(root: Path, build: Path) -> dict[Path, str]:
    """Our sources, and a command that compiles each; some are part of two programs."""
    database = json.loads((build / "compile_commands.json").read_text())
    commands = {
        Path(entry["directory"], entry["file"]).resolve(): entry["command"] for entry in database
    }
    return {
        file: command for file, command in sorted(commands.items())
        if file.is_relative_to(root) and file.relative_to(root).parts[0] not in ("tests", "build")
    }


def fingerprint(root: Path, source: Path, command: str) -> str:
    """Of everything in the tree that the verdict on `source` depends on."""
    digest = hashlib.sha256(command.encode() + (root / ".clang-tidy").read_bytes())
    waiting, seen = [source], {source}
    while waiting:
        content = waiting.pop().read_bytes()
        digest.update(content)
        for name in OUR_INCLUDE.findall(content):
            header = root / name.decode()
            if header not in seen and header.is_file():
                seen.add(header)
                waiting.append(header)
    return digest.hexdigest()


def check(root: Path, build: Path) -> list[str]:
    clean = build / "tidy"
    clean.mkdir(exist_ok=True)

    commands = sources(root, build)
    if not commands:
        return [f"{build}/compile_commands.json names no source of {root}"]
    # clang-tidy looks at a file once for each of its entries: one is enough.
    entries = [
        {"directory": str(build), "file": str(source), "command": command}
        for source, command in commands.items()
    ]
    (clean / "compile_commands.json").write_text(json.dumps(entries))

    def tidy(source: Path, command: str) -> str:
        mark = clean / fingerprint(root, source, command)
        if mark.exists():
            return ""
        result = subprocess.run(
            ["clang-tidy", "--quiet", "-p", str(clean), f"--header-filter={root}/.*", str(source)],
            cwd=root, capture_output=True, text=True, check=False,
        )
        if result.returncode == 0:
            mark.touch()
            return ""
        found = (result.stdout or result.stderr).strip()
        print(found, flush=True)  # at once: a time limit must not hide what is known
        return found

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        findings = [found for found in pool.map(tidy, commands, commands.values()) if found]
    return [f"{len(findings)} of {len(commands)} sources have findings"] if findings else []


if __name__ == "__main__":
    parser = root_argument(__doc__)
    parser.add_argument("build", type=Path)
    options = parser.parse_args()
    report(check(options.root.resolve(), options.build.resolve()))
