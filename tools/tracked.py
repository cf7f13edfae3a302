"""The files that git knows or would take in, as names relative to the root of the checkout."""

from __future__ import annotations

import subprocess
from pathlib import Path


def tracked(root: Path, *patterns: str) -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard", "--", *patterns],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    names = sorted(set(listed.split("\0")) - {""})
    return [name for name in names if (root / name).is_file()]
