#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sums up ctest's JUnit files: skipped tests with their reasons, then ctest's own closing lines.

usage: summary.py REPORTS [FAILED_PART...]
A part that failed without a failing test in its file (a build, leftovers) counts as one test.
Exit status: 1 if anything failed or nothing was run.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

REASON = re.compile(r": Skipped\n(.*?)(?=\n\n|\n\[|\Z)", re.DOTALL)


def skip_reason(output: str) -> str:
    """The text of GTEST_SKIP(), or the last line that was printed."""
    if match := REASON.search(output):
        return " ".join(match.group(1).split())
    lines = output.strip().splitlines()
    return lines[-1] if lines else "no reason given"


def was_skipped(case: ElementTree.Element) -> bool:
    """By the test's own word. ctest also marks tests as skipped whose program is missing."""
    skipped = case.find("skipped")
    own_word = skipped is not None and skipped.get("message", "").startswith("SKIP_")
    return own_word or case.get("status") == "disabled"


def main(reports: Path, failed_parts: list[str]) -> int:
    total, seconds, failed, skipped = 0, 0.0, [], []
    for file in sorted(reports.glob("*.xml")):
        failures_here = 0
        for case in ElementTree.parse(file).getroot().iter("testcase"):
            name = f"{file.stem}: {case.get('name')}"
            total += 1
            seconds += float(case.get("time") or 0)
            if was_skipped(case):
                skipped.append(f"{name}: {skip_reason(case.findtext('system-out') or '')}")
            elif case.get("status") != "run":
                failed.append(name)
                failures_here += 1
        if failures_here and file.stem in failed_parts:
            failed_parts.remove(file.stem)
    total += len(failed_parts)
    failed += [f"{part}: see above" for part in failed_parts]

    if skipped:
        print(f"\n{len(skipped)} tests did not run, because:")
        print("\n".join(f"\t{line}" for line in skipped))
    if failed:
        print("\nThe following tests FAILED:")
        print("\n".join(f"\t{line}" for line in failed))
    passed = 100 * (total - len(failed)) // total if total else 0
    print(f"\nTotal Test time (all tests) = {seconds:.2f} sec")
    print(f"{passed}% tests passed, {len(failed)} tests failed out of {total}")
    return 1 if failed or not total else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
