"""Checks that no file includes a room that tools/rooms.toml does not allow it.

Covers src/ and apps/; tests may include anything. Every breach is printed as file:line; the exit
status is 1 when there is one. A folder of src/ that the table does not name is a breach as well,
and so is a room that the table names wrongly.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]+)"')
SOURCES = ("*.h", "*.cpp", "*.inc")
# A program parses arguments and prints: `base` carries the errors it prints, `session` the rest.
PROGRAMS_MAY_INCLUDE = frozenset({"session", "base"})


def includes(file: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(file.read_text().splitlines(), start=1):
        if found := INCLUDE.match(line):
            yield number, found.group(1)


def files_below(folder: Path) -> list[Path]:
    return sorted(file for pattern in SOURCES for file in folder.rglob(pattern))


def breaches_of_file(
    root: Path, file: Path, owner: str, allowed: frozenset[str], rooms: frozenset[str]
) -> Iterator[str]:
    for number, target in includes(file):
        where = f"{file.relative_to(root)}:{number}"
        if target.startswith((".", "/")):
            yield f'{where}: includes "{target}"; write the path from src/, as in "base/ids.h"'
            continue
        room = target.split("/")[0]
        if "/" in target and room in rooms and room not in allowed:
            yield f'{where}: {owner} may not include {room} ("{target}"); see tools/rooms.toml'


def breaches(root: Path) -> Iterator[str]:
    table: dict[str, list[str]] = tomllib.loads((root / "tools/rooms.toml").read_text())["rooms"]
    rooms = frozenset(table)
    for room, may_include in table.items():
        for other in sorted(set(may_include) - rooms):
            yield f"tools/rooms.toml: {room} may include {other}, which is no room"
    yield from loops(table)

    for folder in sorted(path for path in (root / "src").iterdir() if path.is_dir()):
        if folder.name not in rooms:
            yield f"src/{folder.name}: not in tools/rooms.toml; a room is made there first"
            continue
        allowed = frozenset(table[folder.name]) | {folder.name}
        for file in files_below(folder):
            yield from breaches_of_file(root, file, folder.name, allowed, rooms)
    for file in files_below(root / "apps"):
        yield from breaches_of_file(root, file, "a program", PROGRAMS_MAY_INCLUDE, rooms)


def loops(table: dict[str, list[str]]) -> Iterator[str]:
    """Rooms that can reach themselves: data flows one way."""

    def reachable(room: str) -> set[str]:
        seen: set[str] = set()
        waiting = list(table.get(room, []))
        while waiting:
            other = waiting.pop()
            if other not in seen:
                seen.add(other)
                waiting += table.get(other, [])
        return seen

    for room in table:
        if room in reachable(room):
            yield f"tools/rooms.toml: {room} includes itself by way of other rooms"


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    found = list(breaches(root))
    for breach in found:
        print(breach)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
