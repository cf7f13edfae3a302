"""Bad input never crashes and never passes silently: one clear error, the right exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import diffram


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["run", "sd14-sampel"], 3, "sd14-sample"),
        (["run", "sd14-sample", "--memory", "ddr4-3200-8g-2hc"], 3, "ddr4-3200-8g-2ch"),
        (["run", "sd14-sample", "--machine", "npu-edg"], 3, "npu-edge"),
        (["run", "sd14-sample", "--set", "memory.controller.schedular=frfcfs"], 3, "scheduler"),
        (["run", "sd14-sample", "--set", "memory.controller.scheduler=frfcsf"], 3, "frfcfs"),
        (["run", "sd14-sample", "--set", "memry.controller.scheduler=frfcfs"], 3, "memory"),
        (["run", "sd14-sample", "--set", "memory.controller.read_queue=-4"], 3, "read_queue"),
        (["run", "sd14-sample", "--set", "data.activations.ones=0.5"], 3, "activation"),
        (["run", "sd14-sample", "--set", "data.activation.zeroes=0.5"], 3, "ones or toggle"),
        (["run", "sd14-sample", "--set", "data.activation.ones=1.5"], 3, "from 0 to 1"),
        (["run", "sd14-sample", "--set", "data.input.ones=nan"], 3, "from 0 to 1"),
        (["run", "sd14-sample", "--set", "nonsense"], 2, "key=value"),
        (["run", "sd14-sample", "--step", "50"], 2, "--steps"),
        (["run", "sd14-sample", "--steps", "1"], 3, "steps"),
        (["run", "sd14-sample", "--batch", "0"], 2, "batch"),
        (["run", "sd14-sample", "--fidelity", "fast"], 2, "steady"),
        (["run"], 2, "WORKLOAD"),
        (["rum"], 2, "run"),
        ([], 2, "subcommand"),
        (["replay", "no-such-file.trace", "--memory", "ddr4-3200-8g-2ch"], 3, "no-such-file.trace"),
        (["explain", "no-such-file.dfr"], 3, "no-such-file.dfr"),
        (["check", "no-such-file.cmd", "--memory", "ddr4-3200-8g-2ch"], 3, "no-such-file.cmd"),
        (["check", "no-such-file.cmd"], 2, "--memory"),
        (["describe", "ddr4-3200-8g-2cx"], 3, "ddr4-3200-8g-2ch"),
        (["list", "memorys"], 2, "memories"),
    ],
)
def test_one_clear_error(words: list[str], code: int, says: str) -> None:
    done = diffram(*words)
    assert done.code == code, done.err
    assert says in done.err
    assert done.out == ""
    assert "terminate" not in done.err and "std::" not in done.err


def test_errors_are_json_under_json() -> None:
    for words, code in (
        (["run", "nothing"], 3),
        (["run", "--steps"], 2),
        (["explain", "nothing.dfr"], 3),
    ):
        done = diffram(*words, "--json")
        assert done.code == code
        assert set(done.json()["error"]) >= {"code", "message", "file", "line", "field", "expected"}


def test_a_broken_trace_names_file_and_line(tmp_path: Path) -> None:
    trace = tmp_path / "broken.trace"
    trace.write_text("0x0 READ 1\n0x40 REED 2\n")
    done = diffram("replay", str(trace), "--memory", "ddr4-3200-8g-2ch", "--json")
    assert done.code == 3
    error = done.json()["error"]
    assert error["file"].endswith("broken.trace") and error["line"] == 2


def test_an_address_beyond_the_capacity_is_refused(tmp_path: Path) -> None:
    trace = tmp_path / "high.trace"
    trace.write_text("0x0 READ 1\n0xFFFFFFFFFF READ 2\n")
    done = diffram("replay", str(trace), "--memory", "ddr4-3200-8g-2ch", "--json")
    assert done.code == 3
    assert done.json()["error"]["code"] == "address_beyond_capacity"
    assert done.json()["error"]["line"] == 2
    wrapped = diffram(
        "replay", str(trace), "--memory", "ddr4-3200-8g-2ch", "--allow-overcommit", "--json"
    )
    assert wrapped.code == 0 and wrapped.json()["requests_completed"] == 2


def test_all_addresses_beyond_the_capacity_are_counted_before_the_run(tmp_path: Path) -> None:
    """User case U09 (gem5#1871), with the 8 GiB of a shipped memory."""
    trace = tmp_path / "high.trace"
    trace.write_text("0x0 READ 0\n0x1ffffffc0 READ 1\n0x200000000 READ 2\n0x200000040 WRITE 3\n")
    command = ("replay", str(trace), "--memory", "ddr4-3200-8g-2ch", "--json")
    error = diffram(*command).json()["error"]
    assert error["line"] == 3
    assert error["message"].startswith("2 requests go beyond the capacity")
    assert "8589934592 B" in error["message"] and "0x200000040" in error["message"]
    log = tmp_path / "commands"
    wrapped = diffram(*command, "--allow-overcommit", "--commands", str(log))
    assert wrapped.code == 0
    assert [
        d["evidence"] for d in wrapped.json()["diagnostics"] if d["code"] == "wrapped_addresses"
    ] == ["2 requests"]
    # Line 3 decodes like line 1: both go to row 0, column 0 of one bank.
    reads = [line.split()[2:] for line in log.read_text().splitlines() if " RD " in line]
    assert reads.count(reads[0]) == 2


def test_an_unknown_code_path_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = tmp_path / "one.trace"
    trace.write_text("0x0 READ 1\n")
    monkeypatch.setenv("DIFFRAM_SIMD", "sse3")
    done = diffram("replay", str(trace), "--memory", "ddr4-3200-8g-2ch", "--json")
    assert done.code == 2
    assert done.json()["error"]["code"] == "simd_path"
    assert done.json()["error"]["expected"] == "sse2"
    monkeypatch.setenv("DIFFRAM_SIMD", "plain")
    assert diffram("replay", str(trace), "--memory", "ddr4-3200-8g-2ch").code == 0


@pytest.mark.parametrize("cycle", [2**64 - 1, 2**63, 2**62])
def test_a_cycle_too_far_away_is_refused(tmp_path: Path, cycle: int) -> None:
    trace = tmp_path / "late.trace"
    trace.write_text(f"0x0 READ 1\n0x40 READ {cycle}\n")
    done = diffram("replay", str(trace), "--memory", "ddr4-3200-8g-2ch", "--json")
    assert done.code == 3
    error = done.json()["error"]
    assert error["code"] == "cycle_too_large"
    assert error["file"].endswith("late.trace") and error["line"] == 2


def test_requests_many_hours_apart_are_replayed(tmp_path: Path) -> None:
    trace = tmp_path / "rare.trace"
    # More than the front end holds, so the channels catch up between them.
    lines = [f"{i * 64:#x} READ {i * 10**14}\n" for i in range(5000)]
    trace.write_text("".join(lines))
    done = diffram("replay", str(trace), "--memory", "ddr4-3200-8g-2ch", "--json")
    assert done.code == 0 and done.json()["requests_completed"] == 5000


def test_a_truncated_workload_is_refused(tmp_path: Path) -> None:
    from .conftest import ROOT

    whole = (ROOT / "specs" / "workloads" / "sd14-sample.dft.zst").read_bytes()
    cut = tmp_path / "cut.dft.zst"
    cut.write_bytes(whole[: len(whole) // 2])
    done = diffram("run", str(cut))
    assert done.code == 3 and "cut.dft.zst" in done.err


def test_a_run_file_that_is_none_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.dfr"
    file.write_text("hello")
    assert diffram("explain", str(file)).code == 3


def test_unknown_axis_names_the_nearest(tmp_path: Path) -> None:
    trace = tmp_path / "t.trace"
    trace.write_text("0x0 READ 1\n")
    file = tmp_path / "t.dfr"
    assert diffram("replay", str(trace), "--memory", "ddr4-3200-8g-2ch", "-o", str(file)).code == 0
    done = diffram("explain", str(file), "--by", "laier")
    assert done.code in (2, 3) and "layer" in done.err


def test_output_that_cannot_be_written_ends_with_four(tmp_path: Path) -> None:
    trace = tmp_path / "t.trace"
    trace.write_text("0x0 READ 1\n")
    done = diffram(
        "replay", str(trace), "--memory", "ddr4-3200-8g-2ch", "-o", str(tmp_path / "no" / "t.dfr")
    )
    assert done.code == 4
    full = diffram("replay", str(trace), "--memory", "ddr4-3200-8g-2ch", "-o", "/dev/full")
    assert full.code == 4


@pytest.mark.parametrize("command", ["run", "replay", "explain", "report", "list", "describe"])
def test_every_command_has_help_with_an_example(command: str) -> None:
    done = diffram(command, "--help")
    assert done.code == 0 and f"diffram {command}" in done.out
