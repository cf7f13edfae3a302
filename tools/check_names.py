"""Checks that no room, file, namespace or type hides behind a name that says nothing."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from tracked import tracked

FORBIDDEN = frozenset(
    {"common", "util", "utils", "utility", "utilities", "misc", "helper", "helpers", "stuff"}
)
NAMESPACE = re.compile(r"^\s*(?:inline\s+)?namespace\s+([\w:]+)")
TYPE = re.compile(r"^\s*(?:class|struct|enum class)\s+(\w*(?:Manager|Handler|Helper|Utils?))\b")
CODE = (".h", ".cpp", ".py", ".ts", ".mjs")


def words(name: str) -> set[str]:
    return set(re.split(r"[_\-.]", name.lower()))


def breaches(root: Path) -> Iterator[str]:
    for name in tracked(root):
        for part in PurePosixPath(name).parts:
            if found := words(part) & FORBIDDEN:
                yield f"{name}: '{found.pop()}' names nothing"
        if not name.endswith(CODE):
            continue
        for number, line in enumerate((root / name).read_text(errors="replace").splitlines(), 1):
            if (space := NAMESPACE.search(line)) and set(space.group(1).split("::")) & FORBIDDEN:
                yield f"{name}:{number}: namespace {space.group(1)} names nothing"
            if kind := TYPE.search(line):
                yield f"{name}:{number}: {kind.group(1)}: say what it is"


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    found = list(breaches(root))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
