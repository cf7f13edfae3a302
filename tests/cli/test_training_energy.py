"""The shares of the article's training step, as docs/energy.md states them."""

from __future__ import annotations

from .conftest import ROOT, diffram


def test_the_shares_of_a_training_step_are_those_of_the_document() -> None:
    words = "run sd14-train --memory ddr4-3200-32g-2ch --steps 2 --bounds off --json"
    done = diffram(*words.split())
    assert done.code == 0, done.err
    result = done.json()
    energy = result["energy_j"]
    pins = sum(joules for name, joules in energy.items() if name.endswith("_interface"))
    assert result["conservation"]["energy_residual_relative"] < 1e-9
    rows = {
        "energy, of it interface": f"{energy['total']:.1f} J, {100 * pins / energy['total']:.1f} %"
    }
    for key in (
        "activation_load_energy_share",
        "activation_repeated_load_share",
        "idle_background_share",
    ):
        rows[f"(`{key}`)"] = f"{100 * result[key]:.1f} %"
    document = (ROOT / "docs" / "energy.md").read_text(encoding="utf-8")
    for name, value in rows.items():
        assert f"{name} | {value} |" in document, (name, value)
