"""`run --power-epoch`: power over time, whose samples add up to the run's energy."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import LOOP, diffram


def test_power_samples_add_up_to_the_energy(tmp_path: Path) -> None:
    options = ("run", str(LOOP), "--memory", "ddr4-3200-8g-2ch", "--fidelity", "exact", "--json")
    whole = diffram(*options).json()
    file = tmp_path / "loop.dfr"
    epoch = 1600
    sampled = diffram(*options, "--power-epoch", str(epoch), "-o", str(file)).json()
    power = sampled["power_over_time"]
    assert power["epoch_cycles"] == epoch
    assert len(power["power_w"]) == len(power["begin_s"]) == -(-sampled["cycles"] // epoch)
    length = power["begin_s"][1]
    ends = [*power["begin_s"][1:], sampled["time_s"]]
    joules = sum(
        watts * (end - begin)
        for watts, begin, end in zip(power["power_w"], power["begin_s"], ends, strict=True)
    )
    assert length == pytest.approx(epoch * 0.625e-9)
    assert joules == pytest.approx(sampled["energy_j"]["total"], rel=1e-9)
    codes = [diagnostic["code"] for diagnostic in sampled["diagnostics"]]
    assert "power_epoch_beats" not in codes
    for result in (whole, sampled):
        for key in ("wall_s", "requests_per_s", "power_over_time", "diagnostics"):
            result.pop(key, None)
    assert whole == sampled


def test_an_epoch_that_beats_with_refresh_is_told_of() -> None:
    done = diffram(
        "run", str(LOOP), "--memory", "ddr4-3200-8g-2ch", "--power-epoch", "20000", "--json"
    )
    told = [d for d in done.json()["diagnostics"] if d["code"] == "power_epoch_beats"]
    assert len(told) == 1 and "--power-epoch 124800" in told[0]["message"]
