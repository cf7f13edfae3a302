"""A workload on a memory of every standard: it ends, its sums hold, and what is unknown is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import LOOP, ROOT, diffram

BYTES = 256 << 10  # of the tensor that each of 50 steps reads and writes

# No current and no energy of these is public; every other memory must give a number.
WITHOUT_ENERGY = {"gddr7", "hbm1", "hbm4", "lpddr6"}


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
    spec = (ROOT / "specs" / "memories" / f"{memory}.toml").read_text()
    if memory.split("-")[0] in WITHOUT_ENERGY:
        assert result["energy_j"] is None
        assert result["power_w"] is None
        assert "currents_missing" in warned
    else:
        parts = {key: value for key, value in result["energy_j"].items() if key != "total"}
        assert result["energy_j"]["total"] == pytest.approx(sum(parts.values()), rel=1e-9)
        assert parts["read"] > 0
        assert parts["write"] > 0
        assert result["power_w"] > 0
        assert "currents_missing" not in warned
        assert ("energy_by_bit" in warned) is ("[energy_per_bit]" in spec)
        assert ("rails_unknown" in warned) is ("unknown_rails" in spec)
    stated = "[currents.V" in spec
    assert ("no_currents" in warned) is not stated


# REFpb of one bank, of two, REFsb: what they cost is a component of its own, of all of the run's
# refreshes, and belongs to refresh.
@pytest.mark.parametrize(
    "memory",
    ["ddr5-4800-32g-4ch", "lpddr4-3200-4g-4ch", "lpddr5-6400-8g-4ch", "hbm2-2000-4g-8ch"],
)
def test_partial_refresh_has_its_energy(loop: Path, tmp_path: Path, memory: str) -> None:
    run = tmp_path / "run.dfr"
    scope = "same_bank" if memory.startswith("ddr5") else "per_bank"
    scope = f"memory.controller.refresh_scope={scope}"
    done = diffram("run", str(loop), "--memory", memory, "--set", scope, "-o", str(run), "--json")
    assert done.code == 0, done.out
    result = done.json()
    assert result["energy_j"]["refresh"] == 0
    assert result["energy_j"]["refresh_part"] > 0
    assert abs(result["conservation"]["energy_residual_relative"]) <= 1e-9
    estimated = any(each["code"] == "part_refresh_current" for each in result["diagnostics"])
    assert estimated is ("lpddr4" not in memory and "ddr5-4800" not in memory)
    # By origin and by place: the same joules, and no bank is left out.
    for axes in ("class", "channel,rank,bank"):
        table = diffram("explain", str(run), "--by", axes, "--of", "energy", "--json").json()
        total = sum(row["value"] for row in table["rows"])
        assert total == pytest.approx(result["energy_j"]["total"], rel=1e-9)
