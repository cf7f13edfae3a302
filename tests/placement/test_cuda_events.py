"""The snapshot converter reads data and nothing else."""

from __future__ import annotations

import gzip
import importlib.util
import pickle
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "cuda_events.py"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("cuda_events", TOOL)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def snapshot() -> dict[str, Any]:
    block = {"size": 512, "requested_size": 100, "state": "active_allocated", "frames": []}
    segment = {
        "address": 4096,
        "total_size": 1024,
        "segment_type": "small",
        "stream": 0,
        "blocks": [block, {"size": 512, "requested_size": 0, "state": "inactive"}],
    }
    events = [
        {"action": "alloc", "addr": 4096, "size": 100, "stream": 0, "frames": []},
        {"action": "free_requested", "addr": 4096, "size": 100, "stream": 0},
        {"action": "snapshot", "size": 0, "stream": 0},
    ]
    return {"segments": [segment], "device_traces": [events]}


@pytest.mark.parametrize("packed", [False, True])
def test_blocks_get_addresses_and_only_allocator_events_are_kept(
    tool: ModuleType, tmp_path: Path, packed: bool
) -> None:
    file = tmp_path / "snapshot"
    data = pickle.dumps(snapshot())
    file.write_bytes(gzip.compress(data) if packed else data)
    lines = list(tool.lines_of(tool.read_snapshot(file)))
    blocks = lines[1]["segment"]["blocks"]
    assert [block["address"] for block in blocks] == [4096, 4608]
    assert "frames" not in blocks[0]
    assert lines[2:] == [{"event": ["alloc", 4096, 100, 0]}]


def test_a_file_that_names_code_is_refused(tool: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "snapshot"
    file.write_bytes(pickle.dumps({"segments": print}))
    with pytest.raises(pickle.UnpicklingError, match="only plain data"):
        tool.read_snapshot(file)


def test_a_file_that_holds_no_snapshot_is_refused(tool: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "snapshot"
    file.write_bytes(pickle.dumps([1, 2]))
    with pytest.raises(TypeError, match="list"):
        tool.read_snapshot(file)
