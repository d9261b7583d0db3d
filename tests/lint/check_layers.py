#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Refuses includes and links that break the layer table, and a README or CMake that differs."""

import re
from pathlib import Path

from common import cpp_files, report, root_argument
from layers import LAYERS, LIBRARY_PREFIXES

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def short(folder: str) -> str:
    return folder.rsplit("/", 1)[-1]


def layer_of(path: str) -> str | None:
    """The folder in LAYERS that `path` lies in."""
    return next((folder for folder in LAYERS if path.startswith(folder + "/")), None)


def library_of(header: str) -> str:
    for prefix, library in LIBRARY_PREFIXES.items():
        if header.startswith(prefix):
            return library
    return "std" if re.fullmatch(r"[a-z_0-9]+", header) else "system"


def is_ours(root: Path, header: str) -> bool:
    """Whether the checkout holds the header, or what CMake makes it from."""
    return (root / header).is_file() or (root / f"{header}.in").is_file()


def fault(user: str, bracket: str, header: str) -> str | None:
    """Why a file of the folder `user` must not include `header`; None if it may."""
    layer = LAYERS[user]
    if bracket == "<":
        library = library_of(header)
        if library == "std" or library in layer.libraries:
            return None
        return f"{user} may not use {library}"
    used = layer_of(header)
    if used is None:
        return "not a file of a layer, or not rooted at the repository"
    if used == user or short(used) in layer.may_include:
        return None
    return f"{user} may not include {used}"


def check_includes(root: Path) -> list[str]:
    findings = []
    for file in cpp_files(root):
        name = file.relative_to(root).as_posix()
        text = file.read_text()
        user = layer_of(name)
        for match in INCLUDE.finditer(text):
            bracket, header = match.groups()
            where = f"{name}:{text.count(chr(10), 0, match.start(2)) + 1}"
            if user is not None:
                if reason := fault(user, bracket, header):
                    findings.append(f"{where}: include of '{header}': {reason}")
            elif not name.startswith("tests/"):
                findings.append(f"{name}: in no layer of tests/lint/layers.py")
                break
            elif bracket == '"' and not is_ours(root, header):
                findings.append(f"{where}: include of '{header}': not rooted at the repository")
    return findings


def check_cmake(root: Path) -> list[str]:
    """MAY_USE of every poolwise_layer() stays within the table."""
    findings = []
    for folder, layer in LAYERS.items():
        file = root / folder / "CMakeLists.txt"
        text = file.read_text() if file.is_file() else ""
        call = re.search(r"poolwise_layer\((.*?)\)", text, re.DOTALL)
        used = re.search(r"MAY_USE\s+([a-z_\s]+)", call.group(1)) if call else None
        for name in used.group(1).split() if used else []:
            if name not in layer.may_include:
                findings.append(f"{folder}/CMakeLists.txt: MAY_USE {name} is not in the table")
    return findings


def readme_row(folder: str) -> str:
    layer = LAYERS[folder]
    everything = len(layer.may_include) == len(LAYERS) - 1
    used = "all" if everything else " ".join(layer.may_include) or "-"
    return f"| `{folder}` | {used} | {', '.join(layer.libraries) or '-'} |"


def check_readme(root: Path) -> list[str]:
    """README has one row `| folder | what | may include | libraries |` per layer, and it agrees."""
    text = (root / "README.md").read_text()
    findings = []
    for folder in LAYERS:
        rows = re.findall(rf"^\| `{folder}` \|[^|]*\|([^|]*\|[^|]*\|)$", text, re.MULTILINE)
        expected = readme_row(folder)
        found = [f"| `{folder}` |{row}" for row in rows]
        if found != [expected]:
            findings.append(f"README.md: layer table: expected '{expected}', found {found}")
    return findings


if __name__ == "__main__":
    options = root_argument(__doc__).parse_args()
    report(check_includes(options.root) + check_cmake(options.root) + check_readme(options.root))
