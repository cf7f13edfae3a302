"""diffram: where a diffusion model's memory time and memory energy go.

    run = diffram.run("sd14-sample", memory="ddr4-3200-8g-2ch")
    run.by("layer", "class", of="time").to_pandas()
    run.report("sd14.html")

Nothing heavy is imported here. PyTorch is needed by `capture` and by the building parts of
`recording`, and is imported on their first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from diffram.failures import DifframError, Problem
    from diffram.heat import Heat
    from diffram.recording.capture_block import capture
    from diffram.simulation import Run, open, run
    from diffram.tables import Table

_LAZY = {
    "DifframError": "diffram.failures",
    "Heat": "diffram.heat",
    "Problem": "diffram.failures",
    "Run": "diffram.simulation",
    "Table": "diffram.tables",
    "capture": "diffram.recording.capture_block",
    "open": "diffram.simulation",
    "run": "diffram.simulation",
}

__all__ = ["DifframError", "Heat", "Problem", "Run", "Table", "capture", "open", "recording", "run"]


def __getattr__(name: str) -> Any:
    if name == "recording":
        return import_module("diffram.recording")
    if name not in _LAZY:
        raise AttributeError(f"module 'diffram' has no attribute {name!r}")
    value = getattr(import_module(_LAZY[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
