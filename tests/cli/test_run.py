"""`diffram run`: the stable JSON, the sums, and what does not fit."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from .conftest import diffram

Sample = tuple[dict[str, Any], Path]

STABLE_KEYS = """
workload memory machine fidelity steps batch simulated_byte_share time_s cycles channels
memory_wait_share compute_only_s memory_only_s bytes_read bytes_written bandwidth_gb_per_s
peak_gb_per_s memory_wait_share_at column_commands row_hits row_misses row_conflicts
read_latency_ns energy_j power_w activation_repeated_load_share activation_load_energy_share
idle_background_share flow peak_live_bytes reserved_bytes capacity_bytes temperature_c
conservation assumptions diagnostics wall_s requests requests_per_s
""".split()


def test_json_has_every_stable_key(sample_run: Sample) -> None:
    result, _ = sample_run
    assert [key for key in STABLE_KEYS if key not in result] == []
    assert result["workload"] == "sd14-sample"
    assert result["steps"] == 50
    assert set(result["memory_wait_share_at"]) >= {"half_efficiency", "double_efficiency"}
    assert set(result["read_latency_ns"]) >= {"mean", "p50", "p95", "p99"}
    assert set(result["flow"]) >= {
        "walk_bytes",
        "fetch_on_write_bytes",
        "filter_bytes",
        "dram_bytes",
    }
    assert result["temperature_c"] is None


def test_sums_are_conserved(sample_run: Sample) -> None:
    result, _ = sample_run
    conservation = result["conservation"]
    for residual in ("cycles_residual", "bytes_residual", "commands_residual"):
        assert conservation[residual] == 0
    assert abs(conservation["energy_residual_relative"]) <= 1e-9
    assert (
        result["row_hits"] + result["row_misses"] + result["row_conflicts"]
        == result["column_commands"]
    )
    flow = result["flow"]
    assert (
        flow["walk_bytes"] + flow["fetch_on_write_bytes"] - flow["filter_bytes"]
        == flow["dram_bytes"]
    )
    assert flow["dram_bytes"] == result["bytes_read"] + result["bytes_written"]
    parts = [value for key, value in result["energy_j"].items() if key != "total"]
    assert sum(parts) == pytest.approx(result["energy_j"]["total"], rel=1e-9)


def test_bounds_hold_the_time(sample_run: Sample) -> None:
    result, _ = sample_run
    assert 0 < result["memory_wait_share"] < 1
    assert max(result["compute_only_s"], result["memory_only_s"]) <= result["time_s"] * (1 + 1e-9)
    at = result["memory_wait_share_at"]
    assert at["half_efficiency"] <= result["memory_wait_share"] <= at["double_efficiency"]
    assert 0 < result["bandwidth_gb_per_s"] <= result["peak_gb_per_s"] == pytest.approx(51.2)


def test_what_is_not_simulated_is_said(sample_run: Sample) -> None:
    result, _ = sample_run
    codes = {diagnostic["code"] for diagnostic in result["diagnostics"]}
    assert "steady" in codes
    assert "interface_energy_assumed" in codes
    assert 0 < result["simulated_byte_share"] < 1
    assert any(a["source"] == "assumed" for a in result["assumptions"])
    assert "data.fp32" in [a["field"] for a in result["assumptions"]]


@pytest.mark.parametrize(
    ("by", "of"),
    [
        ("layer,class", "time"),
        ("cause,culprit", "channel-time"),
        ("channel,rank,bank", "conflicts"),
        ("op,tensor", "bytes"),
        ("class,phase", "energy"),
    ],
)
def test_rows_of_a_table_sum_to_its_total(sample_run: Sample, by: str, of: str) -> None:
    _, file = sample_run
    done = diffram("explain", str(file), "--by", by, "--of", of, "--json")
    assert done.code == 0, done.out
    table = done.json()
    assert sum(row["value"] for row in table["rows"]) == pytest.approx(table["total"], rel=1e-9)
    assert table["axes"] == by.split(",")


def test_time_table_sums_to_time(sample_run: Sample) -> None:
    result, file = sample_run
    table = diffram("explain", str(file), "--by", "phase", "--json").json()
    assert table["unit"] == "s"
    assert table["total"] == pytest.approx(result["time_s"], rel=1e-12)


def test_report_is_one_file(sample_run: Sample, tmp_path: Path) -> None:
    _, file = sample_run
    page = tmp_path / "report.html"
    assert diffram("report", str(file), "-o", str(page)).code == 0
    text = page.read_text(encoding="utf-8")
    assert "<h1" in text and "http://" not in text.replace("http://www.w3.org", "")
    assert page.stat().st_size <= 3_000_000
    # The browser test opens every page of this folder.
    if samples := os.environ.get("DIFFRAM_REPORT_SAMPLES"):
        shutil.copy(page, Path(samples) / "sd14-sample.html")


def test_training_does_not_fit_eight_gibibytes() -> None:
    done = diffram("run", "sd14-train", "--memory", "ddr4-3200-8g-2ch", "--json")
    assert done.code == 3
    error = done.json()["error"]
    assert error["code"] == "does_not_fit"
    assert error["missing_bytes"] > 0
    assert error["live_by_class"]["optimizer_state"] > 6e9
    text = diffram("run", "sd14-train", "--memory", "ddr4-3200-8g-2ch")
    assert text.code == 3 and "does not fit" in text.err and text.out == ""
