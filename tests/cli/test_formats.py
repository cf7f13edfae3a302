"""Formats of request traces at the command line: replayed, converted, and what is said of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .conftest import ROOT, diffram

MEMORY = "ddr4-3200-8g-2ch"
TRACES = ROOT / "tests" / "oracle" / "data" / "request_traces"


def ddr4_2400(folder: Path) -> tuple[str, ...]:
    """DDR4-2400, one channel of 64 bits: the device of the public cases."""
    text = (ROOT / "specs" / "memories" / f"{MEMORY}.toml").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("hash = ")]
    file = folder / "ddr4-2400.toml"
    file.write_text("\n".join(lines) + "\n")
    values = {
        "megatransfers": "2400",
        "clock_ns": "0.8333333",
        "organisation.channels": "1",
        "map.order": "ro ra ba co bg",
        "timings.tCL": "16 nCK",
        "timings.tCWL": "12 nCK",
        "timings.tRCD": "16 nCK",
        "timings.tRP": "16 nCK",
        "timings.tRC": "46 ns",
    }
    words = ["--memory", str(file)]
    for key, value in values.items():
        words += ["--set", f"memory.{key}={value}"]
    return tuple(words)


def codes(result: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["code"]: each for each in result["diagnostics"]}


@pytest.mark.parametrize(
    ("name", "requests", "note"),
    [
        ("ramulator1_dram.trace", 5, "no_times"),
        ("ramulator2_example_loadstore.trace", 200, "no_times"),
        ("ramulator1_cpu.trace", 8, "instructions_as_cycles"),
        ("example.stl.gz", 1876, "cycles_go_back"),
        ("pct.stl.gz", 100, "unused_fields"),
        ("frfcfs-toy.trc", 7, "clocks"),
        ("tgen-simple-mem.trc", 2, "clocks"),
    ],
)
def test_a_trace_of_any_format_replays_and_says_what_was_assumed(
    name: str, requests: int, note: str
) -> None:
    done = diffram("replay", str(TRACES / name), "--memory", MEMORY, "--json")
    assert done.code == 0, done.out
    result = done.json()
    assert result["requests_in_trace"] == result["requests_completed"] == requests
    assert note in codes(result)


def test_converting_there_and_back_keeps_what_both_hold(tmp_path: Path) -> None:
    first = TRACES / "example.stl.gz"
    steps = ("a.dfq.zst", "b.trace.gz", "c.dfq", "d.stl")
    last = first
    for step in steps:
        done = diffram("convert", str(last), str(tmp_path / step), "--json")
        assert done.code == 0, done.out
        assert done.json()["requests"] == 1876
        last = tmp_path / step
    same = diffram("convert", str(first), str(tmp_path / "same.stl"))
    assert same.code == 0
    assert last.read_text() == (tmp_path / "same.stl").read_text()


def test_what_a_format_cannot_hold_is_named(tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    pct = diffram("convert", str(TRACES / "pct.stl.gz"), out, "--to", "ramulator1", "--json").json()
    lost = [each["message"] for each in pct["diagnostics"] if each["code"] == "not_kept"]
    assert [message.split("cannot hold ")[1] for message in lost] == [
        "times",
        "the bytes of a request",
        "more than operation, address, bytes and time",
    ]
    gem5 = diffram("convert", str(TRACES / "frfcfs-toy.trc"), out, "--to", "dramsim3", "--json")
    evidence = [each["evidence"] for each in gem5.json()["diagnostics"]]
    assert any("--trace-clock 0.001" in each for each in evidence)
    scaled = diffram(
        *("convert", str(TRACES / "frfcfs-toy.trc"), out, "--to", "dramsim3"),
        *("--trace-clock", "0.625", "--json"),
    )
    assert "rounded_times" in codes(scaled.json())
    assert Path(out).read_text().splitlines()[0] == "0x40 READ 7"  # 4 ns, rounded up


def test_ticks_need_a_clock(tmp_path: Path) -> None:
    trace = tmp_path / "my.trace"
    trace.write_text("0x40 READ 3\n")
    out = tmp_path / "my.trc"
    done = diffram("convert", str(trace), str(out), "--json")
    assert done.code == 3
    assert done.json()["error"]["code"] == "needs_clock"
    done = diffram("convert", str(trace), str(out), "--trace-clock", "0.625", "--json")
    assert done.code == 0
    assert codes(done.json())["assumed_bytes"]["evidence"] == "1 requests"
    assert out.read_text() == "r,64,64,1875\n"


@pytest.mark.parametrize(
    ("words", "near"), [(("out.xyz",), "dramsim3 .trace"), (("o", "--to", "dramsim"), "dramsim3")]
)
def test_an_unknown_format_names_the_known_ones(words: tuple[str, ...], near: str) -> None:
    done = diffram("convert", str(TRACES / "ranktest.stl"), *words, "--json")
    assert done.code == 3
    assert near in done.json()["error"]["expected"]


def test_a_conversion_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    trace = tmp_path / "bad.trace"
    trace.write_text("0x40 READ 3\n0x80 READ\n")
    done = diffram("convert", str(trace), str(tmp_path / "out.stl"), "--json")
    assert done.code == 3
    assert done.json()["error"]["line"] == 2
    assert list(tmp_path.iterdir()) == [trace]


def test_u01_pairs_of_numbers_are_refused_with_the_levels(tmp_path: Path) -> None:
    trace = tmp_path / "pairs.trace"
    trace.write_text("W 1000,1000\nR 1000,1000\n")
    done = diffram("replay", str(trace), "--memory", MEMORY, "--json")
    assert done.code == 3
    error = done.json()["error"]
    assert error["file"].endswith("pairs.trace")
    assert error["line"] == 1
    assert "2 numbers" in error["message"]
    assert "channel, rank, bank group, bank, row, column" in error["expected"]


def test_a_place_is_where_the_commands_go(tmp_path: Path) -> None:
    trace = tmp_path / "places.trace"
    places = [(1, 0, 3, 2, 17, 5), (0, 0, 0, 1, 4000, 127)]
    trace.write_text("".join(f"R {','.join(map(str, place))}\n" for place in places))
    log = tmp_path / "log"
    assert diffram("replay", str(trace), "--memory", MEMORY, "--commands", str(log)).code == 0
    reads = [line.split()[2:] for line in log.read_text().splitlines() if " RD " in line]
    assert sorted(tuple(map(int, place)) for place in reads) == sorted(places)


def test_u02_a_bare_address_is_warned_of(tmp_path: Path) -> None:
    for text, warned in [("3 20734016\n", False), ("0x13c6040 R\n", False), ("10 R\n", True)]:
        trace = tmp_path / "a.trace"
        trace.write_text(text)
        result = diffram("replay", str(trace), "--memory", MEMORY, "--json").json()
        assert ("bare_addresses" in codes(result)) == warned
        if warned:
            assert "base 16" in codes(result)["bare_addresses"]["message"]


def test_u03_a_request_keeps_its_bytes(tmp_path: Path) -> None:
    """A burst of 32 B, requests of 64 B: two column reads each, no byte lost."""
    trace = tmp_path / "lines.stl"
    trace.write_text("".join(f"{n}: (64) read {64 * n:#x}\n" for n in range(1000)))
    half = ("--set", "memory.organisation.bus_width=32")
    done = diffram("replay", str(trace), "--memory", MEMORY, *half, "--json")
    assert done.code == 0, done.out
    result = done.json()
    assert result["column_commands"] == 2000
    assert result["bytes_read"] == 64_000
    assert result["requests_completed"] == 1000
    assert "32 B a burst" in done.err


@pytest.mark.parametrize(
    ("nanoseconds", "low", "high", "elapsed"),
    [("10", 6.27, 6.53, 200e-6), ("6.666667", 9.41, 9.79, 133.333e-6), ("1", 11, 19.28, None)],
)
def test_u05_bandwidth_follows_the_trace_clock_until_the_device_is_full(
    tmp_path: Path, nanoseconds: str, low: float, high: float, elapsed: float | None
) -> None:
    trace = tmp_path / "lines.stl"
    trace.write_text("".join(f"{n}:\tread\t{64 * n:#x}\n" for n in range(20_000)))
    memory = ddr4_2400(tmp_path)
    done = diffram("replay", str(trace), *memory, "--trace-clock", nanoseconds, "--json")
    assert done.code == 0, done.out
    result = done.json()
    assert low <= result["bandwidth_gb_per_s"] <= high
    assert result["peak_gb_per_s"] == pytest.approx(19.2, rel=0.01)
    if elapsed is not None:
        assert result["time_s"] == pytest.approx(elapsed, rel=0.02)
    assert f"{float(nanoseconds):.6g} ns" in done.err
    assert "0.833333 ns" in done.err


def test_u07_a_git_lfs_pointer_is_called_one(tmp_path: Path) -> None:
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 5579\n"
    messages = set()
    for name in ("a.stl", "b.pickle", "c.json", "d.trace"):
        (tmp_path / name).write_text(pointer)
        done = diffram("replay", str(tmp_path / name), "--memory", MEMORY, "--json")
        assert done.code == 3
        messages.add(done.json()["error"]["message"])
    assert len(messages) == 1
    assert "Git LFS" in (message := messages.pop())
    assert "5579" in message
    for command in ("check", "run"):
        words = ("--memory", MEMORY) if command == "check" else ()
        done = diffram(command, str(tmp_path / "d.trace"), *words)
        assert done.code == 3


def test_ramulator2_33_a_trace_clock_keeps_its_fraction(tmp_path: Path) -> None:
    trace = tmp_path / "slow.trace"
    trace.write_text("0x0 READ 0\n0x40 READ 1000000\n")
    words = ("replay", str(trace), "--memory", MEMORY, "--json", "--trace-clock")
    result = diffram(*words, "0.833").json()
    assert result["time_s"] == pytest.approx(833e-6, rel=1e-3)


def test_drampower_lists_are_checked(tmp_path: Path) -> None:
    log = tmp_path / "drampower.csv"
    data = "0x0102030405060708"
    log.write_text(
        f"0,ACT,0,0,0,0,0\n22,WR,0,0,0,0,0,{data}\n24,RD,0,0,0,0,0,{data}\n"
        "90,PRE,0,0,0,0,0\n200,END,0,0,0,0,0\n"
    )
    done = diffram("check", str(log), "--memory", MEMORY, "--json")
    assert done.code == 1, done.err
    verdict = done.json()
    assert verdict["format"] == "DRAMPower"
    assert verdict["commands"] == 4
    assert verdict["violations"] >= 1


@pytest.mark.parametrize(
    ("line", "code"), [("0,PRA,0,0,0,0,0", "unknown_command"), ("0,ACT,0,0,9,0,0", "out_of_range")]
)
def test_drampower_77_a_spelling_or_a_bank_that_is_none_is_an_error(
    tmp_path: Path, line: str, code: str
) -> None:
    log = tmp_path / "drampower.csv"
    log.write_text(line + "\n")
    done = diffram("check", str(log), "--memory", MEMORY, "--json")
    assert done.code == 3
    assert done.json()["error"]["code"] == code
    assert done.json()["error"]["line"] == 1


INI = ROOT / "tests" / "oracle" / "data" / "dramsim3_ini"


def test_a_dramsim3_configuration_becomes_a_memory_that_replays(tmp_path: Path) -> None:
    out = tmp_path / "mine.toml"
    done = diffram("convert", str(INI / "DDR4_8Gb_x8_2400.ini"), "-o", str(out), "--json")
    assert done.code == 0, done.out
    result = done.json()
    assert result["standard"] == "DDR4"
    assert result["capacity_bytes"] == 16 << 30
    assert result["request_bytes"] == 64
    found = [each for each in result["diagnostics"] if each["code"] == "never_read"]
    assert "tRFC2 (line 19)" in found[0]["evidence"]
    assert "rfc_by_density" in codes(result)
    replayed = diffram("replay", str(TRACES / "spmv_ldst.trace.gz"), "--memory", str(out), "--json")
    assert replayed.code == 0, replayed.out
    assert replayed.json()["requests_completed"] == 7168
    assert "rfc_by_density" in codes(replayed.json())
    assert replayed.json()["energy_j"] is not None


def test_a_configuration_that_cannot_be_a_memory_says_why(tmp_path: Path) -> None:
    out = str(tmp_path / "mine.toml")
    hmc = diffram("convert", str(INI / "HMC_2GB_4Lx16.ini"), out, "--json")
    assert hmc.code == 3
    assert hmc.json()["error"]["code"] == "not_supported"
    assert hmc.json()["error"]["line"] == 9
    named = diffram("convert", str(INI / "XiangShan-nanhu.ini"), str(tmp_path / "mine.dfq"))
    assert named.code == 3
    assert ".toml" in named.err
    options = ("--lenient", "--trace-clock", "1", "--json")
    traced = diffram("convert", str(INI / "XiangShan-nanhu.ini"), out, *options)
    assert traced.json()["error"]["code"] == "not_for_a_configuration"
    memory = diffram("describe", str(INI / "XiangShan-nanhu.ini"), "--json")
    assert memory.json()["error"]["code"] == "not_a_memory"
    assert not list(tmp_path.iterdir())
