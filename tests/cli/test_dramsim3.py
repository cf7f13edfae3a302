"""`diffram replay --dramsim3-config`: what DRAMsim3 prints, and what it does not say itself."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import ROOT, Finished, diffram

DDR4 = ROOT / "bench" / "ddr4_3200_2ch.ini"  # two ranks, tRCD 22, CL 22, BL 8


def one_channel(folder: Path, *changes: tuple[str, str, str]) -> Path:
    """The configuration with one channel; a change is section, key, value."""
    text = DDR4.read_text().replace("channels = 2", "channels = 1")
    for section, key, value in changes:
        kept = [line for line in text.splitlines() if not line.startswith(f"{key} = ")]
        text = "\n".join(kept).replace(f"[{section}]", f"[{section}]\n{key} = {value}") + "\n"
    file = folder / "memory.ini"
    file.write_text(text)
    return file


def replay(folder: Path, trace: str, ini: Path, *words: str) -> Finished:
    file = folder / "in.trace"
    file.write_text(trace)
    return diffram("replay", str(file), "--dramsim3-config", str(ini), *words)


def codes(result: dict[str, Any]) -> list[str]:
    return [diagnostic["code"] for diagnostic in result["diagnostics"]]


def test_commands_and_statistics_are_dramsim3s(tmp_path: Path) -> None:
    log, stats = tmp_path / "commands.txt", tmp_path / "stats.json"
    done = replay(
        tmp_path,
        "0x0 READ 0",
        DDR4,
        "--cycles",
        "100",
        "--commands",
        str(log),
        "--stats",
        str(stats),
    )
    assert done.code == 0, done.err
    assert log.read_text() == "# channel 0\n2 ACT 0 0 0 0\n24 RD 0 0 0 0 0\n# channel 1\n"
    figures = json.loads(stats.read_text())
    assert list(figures) == ["0", "1"]
    assert list(figures["0"]) == sorted(figures["0"])
    assert figures["0"]["num_reads_done"] == 1
    assert figures["0"]["average_read_latency"] == 49.0
    assert figures["0"]["read_latency"] == {"49": 1}
    assert figures["1"]["read_latency"] is None


def test_json_has_the_stable_keys(tmp_path: Path) -> None:
    done = replay(tmp_path, "0x0 READ 0\n0x100 WRITE 7", DDR4, "--json")
    assert done.code == 0, done.err
    result = done.json()
    assert result["cycles"] == 100_000  # DRAMsim3's default
    assert result["requests_in_trace"] == 2
    assert result["requests_completed"] == 1
    assert result["energy_j"]["total"] > 0
    assert codes(result) == ["last_request_lost"]


@pytest.mark.parametrize("period", [0.625, 1.25])
def test_dramsim3_49_and_18_joules_have_the_clock_in_them(tmp_path: Path, period: float) -> None:
    """DRAMsim3 prints V * mA * cycles and calls it pJ: `--stats` keeps that, `--json` is right."""
    ini = one_channel(tmp_path, ("timing", "tCK", str(period)))
    stats = tmp_path / "stats.json"
    trace = "".join(f"{64 * i:#x} READ {20 * i}\n" for i in range(200))
    done = replay(tmp_path, trace, ini, "--cycles", "9000", "--stats", str(stats), "--json")
    assert done.code == 0, done.err
    printed = json.loads(stats.read_text())["0"]["total_energy"]
    assert printed > 0
    assert done.json()["energy_j"]["total"] == pytest.approx(printed * period * 1e-12, rel=1e-9)


def test_a_final_newline_makes_a_phantom_read(tmp_path: Path) -> None:
    trace = "0x0 READ 0\n0x100 READ 100\n"
    result = replay(tmp_path, trace, DDR4, "--cycles", "3000", "--json").json()
    assert result["requests_completed"] == 3
    assert result["column_commands"] == 2
    assert "phantom_read" in codes(result)


def test_a_remark_breaks_the_stream(tmp_path: Path) -> None:
    trace = "0x0 READ 0\n# remark\n0x100 READ 100\n"
    result = replay(tmp_path, trace, DDR4, "--cycles", "500", "--json").json()
    assert {"stream_broken", "phantom_read"} <= set(codes(result))
    broken = next(d for d in result["diagnostics"] if d["code"] == "stream_broken")
    assert broken["evidence"] == "line 2"


def test_a_drain_that_deadlocks_is_named(tmp_path: Path) -> None:
    lines = [f"{i * 0x100000:#x} READ 0" for i in range(200)]  # no room: the read of 0 stays queued
    lines += ["0x400000000 READ 0", "0x400000000 WRITE 0"]
    lines += [f"{0x400000000 + i * 0x2000000:#x} WRITE 0" for i in range(1, 200)]
    ini = one_channel(tmp_path, ("system", "cmd_queue_size", "1"))
    result = replay(tmp_path, "\n".join(lines), ini, "--cycles", "30000", "--json").json()
    assert "drain_deadlock" in codes(result)
    assert "head_of_line_blocking" in codes(result)
    assert result["requests_completed"] < len(lines)


def test_writes_that_are_never_sent_are_counted(tmp_path: Path) -> None:
    lines = "\n".join(f"{i * 64:#x} WRITE 0" for i in range(4))
    result = replay(tmp_path, lines, DDR4, "--json").json()
    assert "writes_never_sent" in codes(result)
    assert result["column_commands"] == 0


def test_simultaneous_refresh_leaves_ranks_out(tmp_path: Path) -> None:
    ini = one_channel(tmp_path, ("system", "refresh_policy", "RANK_LEVEL_SIMULTANEOUS"))
    assert "one_rank_refreshed" in codes(replay(tmp_path, "0x0 READ 0", ini, "--json").json())


def test_per_bank_refresh_piles_up_and_costs_less_than_nothing(tmp_path: Path) -> None:
    ini = one_channel(tmp_path, ("system", "refresh_policy", "BANK_LEVEL_STAGGERED"))
    result = replay(tmp_path, "0x0 READ 0", ini, "--json").json()
    assert {"refresh_backlog", "negative_refresh_energy"} <= set(codes(result))
    assert result["energy_j"]["refresh_bank"] < 0


@pytest.mark.parametrize("cycle", [48, 55])
def test_where_dramsim3_aborts_the_run_ends_with_4(tmp_path: Path, cycle: int) -> None:
    ini = one_channel(
        tmp_path, ("system", "enable_self_refresh", "true"), ("system", "sref_threshold", "50")
    )
    log = tmp_path / "commands.txt"
    trace = f"0x0 READ {cycle}\n0x0 READ 900\n"
    done = replay(tmp_path, trace, ini, "--json", "--commands", str(log))
    assert done.code == 4
    error = done.json()["error"]
    assert error["code"] == "dramsim3_aborts"
    assert "rank 0" in error["message"]
    assert log.read_text().splitlines()[1] == "49 SREFE 0"


def test_a_key_that_is_none_is_a_warning_with_the_nearest(tmp_path: Path) -> None:
    ini = one_channel(tmp_path, ("timing", "tREFIX", "100"))
    done = replay(tmp_path, "0x0 READ 0", ini)
    assert done.code == 0
    assert "unknown_key" in done.err
    assert "tREFI" in done.err


def test_hmc_is_refused_with_what_to_use(tmp_path: Path) -> None:
    ini = one_channel(tmp_path, ("dram_structure", "protocol", "HMC"))
    done = replay(tmp_path, "0x0 READ 0", ini, "--json")
    assert done.code == 3
    assert done.json()["error"]["code"] == "not_supported"
    assert "HBM" in done.json()["error"]["expected"]


def test_a_packed_trace_gives_the_same_as_a_plain_one(tmp_path: Path) -> None:
    text = "\n".join(f"{i * 4096:#x} {'WRITE' if i % 3 == 0 else 'READ'} {i}" for i in range(500))
    packed = tmp_path / "in.trace.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    logs = []
    for words in ([str(packed)], [str(tmp_path / "plain.trace")]):
        (tmp_path / "plain.trace").write_text(text)
        log = tmp_path / "log.txt"
        done = diffram("replay", *words, "--dramsim3-config", str(DDR4), "--commands", str(log))
        assert done.code == 0, done.err
        logs.append(log.read_bytes())
    assert logs[0] == logs[1]
    assert len(logs[0]) > 1000


@pytest.mark.parametrize(
    "words",
    [
        ["--memory", "ddr4-3200-8g-2ch"],
        ["--drain"],
        ["-o", "run.dfr"],
        ["--set", "memory.controller.scheduler=fcfs"],
    ],
)
def test_options_of_native_runs_are_wrong_usage(tmp_path: Path, words: list[str]) -> None:
    assert replay(tmp_path, "0x0 READ 0", DDR4, *words).code == 2


def test_stats_need_a_dramsim3_configuration(tmp_path: Path) -> None:
    trace = tmp_path / "in.trace"
    trace.write_text("0x0 READ 0")
    words = ["--memory", "ddr4-3200-8g-2ch", "--stats", str(tmp_path / "s.json")]
    assert diffram("replay", str(trace), *words).code == 2


def test_a_configuration_that_is_missing_is_bad_input(tmp_path: Path) -> None:
    done = replay(tmp_path, "0x0 READ 0", tmp_path / "nowhere.ini", "--json")
    assert done.code == 3
    assert done.json()["error"]["file"].endswith("nowhere.ini")
