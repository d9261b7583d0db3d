# SPDX-License-Identifier: Apache-2.0
"""What the checks share: the files of the project, and how findings are reported."""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

CPP_SUFFIXES = {".cpp", ".hpp"}
NOT_OURS = {".git", "build"}


def project_files(root: Path) -> list[Path]:
    """Tracked files and new ones that git does not ignore; without git or repository, all files."""
    has_git = shutil.which("git") is not None and (root / ".git").exists()
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root, capture_output=True, text=True, check=False,
    ) if has_git else None
    if listing is not None and listing.returncode == 0:
        files = [root / name for name in listing.stdout.split("\0") if name]
    else:
        files = list(root.rglob("*"))
    return sorted(
        file for file in files
        if file.is_file() and not NOT_OURS & set(file.relative_to(root).parts)
    )


def cpp_files(root: Path) -> list[Path]:
    return [file for file in project_files(root) if file.suffix in CPP_SUFFIXES]


def without_comments_and_strings(code: str) -> str:
    """The code with comments and literals blanked out; line numbers stay."""
    pattern = re.compile(
        r'R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|//[^\n]*|/\*.*?\*/'
        r'|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Za-z_])\'(?:\\.|[^\'\\\n])+\'',
        re.DOTALL,
    )
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), code)


def root_argument(description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    return parser


def report(findings: list[str]) -> None:
    """Prints the findings and ends the program: 1 if there is one, else 0."""
    for finding in findings:
        print(finding)
    sys.exit(1 if findings else 0)
