"""The shares of the article's training step, as docs/energy.md states them."""

from __future__ import annotations

import pytest

from .conftest import ROOT, diffram

POWER_DOWN = "--set memory.controller.power_down_after=64"


@pytest.mark.parametrize(("column", "settings"), [(2, ""), (3, POWER_DOWN)])
def test_the_shares_of_a_training_step_are_those_of_the_document(
    column: int, settings: str
) -> None:
    words = "run sd14-train --memory ddr4-3200-32g-2ch --steps 2 --bounds off --json"
    done = diffram(*f"{words} {settings}".split())
    assert done.code == 0, done.err
    result = done.json()
    energy = result["energy_j"]
    pins = sum(joules for name, joules in energy.items() if name.endswith("_interface"))
    assert result["conservation"]["energy_residual_relative"] < 1e-9
    figures = {
        "energy, of it interface": f"{energy['total']:.2f} J, {100 * pins / energy['total']:.1f} %"
    }
    for key in (
        "activation_load_energy_share",
        "activation_repeated_load_share",
        "idle_background_share",
    ):
        figures[f"(`{key}`)"] = f"{100 * result[key]:.2f} %"
    document = (ROOT / "docs" / "energy.md").read_text(encoding="utf-8")
    for name, value in figures.items():
        row = next(line for line in document.splitlines() if f"{name} |" in line)
        assert row.split(" | ")[column - 1].rstrip(" |") == value, (name, value)
