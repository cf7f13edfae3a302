"""`diffram replay`: every trace that people have replays to the end."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from .conftest import ROOT, diffram, shared

MEMORY = "ddr4-3200-8g-2ch"
ORACLE = ROOT / "tests" / "oracle" / "data"


def replay_to_the_end(trace: Path, lines: int) -> None:
    done = diffram("replay", str(trace), "--memory", MEMORY, "--json")
    assert done.code == 0, done.out + done.err
    result = done.json()
    assert result["requests_in_trace"] == lines
    assert result["requests_completed"] == lines
    assert result["conservation"]["cycles_residual"] == 0
    assert (
        result["row_hits"] + result["row_misses"] + result["row_conflicts"]
        == result["column_commands"]
    )


@pytest.mark.parametrize(("number", "lines"), [(1, 110272), (2, 33920), (3, 77568)])
def test_resnet18_training_traces(number: int, lines: int) -> None:
    replay_to_the_end(shared() / "real" / f"resnet18_training_{number}.dramsim3.trace.gz", lines)


def test_every_valid_dramsim3_trace() -> None:
    folder = shared() / "real" / "dramsim3_trace"
    for trace in sorted(folder.iterdir()):
        if "invalid" in trace.name:
            continue
        opener = gzip.open if trace.suffix == ".gz" else open
        with opener(trace, "rt") as text:
            lines = sum(1 for line in text if line.strip() and not line.startswith("#"))
        replay_to_the_end(trace, lines)


def test_the_invalid_trace_gets_an_error_with_file_and_line() -> None:
    trace = shared() / "real" / "dramsim3_trace" / "addresses_only_invalid.trace"
    done = diffram("replay", str(trace), "--memory", MEMORY, "--json")
    assert done.code == 3
    assert done.json()["error"]["file"].endswith(trace.name)
    assert done.json()["error"]["line"] == 1


def test_a_command_log_is_written(tmp_path: Path) -> None:
    trace = tmp_path / "one.trace"
    trace.write_text("0x0 READ 0\n")
    log = tmp_path / "commands.txt"
    assert diffram("replay", str(trace), "--memory", MEMORY, "--commands", str(log)).code == 0
    lines = log.read_text().splitlines()
    assert lines[0] == "# diffram-commands 1 channel rank bank_group bank row column"
    assert lines[1] == "2 ACT 0 0 0 0 0"
    assert lines[2] == "24 RD 0 0 0 0 0 0"


def test_any_thread_count_gives_the_same_result(tmp_path: Path) -> None:
    trace = tmp_path / "random.trace"
    state = 1
    with trace.open("w") as out:
        for cycle in range(20000):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            address = (state >> 20) % 2**33 // 64 * 64
            word = "WRITE" if state % 3 == 0 else "READ"
            out.write(f"{address:#x} {word} {cycle * 2}\n")
    results = []
    for threads in ("1", "2", "3", "8"):
        log = tmp_path / f"{threads}.log"
        done = diffram(
            *("replay", str(trace), "--memory", MEMORY, "--json"),
            *("--threads", threads, "--commands", str(log)),
        )
        assert done.code == 0
        result = done.json()
        for wall in ("wall_s", "requests_per_s"):
            del result[wall]
        results.append((log.read_bytes(), result))
    assert all(result == results[0] for result in results)
