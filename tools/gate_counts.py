"""How many tests passed, failed and were skipped, from what the runners write."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Count:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    why: str = ""

    @property
    def total(self) -> int:
        return self.passed + self.failed + self.skipped

    def __add__(self, other: Count) -> Count:
        return Count(
            self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped
        )


def read_junit(path: Path) -> Count:
    """Counts the cases of a JUnit file, or of every one when `path` with `.d` is a folder.

    The cases are counted, not the totals in the header: ctest, pytest and vitest disagree on what
    those include. A case that did not run (ctest: status "notrun" or "disabled") was skipped. A
    file that is missing or cut short is a failure.
    """
    passed = failed = skipped = 0
    folder = path.with_suffix(".d")
    for file in sorted(folder.glob("*.xml")) if folder.is_dir() else [path]:
        try:
            cases = list(ElementTree.parse(file).iter("testcase"))
        except (OSError, ElementTree.ParseError):
            return Count(failed=1, why=f"{file.name} cannot be read")
        for case in cases:
            if case.find("failure") is not None or case.find("error") is not None:
                failed += 1
            elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
                skipped += 1
            else:
                passed += 1
    return Count(passed, failed, skipped)


def read_closing_line(log: Path) -> Count:
    """The last "N passed, N failed" of a log; nothing where there is none."""
    found = re.findall(r"(\d+) passed, (\d+) failed", log.read_text(errors="replace"))
    return Count(int(found[-1][0]), int(found[-1][1])) if found else Count()
