"""Checks that no tracked file speaks of the machine it was written on.

Three things are looked for, none of them written here: paths below a top folder of this machine
that the Filesystem Hierarchy Standard does not know, paths below a home folder or this checkout,
and the hosts that this machine's package clients are set to, where those are not the public ones.
"""

from __future__ import annotations

import gzip
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from tracked import tracked

# fmt: off
# FHS 3.0, chapter 3, and what Linux adds.
STANDARD_TOP = frozenset({
    "bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "libx32", "lost+found", "media",
    "mnt", "opt", "proc", "root", "run", "sbin", "srv", "sys", "tmp", "usr", "var",
})
# fmt: on
PUBLIC_HOSTS = (
    "pypi.org",
    "pythonhosted.org",
    "npmjs.org",
    "debian.org",
    "pytorch.org",
    "github.com",
)
LARGEST_TEXT = 20_000_000


def machine_patterns(root: Path) -> Iterator[tuple[str, re.Pattern[str]]]:
    start = r"(?<![\w./~$}*-])"
    own = [name for name in entries(Path("/")) if name not in STANDARD_TOP]
    # A top folder alone proves little: `/build/` in an ignore list is no path of a machine that
    # happens to have such a folder. With what lies in it, it is.
    inside = [f"{name}/{child}" for name in own for child in entries(Path("/", name))]
    if inside:
        yield (
            "a path of this machine",
            re.compile(rf"{start}/(?:{'|'.join(map(re.escape, inside))})\b"),
        )
    yield "a home folder", re.compile(rf"{start}/(?:home/(?!user\b)\w+|root|Users/\w+)/")
    yield "this checkout's folder", re.compile(re.escape(str(root)) + r"\b")
    host = socket.gethostname()
    if len(host) > 5 and host != "localhost":
        yield "this host's name", re.compile(re.escape(host))
    for index_host in sorted(package_hosts()):
        yield "a private package host", re.compile(re.escape(index_host))


def entries(folder: Path) -> list[str]:
    try:
        return [path.name for path in folder.iterdir() if not path.name.startswith(".")]
    except OSError:
        return []


def package_hosts() -> set[str]:
    """Hosts in the settings of pip, npm and apt on this machine."""
    settings = [output_of("pip", "config", "list"), output_of("npm", "config", "get", "registry")]
    settings += [os.environ.get(name, "") for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL")]
    for folder in ("/etc/apt/sources.list.d", "/etc/apt/apt.conf.d"):
        if Path(folder).is_dir():
            settings += [
                f.read_text(errors="replace") for f in Path(folder).iterdir() if f.is_file()
            ]
    hosts = {
        urlsplit(url).hostname or ""
        for url in re.findall(r"https?://[^\s'\";]+", "\n".join(settings))
    }
    return {h for h in hosts if "." in h and not h.endswith(PUBLIC_HOSTS)}


def output_of(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""


def text_of(file: Path) -> str:
    data = file.read_bytes()
    if file.suffix == ".gz":
        with gzip.open(file) as unpacked:
            data = unpacked.read(LARGEST_TEXT)
    return "" if b"\0" in data[:8000] else data.decode(errors="replace")


def breaches(root: Path) -> Iterator[str]:
    patterns = list(machine_patterns(root))
    for name in tracked(root):
        for number, line in enumerate(text_of(root / name).splitlines(), start=1):
            for what, pattern in patterns:
                if found := pattern.search(line):
                    yield f"{name}:{number}: {what}: {found.group(0)}"


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    found = list(breaches(root))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
