"""A run that is killed, interrupted or out of disk goes on, and its run file is the same."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest

from .conftest import PROGRAM, diffram

# How often a run is killed, here; 20 in the longer runs that the closing notes report.
KILLS = int(os.environ.get("DIFFRAM_KILLS", "3"))


# The record holds the command line (without --resume), so it is the same everywhere.
RUN = "run sd14-sample --steps 2 --bounds off --checkpoint-every 0.5 -o run.dfr".split()


def start(folder: Path, *more: str, limit: int | None = None) -> subprocess.Popen[str]:
    running = subprocess.Popen(
        [str(PROGRAM), *RUN, *more],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if limit is not None:
        resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (limit, limit))
    return running


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, float]:
    """The run file of a run that nothing disturbs, and its seconds."""
    folder = tmp_path_factory.mktemp("undisturbed")
    begin = time.monotonic()
    done = diffram(*RUN, cwd=folder)
    seconds = time.monotonic() - begin
    assert done.code == 0, done.err
    assert [file.name for file in folder.iterdir()] == ["run.dfr"]
    return (folder / "run.dfr").read_bytes(), seconds


def test_a_killed_run_resumes_to_the_same_bytes(
    undisturbed: tuple[bytes, float], tmp_path: Path
) -> None:
    whole, seconds = undisturbed
    moments = random.Random(4)
    for _ in range(KILLS):
        running = start(tmp_path, "--resume")
        try:
            running.wait(timeout=moments.uniform(0.1, 0.6) * seconds)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
            assert not (tmp_path / "run.dfr").exists()
    done = diffram(*RUN, "--resume", cwd=tmp_path)
    assert done.code == 0, done.err
    assert (tmp_path / "run.dfr").read_bytes() == whole
    assert [file.name for file in tmp_path.iterdir() if "checkpoint" in file.name] == []


def test_an_interrupted_run_keeps_what_it_has(
    undisturbed: tuple[bytes, float], tmp_path: Path
) -> None:
    whole, seconds = undisturbed
    running = start(tmp_path)
    time.sleep(seconds / 3)
    running.send_signal(signal.SIGINT)
    _, error = running.communicate(timeout=120)
    assert running.returncode == 4
    assert "--resume" in error
    assert (tmp_path / "run.dfr.checkpoint").exists()

    other = diffram(*RUN, "--resume", "--seed", "7", cwd=tmp_path)
    assert other.code == 3
    assert "another run" in other.err

    done = diffram(*RUN, "--resume", cwd=tmp_path)
    assert done.code == 0, done.err
    assert (tmp_path / "run.dfr").read_bytes() == whole


def test_a_full_disk_ends_with_four_and_resumes(
    undisturbed: tuple[bytes, float], tmp_path: Path
) -> None:
    whole, _ = undisturbed
    running = start(tmp_path, limit=len(whole) // 2)
    _, error = running.communicate(timeout=600)
    assert running.returncode == 4, error
    assert "room" in error
    assert not (tmp_path / "run.dfr").exists()
    done = diffram(*RUN, "--resume", cwd=tmp_path)
    assert done.code == 0, done.err
    assert (tmp_path / "run.dfr").read_bytes() == whole


def test_resume_needs_the_run_file() -> None:
    assert diffram("run", "sd14-sample", "--resume").code == 2
