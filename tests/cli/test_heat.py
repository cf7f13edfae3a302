"""`--package`: temperatures of a run, and nothing guessed about the machine around it."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Finished, diffram

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
    assert watts == pytest.approx(result["power_w"], rel=1e-9)
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
