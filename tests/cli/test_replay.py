"""`diffram replay`: every trace that people have replays to the end."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

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


def stream(file: Path, requests: int, gap: int) -> str:
    file.write_text("".join(f"{64 * n:#x} READ {gap * n}\n" for n in range(requests)))
    return str(file)


def codes(result: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["code"]: each for each in result["diagnostics"]}


def activations_per_request(result: dict[str, Any]) -> float:
    opened: float = result["row_misses"] + result["row_conflicts"]
    return opened / result["requests_in_trace"]


def test_a_thinned_trace_is_warned_of_and_windows_are_like_the_whole(tmp_path: Path) -> None:
    """User case U06 (DRAMSys#38), a tenth as long."""
    trace = stream(tmp_path / "sequential.trace", 100_000, 10)
    words = ("replay", trace, "--memory", MEMORY, "--json")
    whole = diffram(*words).json()
    thin = diffram(*words, "--sample", "every:100").json()
    windows = diffram(*words, "--sample", "windows:10:1000").json()
    assert thin["requests_in_trace"] == thin["requests_completed"] == 1000
    assert windows["requests_in_trace"] == windows["requests_completed"] == 10_000
    assert activations_per_request(thin) > 20 * activations_per_request(whole)
    assert activations_per_request(windows) < 2 * activations_per_request(whole)
    assert codes(thin)["thinned_trace"]["severity"] == "warning"
    assert codes(windows)["sampled_trace"]["severity"] == "note"
    # The time between the windows is left out, and is not idle time.
    assert windows["cycles"] < 1.05 * 10_000 * 10


def test_windows_that_touch_are_the_whole_trace(tmp_path: Path) -> None:
    trace = stream(tmp_path / "short.trace", 100, 3)
    words = ("replay", trace, "--memory", MEMORY, "--json")
    whole, windows = (diffram(*words, *more).json() for more in ([], ["--sample", "windows:4:25"]))
    assert windows["cycles"] == whole["cycles"]
    assert windows["requests_in_trace"] == 100


@pytest.mark.parametrize("sample", ["every:0", "every:x", "windows:3", "windows:0:5", "half"])
def test_a_sample_that_is_none_names_the_forms(sample: str, tmp_path: Path) -> None:
    trace = stream(tmp_path / "short.trace", 3, 3)
    done = diffram("replay", trace, "--memory", MEMORY, "--sample", sample)
    assert done.code == 3
    assert "windows:N:LINES" in done.err


def test_the_result_says_what_bounds_it(tmp_path: Path) -> None:
    """User case U10 (gpgpu-sim#298): a stream follows the device, sparse reads do not."""
    dense = stream(tmp_path / "dense.trace", 100_000, 0)
    sparse = stream(tmp_path / "sparse.trace", 1000, 1600)
    rows = tmp_path / "rows.trace"
    rows.write_text("".join(f"{n * 1_048_576 * 37 % 2**32:#x} READ 0\n" for n in range(5000)))
    for trace, code, says in [
        (dense, "bandwidth_bound", "busy"),
        (sparse, "not_bandwidth_bound", "pace"),
        (str(rows), "not_bandwidth_bound", "lost to"),
    ]:
        result = diffram("replay", trace, "--memory", MEMORY, "--json").json()
        assert says in codes(result)[code]["message"]
