#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Refuses a lambda with captures in a statement with co_await: g++ 12 destroys it twice."""

import re
from pathlib import Path

from common import cpp_files, report, root_argument, without_comments_and_strings

# A capture list: brackets that hold something and do not follow an operand, as a subscript would.
CAPTURES = re.compile(r"(?<![\w)\]\[])\s*\[\s*[^\s\[\]][^\[\]]*\]\s*(?:\(|\{|<|mutable\b|->)")
AFTER_KEYWORD = re.compile(r"\b(?:return|co_return|co_await|co_yield)\s*\[\s*[^\s\[\]][^\]]*\]\s*[({<]")


def statements(code: str, line: int = 1):
    """Yields (line, text) of every statement; blocks inside parentheses are left out of the outer
    statement and yielded on their own."""
    text, start, parentheses, position = "", line, 0, 0
    while position < len(code):
        character = code[position]
        if not text.strip():
            start = line
        if character == "{" and parentheses > 0:
            end = closing_brace(code, position)
            yield from statements(code[position + 1 : end], line)
            text += "{}"
            line += code.count("\n", position, end)
            position = end + 1
            continue
        parentheses += {"(": 1, ")": -1}.get(character, 0)
        text += character
        if character in "{};" and parentheses <= 0:
            yield start, text
            text, parentheses = "", 0
        line += character == "\n"
        position += 1
    yield start, text


def closing_brace(code: str, opening: int) -> int:
    depth = 0
    for position in range(opening, len(code)):
        depth += {"{": 1, "}": -1}.get(code[position], 0)
        if depth == 0:
            return position
    return len(code)


def check(root: Path) -> list[str]:
    findings = []
    for file in cpp_files(root):
        code = file.read_text()
        if "co_await" not in code:
            continue
        for line, text in statements(without_comments_and_strings(code)):
            if "co_await" in text and (CAPTURES.search(text) or AFTER_KEYWORD.search(text)):
                name = file.relative_to(root).as_posix()
                findings.append(f"{name}:{line}: lambda with captures beside co_await: name it first")
    return findings


if __name__ == "__main__":
    report(check(root_argument(__doc__).parse_args().root))
