"""`--package`: temperatures of a run, and nothing guessed about the machine around it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from .conftest import ROOT, Finished, diffram

MACHINE_SIDE = (
    "--set",
    "package.theta.case_to_air=20",
    "--set",
    "package.theta.board_to_air=15",
    "--set",
    "package.surroundings.air_c=40",
    "--set",
    "package.surroundings.board_c=45",
)


@pytest.fixture
def trace(tmp_path: Path) -> str:
    file = tmp_path / "reads.trace"
    file.write_text("".join(f"{64 * i:#x} READ {4 * i}\n" for i in range(2000)))
    return str(file)


def replay(trace: str, *more: str) -> Finished:
    return diffram("replay", trace, "--memory", "ddr4-3200-8g-2ch", "--json", *more)


def test_temperatures_come_with_the_package(trace: str) -> None:
    result = replay(trace, "--package", "ddr4-module", *MACHINE_SIDE).json()
    assert 40 < result["temperature_c"]["mean"] < result["temperature_c"]["peak"] < 125
    dies = [row for row in result["heat"] if row["role"] == "memory"]
    assert [die["package"] for die in dies] == ["channel 0, rank 0", "channel 1, rank 0"]
    watts = sum(die["instances"] * die["power_w"] for die in dies)
    pins = sum(j for name, j in result["energy_j"].items() if name.endswith("_interface"))
    core = (result["energy_j"]["total"] - pins) / result["time_s"]
    # what the controller's side of the pins takes does not heat the memory
    assert core < watts < result["power_w"]
    assert len(dies[0]["steady_map_c"]) >= 8
    fields = [assumption["field"] for assumption in result["assumptions"]]
    assert "package.theta.junction_to_case" in fields


def test_without_a_package_the_reason_is_told(trace: str) -> None:
    result = replay(trace).json()
    assert result["temperature_c"] is None
    assert result["temperature_unknown"] == "no package was given"


def test_the_machines_side_is_asked_for(trace: str) -> None:
    done = replay(trace, "--package", "ddr4-module")
    assert done.code == 3
    assert "belongs to the machine" in done.json()["error"]["message"]


def test_a_package_that_cannot_hold_the_memory_is_refused(trace: str) -> None:
    done = replay(trace, "--package", "hbm-stack", *MACHINE_SIDE)
    assert done.code == 3
    assert done.json()["error"]["code"] == "does_not_match"


def test_a_setting_of_no_package_is_refused(trace: str) -> None:
    done = replay(trace, *MACHINE_SIDE)
    assert done.code == 3
    assert done.json()["error"]["expected"] == "--package NAME"


def test_a_cold_start_stays_cold(trace: str) -> None:
    more = ("--package", "ddr4-module", *MACHINE_SIDE, "--initial-temperature", "30")
    dies = [row for row in replay(trace, *more).json()["heat"] if row["role"] == "memory"]
    assert dies[0]["end_c"]["peak"] < 31 < dies[0]["steady_c"]["peak"]


LOOP = ROOT / "tests" / "fuzz" / "seeds" / "tensor_trace_fuzz" / "sampling_loop.dft"


def loop(threads: str, *more: str) -> Finished:
    options = ("run", str(LOOP), "--memory", "ddr4-3200-8g-2ch", "--fidelity", "exact", "--json")
    heat = ("--package", "ddr4-module", *MACHINE_SIDE, "--epoch", "2000")
    return diffram(*options, *heat, "--threads", threads, *more)


def test_a_hot_run_is_refreshed_twice_as_often_for_any_number_of_threads() -> None:
    more = ("--initial-temperature", "86", "--throttling-threshold", "85.5")
    results = [loop(threads, *more).json() for threads in ("1", "2", "3")]
    for result in results:
        for key in ("wall_s", "requests_per_s"):
            result.pop(key)
    assert results[0] == results[1] == results[2]
    over_time = results[0]["heat_over_time"]
    assert over_time["refresh_rate"][0] == 1
    assert set(over_time["refresh_rate"][1:]) == {2}
    assert over_time["column_share"][:3] == [1, 15 / 16, 14 / 16]
    codes = {diagnostic["code"] for diagnostic in results[0]["diagnostics"]}
    assert {"refresh_rate_raised", "throttled"} <= codes
    assert results[0]["conservation"]["cycles_residual"] == 0


def test_a_cool_run_with_the_loop_is_the_run_without() -> None:
    cool = loop("1").json()
    assert set(cool["heat_over_time"]["refresh_rate"]) == {1}
    plain = diffram(
        "run", str(LOOP), "--memory", "ddr4-3200-8g-2ch", "--fidelity", "exact", "--json"
    ).json()
    for key in ("cycles", "energy_j", "row_hits", "read_latency_ns"):
        assert cool[key] == plain[key]


def explain(file: Path, *more: str) -> Finished:
    return diffram("explain", str(file), "--of", "heat", *more)


@pytest.fixture
def hot_file(tmp_path: Path) -> Path:
    file = tmp_path / "hot.dfr"
    options = ("run", str(LOOP), "--memory", "ddr4-3200-8g-2ch", "--fidelity", "exact")
    done = diffram(*options, "--package", "ddr4-module", *MACHINE_SIDE, "--json", "-o", str(file))
    assert done.code == 0
    (tmp_path / "run.json").write_text(done.out)
    return file


@pytest.mark.parametrize("by", ["layer", "class", "op,class,phase", "channel", "rank,bank", "step"])
def test_whose_power_heats_the_hottest_die_adds_up_to_its_rise(hot_file: Path, by: str) -> None:
    hottest = json.loads((hot_file.parent / "run.json").read_text())["hottest"]
    table = explain(hot_file, "--by", by, "--json").json()
    assert (table["metric"], table["unit"]) == ("heat", "K")
    assert hottest["package"] in table["subject"]
    assert table["total"] == pytest.approx(hottest["steady_c"] - hottest["air_c"], abs=1e-9)
    assert sum(row["value"] for row in table["rows"]) == pytest.approx(table["total"], abs=1e-9)
    assert sum(hottest["rise_k_by"].values()) == pytest.approx(hottest["rise_k"], abs=1e-9)


def test_printed_kelvin_add_up_as_printed(hot_file: Path) -> None:
    text = explain(hot_file, "--by", "class").out
    figures = [
        int(sign.replace("−", "-") + whole + part)
        for sign, whole, part in re.findall(r"(−?)(\d+)\.(\d{3}) K", text)
    ]
    assert len(figures) > 3
    assert sum(figures[:-1]) == figures[-1]
    assert "(shared) idle" in text
    assert "(shared) board" in text


def test_only_the_hottest_package_s_channel_heats_it(hot_file: Path) -> None:
    rows = explain(hot_file, "--by", "channel", "--json").json()["rows"]
    hottest = json.loads((hot_file.parent / "run.json").read_text())["hottest"]["package"]
    channels = {row["channel"] for row in rows if not row["channel"].startswith("(shared)")}
    assert {f"channel {channel}, rank 0" for channel in channels} == {hottest}


def test_heat_of_a_run_without_a_package_says_how_to_get_it(trace: str, tmp_path: Path) -> None:
    file = tmp_path / "cold.dfr"
    assert replay(trace, "-o", str(file)).code == 0
    done = explain(file, "--json")
    assert done.code == 3
    error = done.json()["error"]
    assert error["code"] == "heat_unknown"
    assert "--package" in error["expected"]


def test_the_page_of_a_hot_run_has_its_dies(hot_file: Path, tmp_path: Path) -> None:
    page = tmp_path / "hot.html"
    assert diffram("report", str(hot_file), "-o", str(page)).code == 0
    html = page.read_text()
    assert '<section id="heat"' in html
    assert 'class="die"' in html
