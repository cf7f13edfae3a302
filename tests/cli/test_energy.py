"""`diffram energy`: command logs of DRAMPower and of our own, core and interface."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import ROOT, diffram

MEMORY = "ddr4-3200-8g-2ch"


@pytest.fixture(scope="module")
def golden() -> dict[str, Any]:
    data = ROOT / "tests" / "oracle" / "data" / "drampower_interface.json.gz"
    with gzip.open(data) as file:
        value: dict[str, Any] = json.load(file)
    return value


def written(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


@pytest.fixture
def memspec(golden: dict[str, Any], tmp_path: Path) -> str:
    return written(tmp_path / "ddr4.json", json.dumps(golden["memspecs"]["ddr4"], indent=1))


def example(golden: dict[str, Any]) -> str:
    cases = {case["id"]: case for case in golden["cli_example"]}
    return "\n".join(cases["drampower-cli-ddr4"]["csv"]) + "\n"


def close(value: float) -> Any:
    return pytest.approx(value, rel=1e-6)


def test_drampower_cli_example(golden: dict[str, Any], memspec: str, tmp_path: Path) -> None:
    log = written(tmp_path / "ddr4.csv", example(golden))
    done = diffram("energy", log, "--drampower-memspec", memspec, "--json", "--rules", "drampower")
    assert done.code == 0, done.err + done.out
    result = done.json()
    assert result["format"] == "DRAMPower"
    assert (result["commands"], result["cycles"]) == (4, 45)
    power = golden["memspecs"]["ddr4"]["mempowerspec"]
    tck = golden["memspecs"]["ddr4"]["memtimingspec"]["tCK"]
    shared = power["idd2n"] + 0.5 * (power["idd3n"] - power["idd2n"])
    one_open = (power["idd3n"] + 15 * shared) / 16
    energy = result["energy_j"]
    # RAS 10, RP 10, a burst of 4 cycles; the row is open from 0 to 40 and closed from 40 to 45.
    assert energy["activate"] == close(1.2 * (power["idd0"] - one_open) * 10 * tck)
    assert energy["precharge"] == close(1.2 * (power["idd0"] - power["idd2n"]) * 10 * tck)
    assert energy["write"] == close(1.2 * (power["idd4w"] - power["idd3n"]) * 4 * tck)
    assert energy["read"] == close(1.2 * (power["idd4r"] - power["idd3n"]) * 4 * tck)
    assert energy["rank_open"] == close(1.2 * shared * 40 * tck)
    assert energy["bank_open"] == close(1.2 * (one_open - shared) * 40 * tck)
    assert energy["rank_closed"] == close(1.2 * power["idd2n"] * 5 * tck)
    # The clock's two lines over 45 cycles, 1.2 V over 1 MOhm, 1 pJ an edge.
    assert result["pins"]["CK"]["rises"] == 90
    assert result["pins"]["CK"]["edge_j"] == close(90e-12)
    assert result["pins"]["CK"]["level_j"] == close(90 * 1.44e-6 * tck / 2)
    # 01 02 … 08: thirteen ones among 64 bits; the pins idle high for 41 cycles.
    assert result["pins"]["DQ read"]["zeroes"] == 51
    assert result["pins"]["DQ write"]["ones"] == 8 * 2 * 41 + 13
    assert sum(bank["core_j"] for bank in result["by_bank"]) < energy["core"]
    assert sum(rank["core_j"] for rank in result["by_rank"]) == close(energy["core"])
    assert energy["total"] == close(energy["core"] + energy["interface"])


def test_drampower_readme_example(golden: dict[str, Any], memspec: str, tmp_path: Path) -> None:
    """Its README states the total; the commands are those of its README of version 5, with the end
    ten cycles later, which is what the total asks for."""
    log = written(
        tmp_path / "readme.csv",
        "0,ACT,0,0,0,0,0\n15,RD,0,0,0,0,0\n35,PRE,0,0,0,0,0\n45,END,0,0,0,0,0\n",
    )
    result = diffram("energy", log, "--drampower-memspec", memspec, "--json").json()
    cases = {case["id"]: case for case in golden["cli_example"]}
    stated = cases["drampower-readme"]["expect"]["core total J"]
    assert result["energy_j"]["core"] == pytest.approx(stated, rel=3e-5)  # five digits


def test_the_text_shows_the_same_figures(
    golden: dict[str, Any], memspec: str, tmp_path: Path
) -> None:
    log = written(tmp_path / "ddr4.csv", example(golden))
    done = diffram("energy", log, "--drampower-memspec", memspec)
    assert done.code == 0, done.err
    for word in ("core", "interface", "activate", "DQ read", "command", "rank", "bank"):
        assert word in done.out


def test_drampower_126_interface_energy_scales_with_activity(memspec: str, tmp_path: Path) -> None:
    def joules(bursts: int) -> float:
        lines = ["0,ACT,0,0,0,0,0"]
        lines += [f"{20 + 10 * i},RD,0,0,0,0,0,0x{'00' * 8}" for i in range(bursts)]
        log = written(tmp_path / "tiny.csv", "\n".join([*lines, "200,END,0,0,0,0,0"]) + "\n")
        done = diffram("energy", log, "--drampower-memspec", memspec, "--json")
        value: float = done.json()["energy_j"]["interface"]
        return value

    none, one, two = joules(0), joules(1), joules(2)
    assert 0 < none < one < two < 1e-6
    assert two - one == pytest.approx(one - none, rel=0.01)


@pytest.mark.parametrize(
    ("line", "code"), [("0,PRA,0,0,0,0,0", "unknown_command"), ("0,ACT,0,0,99,0,0", "out_of_range")]
)
def test_drampower_77_a_spelling_or_a_bank_that_is_none_is_an_error(
    memspec: str, tmp_path: Path, line: str, code: str
) -> None:
    log = written(tmp_path / "bad.csv", f"0,ACT,0,0,0,0,0\n{line}\n")
    done = diffram("energy", log, "--drampower-memspec", memspec, "--json")
    assert done.code == 3
    error = done.json()["error"]
    assert (error["code"], error["line"]) == (code, 2)


def test_drampower_35_an_act_on_an_open_bank_and_a_pre_on_a_closed_one_have_no_energy(
    memspec: str, tmp_path: Path
) -> None:
    def energy(*lines: str) -> dict[str, Any]:
        log = written(tmp_path / "a.csv", "\n".join([*lines, "90,END,0,0,0,0,0"]) + "\n")
        return diffram("energy", log, "--drampower-memspec", memspec, "--json").json()

    once = energy("0,ACT,0,0,0,0,0", "40,PRE,0,0,0,0,0")
    twice = energy("0,ACT,0,0,0,0,0", "20,ACT,0,0,0,7,0", "40,PRE,0,0,0,0,0", "60,PRE,0,0,0,0,0")
    assert twice["energy_j"]["core"] == once["energy_j"]["core"]
    assert "activation_of_open_bank" in [d["code"] for d in twice["diagnostics"]]
    assert once["diagnostics"] == []


def test_our_own_log_has_the_energy_that_the_replay_says(tmp_path: Path) -> None:
    trace = tmp_path / "a.trace"
    trace.write_text(
        "".join(f"0x{i * 64:x} {'READ' if i % 3 else 'WRITE'} {i}\n" for i in range(999))
    )
    log = tmp_path / "a.commands"
    run = diffram("replay", str(trace), "--memory", MEMORY, "--json", "--commands", str(log)).json()
    done = diffram("energy", str(log), "--memory", MEMORY, "--json", "--cycles", str(run["cycles"]))
    assert done.code == 0, done.err + done.out
    energy = done.json()["energy_j"]
    for component in ("activate", "precharge", "read", "write", "refresh", "bank_open"):
        assert energy[component] == pytest.approx(run["energy_j"][component], rel=1e-9)


def test_the_pins_of_our_own_log_are_those_of_the_replay(tmp_path: Path) -> None:
    trace = tmp_path / "a.trace"
    trace.write_text(
        "".join(
            f"0x{i * 7919 % 65536 * 4096:x} {'READ' if i % 3 else 'WRITE'} {i * 40}\n"
            for i in range(999)
        )
    )
    log = tmp_path / "a.commands"
    words = ("--memory", "ddr4-3200-8g-1ch", "--json")
    run = diffram("replay", str(trace), *words, "--commands", str(log)).json()
    done = diffram("energy", str(log), *words, "--cycles", str(run["cycles"])).json()
    of_run = sum(j for name, j in run["energy_j"].items() if name.endswith("_interface"))
    # addresses are not random, commands may follow each other
    assert done["energy_j"]["interface"] == pytest.approx(of_run, rel=0.02)
    low = diffram("replay", str(trace), *words, "--set", "data.unnamed.ones=0").json()
    high = diffram("replay", str(trace), *words, "--set", "data.unnamed.ones=1").json()
    assert low["energy_j"]["read_interface"] > 1.5 * high["energy_j"]["read_interface"]
    assert low["energy_j"]["read"] == high["energy_j"]["read"]
    assert {"field": "data.unnamed.ones", "value": "0", "source": "--set"} in low["assumptions"]
    wrong = diffram("replay", str(trace), *words, "--set", "data.unnamed.ones=0.1",
                    "--set", "data.unnamed.toggle=0.9")  # fmt: skip
    assert wrong.code == 3
    assert wrong.json()["error"]["expected"] == "at most 0.2"


def test_bursts_without_data_go_by_rates_that_are_told(memspec: str, tmp_path: Path) -> None:
    log = written(tmp_path / "a.csv", "0,ACT,0,0,0,0,0\n20,RD,0,0,0,0,0\n90,END,0,0,0,0,0\n")
    words = ("energy", log, "--drampower-memspec", memspec, "--json")
    result = diffram(*words, "--ones", "0.25").json()
    assert result["pins"]["DQ read"]["zeroes"] == 8 * 6
    assert [d["code"] for d in result["diagnostics"]] == ["assumed_data_rates"]
    theirs = diffram(*words, "--rules", "drampower").json()
    assert theirs["pins"]["DQ read"]["zeroes"] == 0


def test_a_bank_may_be_numbered_through_the_rank(memspec: str, tmp_path: Path) -> None:
    def banks(line: str) -> list[dict[str, Any]]:
        log = written(tmp_path / "a.csv", f"{line}\n90,END,0,0,0,0,0\n")
        result = diffram("energy", log, "--drampower-memspec", memspec, "--json").json()
        found: list[dict[str, Any]] = [b for b in result["by_bank"] if b["core_j"] > 0]
        return found

    assert banks("0,ACT,0,1,11,0,0") == banks("0,ACT,0,1,3,0,0")


def test_a_memspec_with_wrong_fields_names_them_all(golden: dict[str, Any], tmp_path: Path) -> None:
    memory = json.loads(json.dumps(golden["memspecs"]["ddr4"]))
    memory["mempowerspec"]["vdd"] = -1
    memory["memtimingspec"]["RSA"] = 3
    file = written(tmp_path / "wrong.json", json.dumps(memory, indent=1))
    log = written(tmp_path / "a.csv", "0,ACT,0,0,0,0,0\n")
    done = diffram("energy", log, "--drampower-memspec", file)
    assert done.code == 3
    assert "mempowerspec.vdd" in done.err
    assert "memtimingspec.RSA" in done.err


@pytest.mark.parametrize("words", [(), ("--memory", MEMORY, "--drampower-memspec", "a.json")])
def test_one_memory_is_needed(words: tuple[str, ...], tmp_path: Path) -> None:
    assert diffram("energy", "a.csv", *words).code == 2


def test_a_window_shorter_than_the_log_is_refused(memspec: str, tmp_path: Path) -> None:
    log = written(tmp_path / "a.csv", "0,ACT,0,0,0,0,0\n40,PRE,0,0,0,0,0\n")
    done = diffram("energy", log, "--drampower-memspec", memspec, "--cycles", "39", "--json")
    assert done.code == 3
    assert done.json()["error"]["code"] == "window_too_short"
