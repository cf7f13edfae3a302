"""Checks that each relative link of the documents leads to a file and each anchor to a heading."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tracked import tracked

LINK = re.compile(
    r"\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)|<(?:img|a)\s[^>]*?(?:src|href)=\"([^\"]+)\""
)
FENCE = re.compile(r"\s*(```|~~~)")
HEADING = re.compile(r"#{1,6}\s+(.*)")


def documents(root: Path) -> list[Path]:
    return [root / name for name in tracked(root, "*.md")]


def text_lines(document: Path) -> Iterator[tuple[int, str]]:
    """The lines outside code blocks and outside inline code."""
    in_code = False
    for number, line in enumerate(document.read_text().splitlines(), start=1):
        if FENCE.match(line):
            in_code = not in_code
        elif not in_code:
            yield number, re.sub(r"`[^`]*`", "", line)


def anchors(document: Path) -> set[str]:
    """The anchors that the usual renderers give to headings."""
    found = set()
    for line in document.read_text().splitlines():
        if heading := HEADING.match(line):
            words = re.sub(r"[^\w\- ]", "", heading.group(1).strip().lower())
            found.add(words.replace(" ", "-"))
    return found


def broken_links(root: Path) -> Iterator[str]:
    for document in documents(root):
        for number, line in text_lines(document):
            for match in LINK.finditer(line):
                target = match.group(1) or match.group(2)
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                file = (document.parent / path).resolve() if path else document
                where = f"{document.relative_to(root)}:{number}"
                if not file.exists():
                    yield f"{where}: {target} does not exist"
                elif anchor and file.suffix == ".md" and anchor not in anchors(file):
                    yield f"{where}: {path or document.name} has no heading #{anchor}"


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    found = list(broken_links(root))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
