"""A workload on a memory of every standard: it ends, its sums hold, and what is unknown is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import ROOT, diffram

LOOP = ROOT / "tests" / "fuzz" / "seeds" / "tensor_trace_fuzz" / "sampling_loop.dft"
BYTES = 256 << 10  # of the tensor that each of 50 steps reads and writes

# The standards that have a model of core energy; no other may give a number.
WITH_ENERGY = {"ddr4-3200-8g-2ch"}


@pytest.fixture(scope="module")
def loop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped sampling loop with a tensor of a useful size."""
    text = LOOP.read_text().replace('"bytes":16', f'"bytes":{BYTES}')
    text = text.replace("[8],[1]", f"[{BYTES // 2}],[1]")
    text = text.replace('"read":800,"write":784', f'"read":{50 * BYTES},"write":{49 * BYTES}')
    file = tmp_path_factory.mktemp("loop") / "loop.dft"
    file.write_text(text)
    return file


def one_of_each_standard() -> list[str]:
    found: dict[str, str] = {}
    for file in sorted((ROOT / "specs" / "memories").glob("*.toml")):
        standard = next(line for line in file.read_text().splitlines() if "standard = " in line)
        found.setdefault(standard, file.stem)
    found['standard = "ddr4"'] = "ddr4-3200-8g-2ch"
    assert len(found) == len(list((ROOT / "specs" / "standards").glob("*.toml")))
    return sorted(found.values())


@pytest.mark.parametrize("memory", one_of_each_standard())
def test_a_workload_runs_on_every_standard(loop: Path, memory: str) -> None:
    done = diffram("run", str(loop), "--memory", memory, "--machine", "npu-edge", "--json")
    assert done.code == 0, done.out
    result = done.json()
    conservation = result["conservation"]
    for kind in ("cycles", "bytes", "commands"):
        assert conservation[f"{kind}_residual"] == 0
    assert abs(conservation["energy_residual_relative"]) <= 1e-9
    assert result["bytes_read"] == 50 * BYTES
    assert result["bytes_written"] == 49 * BYTES
    assert 0 < result["bandwidth_gb_per_s"] < result["peak_gb_per_s"]
    warned = {each["code"] for each in result["diagnostics"] if each["severity"] == "warning"}
    if memory in WITH_ENERGY:
        assert result["energy_j"]["total"] > 0
        assert not warned & {"energy_model_missing", "currents_missing"}
    else:
        assert result["energy_j"] is None
        assert result["power_w"] is None
        assert warned & {"energy_model_missing", "currents_missing"}
    stated = "[currents.V" in (ROOT / "specs" / "memories" / f"{memory}.toml").read_text()
    assert ("no_currents" in warned) is not stated
