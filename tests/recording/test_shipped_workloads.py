"""The shipped traces: readable without torch, small, and made again line for line."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import zstandard
from case_figures import Case, find_case
from conftest import REPOSITORY, WORKLOADS

from diffram.recording import figures
from diffram.recording.trace_reader import read_trace

NAMES = sorted(path.name for path in WORKLOADS.glob("*.dft.zst"))


def lines(path: Path) -> list[bytes]:
    unpacked = zstandard.ZstdDecompressor().stream_reader(path.open("rb")).read()
    return bytes(unpacked).splitlines()


@pytest.mark.parametrize("name", NAMES)
def test_shipped_trace_is_small_and_whole(name: str) -> None:
    assert (WORKLOADS / name).stat().st_size < 1_000_000
    read_trace(WORKLOADS / name)


def test_every_trace_belongs_to_a_workload_file() -> None:
    listed: list[str] = []
    for path in sorted(WORKLOADS.glob("sd14-*.toml")):
        workload = tomllib.loads(path.read_text("utf-8"))
        assert workload["name"] == path.stem
        listed += [entry["file"] for entry in workload["trace"]]
        for settings in workload["model_settings"]:
            assert (REPOSITORY / settings).is_file()
    assert sorted(listed) == [name for name in NAMES if name.startswith("sd14-")]


def test_reading_needs_no_torch() -> None:
    program = (
        "import sys; from diffram.recording import read_trace; import diffram;"
        f"read_trace({str(WORKLOADS / 'sd14-train.dft.zst')!r}, images=4);"
        "sys.exit('torch' in sys.modules)"
    )
    python = [str(REPOSITORY / "python")]
    result = subprocess.run(
        [sys.executable, "-c", program], env={"PYTHONPATH": ":".join(python)}, check=False
    )
    assert result.returncode == 0


@pytest.mark.parametrize(
    ("name", "images", "case"),
    [
        ("sd14-train-b1", 1, "sd14_train_adamw_fused"),
        ("sd14-train", 2, "sd14_train_adamw_fused_b2"),
        ("sd14-train", 4, "sd14_train_adamw_fused_b4"),
        ("sd14-train-ckpt-b1", 1, "sd14_train_ckpt_nonreentrant"),
    ],
)
def test_shipped_training_has_the_reference_figures(
    cases: list[Case], name: str, images: int, case: str
) -> None:
    expected = find_case(cases, case, images)
    trace = read_trace(WORKLOADS / f"{name}.dft.zst", images=images)
    steady = figures.step_figures(trace.tables, trace.steps[1])
    assert steady.total.ops == expected["nonview_ops"]
    assert steady.total.macs == expected["macs"]
    assert steady.total.read_bytes == expected["read_bytes"]
    assert steady.total.write_bytes == expected["write_bytes"]
    live = figures.live_bytes(trace)
    assert (live.base, live.peak) == (expected["base_live_bytes"], expected["peak_live_bytes"])
    read = {name: entry["read_bytes"] for name, entry in expected["by_class"].items()}
    assert steady.read_by_class == read


def test_shipped_sampling_has_the_reference_figures(cases: list[Case]) -> None:
    expected = find_case(cases, "sd14_ddim50_pipeline_eager", 2)
    trace = read_trace(WORKLOADS / "sd14-sample.dft.zst")
    middle = figures.step_figures(trace.tables, trace.steps[2]).total
    decode = figures.total_of_phase(trace, "vae_decode")
    sampling = figures.total_of_phase(trace, "sampling")
    for found, part, times in (
        (middle, expected["one_middle_step"], 1),
        (sampling, expected["one_middle_step"], 50),
        (decode, expected["vae_decode_and_postprocess"], 1),
    ):
        assert found.macs == times * part["macs"]
    assert (middle.read_bytes, middle.write_bytes) == (10664262416, 8553737554)
    assert decode.read_bytes == expected["vae_decode_and_postprocess"]["read_bytes"]
    assert trace.steps[2].runs == 49


@pytest.mark.parametrize("name", NAMES)
def test_shipped_trace_is_made_again_line_for_line(tmp_path: Path, name: str) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("diffusers")
    pytest.importorskip("transformers")
    if not torch.__version__.startswith("2.13."):
        pytest.skip("the shipped traces are of torch 2.13")
    from diffram.recording.workloads import WORKLOADS as RECIPES

    made = tmp_path / name
    RECIPES[name](made)
    assert lines(made) == lines(WORKLOADS / name)
