"""Black-box tests of the program as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("DIFFRAM_PROGRAM", ROOT / "build" / "bin" / "diffram"))
# Fifty steps that read and write one small tensor.
LOOP = ROOT / "tests" / "fuzz" / "seeds" / "tensor_trace_fuzz" / "sampling_loop.dft"


@dataclass
class Finished:
    code: int
    out: str
    err: str

    def json(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.out)
        return value


def diffram(*words: str, cwd: Path | None = None, timeout: float = 900) -> Finished:
    """Run the program; a crash (signal) is never a result."""
    environment = dict(os.environ, NO_COLOR="1", LC_ALL="C.UTF-8")
    done = subprocess.run(
        [str(PROGRAM), *words],
        check=False,
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=timeout,
        env=environment,
    )
    assert done.returncode >= 0, f"killed by signal {-done.returncode}: {done.stderr}"
    return Finished(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="session")
def sample_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """The README's run of Stable Diffusion 1.4 sampling: its JSON and its run file."""
    file = tmp_path_factory.mktemp("sample") / "sd14.dfr"
    done = diffram(
        "run",
        "sd14-sample",
        "--memory",
        "ddr4-3200-8g-2ch",
        "--machine",
        "npu-edge",
        "--json",
        "-o",
        str(file),
    )
    assert done.code == 0, done.err + done.out
    return done.json(), file


def shared() -> Path:
    """The folder with files that have no licence to copy; without it their tests skip."""
    folder = os.environ.get("DIFFRAM_SHARED")
    if not folder:
        pytest.skip("skipped: not distributed")
    return Path(folder)
