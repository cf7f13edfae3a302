"""`--package`: temperatures of a run, and nothing guessed about the machine around it."""

from __future__ import annotations

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
