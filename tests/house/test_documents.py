"""Every command that a document shows runs as it stands there.

The ```sh and ```python blocks of a document run in order, in one empty folder, with the built
program and the Python of the package first on the path. Blocks of output or of file contents carry
another word or none.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tracked import tracked

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# Not run here, each with its reason. A line of this list that no document holds is an error.
EXEMPT = {
    "make demo": "tools/bare_check.sh runs it in an empty system",
    "make test": "this test is a part of it",
    "make build": "the gate has built what the documents use",
}


def without_exempt(script: str) -> str:
    """The script without its exempt lines; what follows a # is a remark."""
    lines = script.splitlines()
    return "\n".join(line for line in lines if line.split("#")[0].strip() not in EXEMPT)


def blocks(document: Path) -> Iterator[tuple[str, str]]:
    for language, script in BLOCK.findall(document.read_text()):
        if wanted := without_exempt(script).strip():
            yield language, wanted


DOCUMENTS = [name for name in tracked(ROOT, "*.md") if any(blocks(ROOT / name))]


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    program = ROOT / "build" / "bin" / "diffram"
    assert program.is_file(), "build the program first: make build"
    python = Path(sys.executable).parent
    return {
        **os.environ,
        "PATH": os.pathsep.join([str(program.parent), str(python), os.environ["PATH"]]),
    }


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_commands_of_the_document_run(
    name: str, environment: dict[str, str], tmp_path: Path
) -> None:
    for language, script in blocks(ROOT / name):
        shell = ["bash", "-euo", "pipefail", "-c", script]
        command = shell if language == "sh" else [sys.executable, "-c", script]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("command", EXEMPT)
def test_an_exempt_command_is_still_in_a_document(command: str) -> None:
    shown = {
        line.split("#")[0].strip()
        for name in tracked(ROOT, "*.md")
        for _, script in BLOCK.findall((ROOT / name).read_text())
        for line in script.splitlines()
    }
    assert command in shown


def test_a_job_that_a_document_names_is_in_the_makefile() -> None:
    jobs = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for name in tracked(ROOT, "*.md"):
        for job in re.findall(r"`make ([a-z-]+)`", (ROOT / name).read_text()):
            assert job in jobs, f"{name} names `make {job}`"
