"""Running the simulator from Python: `run`, `open` and what they give, a `Run`.

Nothing here needs torch. The simulator runs without the interpreter's lock, on its own threads.
"""

from __future__ import annotations

import html
import json
import os
import sysconfig
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

from diffram import _core
from diffram.heat import Heat
from diffram.tables import Table

Metric: TypeAlias = Literal["time", "channel-time", "bytes", "energy", "conflicts", "heat"]
Progress: TypeAlias = Callable[[str, float], None]

# A wheel lays specs/ down beside the program; a source tree is found by the core itself.
_INSTALLED_SPECS = Path(sysconfig.get_path("data"), "share", "diffram", "specs")
if _INSTALLED_SPECS.is_dir():
    os.environ.setdefault("DIFFRAM_SPECS", str(_INSTALLED_SPECS))


class Run:
    """A finished run: figures, tables by any axis, the report, the run file."""

    def __init__(self, core: _core.Run) -> None:
        self._core = core

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The object of `diffram run --json`: its keys and units are stable."""
        loaded = json.loads(self._core.json())
        assert isinstance(loaded, dict)
        return loaded

    @cached_property
    def heat(self) -> Heat | None:
        """Temperatures in °C, rises in K: `run.heat.hottest.celsius`, `run.heat.layers`.

        None where the run has no package or its energy is not known;
        `run.summary["temperature_unknown"]` says which. `run.by("class", of="heat")` divides the
        rise of the hottest place.
        """
        return Heat.of_summary(self.summary)

    def by(self, *axes: str, of: Metric = "time", top: int = 0) -> Table:
        """A metric divided by axes, as `diffram explain --by …` does.

        Axes: layer, op, kernel, class, tensor, phase, step, model, channel, rank, bank, cause,
        culprit.
        With `top` the largest rows are given and the rest is one row "(rest)".
        """
        return Table(self._core.explain(list(axes), of, top))

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page: one HTML file that needs nothing else."""
        self._core.report(os.fspath(path))
        return Path(path)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the run file (`.dfr`), whole or not at all."""
        self._core.save(os.fspath(path))
        return Path(path)

    def __repr__(self) -> str:
        figures = self.summary
        wait = figures["memory_wait_share"]
        waiting = "" if wait is None else f", {wait:.0%} waiting for memory"
        return f"<diffram.Run: {self._title()}: {figures['time_s']:.4g} s{waiting}>"

    def _title(self) -> str:
        names = (self.summary[name] for name in ("workload", "machine", "memory"))
        return ", ".join(name for name in names if name)  # a replayed trace has no machine

    def _repr_html_(self) -> str:
        figures = self.summary
        wait, joules = figures["memory_wait_share"], figures["energy_j"]["total"]
        moved = (figures["bytes_read"] + figures["bytes_written"]) / 1e9
        rows = {
            "time": f"{figures['time_s']:.4g} s",
            "waiting for memory": "–" if wait is None else f"{wait:.1%}",
            "bandwidth": f"{figures['bandwidth_gb_per_s']:.4g} GB/s"
            f" of {figures['peak_gb_per_s']:.4g} GB/s",
            "moved": f"{moved:.4g} GB",
            "energy": "unknown" if joules is None else f"{joules:.4g} J",
        }
        if self.heat:
            rows["hottest"] = f"{self.heat.hottest.celsius:.1f} °C if this load lasts"
        body = "".join(
            f"<tr><th>{name}</th><td>{html.escape(text)}</td></tr>" for name, text in rows.items()
        )
        title = html.escape(self._title())
        return f"<table><caption>{title}</caption><tbody>{body}</tbody></table>"


def run(
    workload: str | os.PathLike[str],
    *,
    memory: str | os.PathLike[str] = "",
    machine: str | os.PathLike[str] = "npu-edge",
    batch: int = 1,
    steps: int | None = None,
    fidelity: Literal["steady", "exact"] = "steady",
    bounds: bool | None = None,
    checkpointing: bool = False,
    allocator: Mapping[str, object] | None = None,
    threads: int | None = None,
    seed: int = 1,
    package: str | os.PathLike[str] = "",
    initial_temperature: float | None = None,
    epoch: int = 0,
    throttling_threshold: float | None = None,
    hysteresis: float = 2,
    heat_stretch: float = 1,
    allow_overcommit: bool = False,
    settings: Mapping[str, object] | None = None,
    progress: Progress | None = None,
) -> Run:
    """Simulates a workload, a shipped name or a captured trace, on a machine with a memory.

    `memory` and `machine` are names of specs/ or TOML files; without `memory` it is the machine's.
    `batch` counts images. `settings` overrides fields: {"memory.controller.page_policy": "open"}.
    `package` (a name or a TOML file) gives temperatures, see `Run.heat`; what the machine around it
    does is in `settings`: {"package.surroundings.air_c": 40}. `epoch`, in memory cycles, lets heat
    answer (docs/heat.md): refresh by temperature, throttling above `throttling_threshold` (°C).
    `progress` is called now and then with what is being done and its fraction (-1 where unknown).

    Raises DifframError with every error of the input.
    """
    options = _core.RunOptions()
    options.workload = os.fspath(workload)
    options.memory = os.fspath(memory)
    options.machine = os.fspath(machine)
    options.images = batch
    options.steps = steps or 0
    options.exact = fidelity == "exact"
    options.bounds = bounds
    options.checkpointing = checkpointing
    options.allocator = _as_typed(allocator)
    options.threads = threads or 0
    options.seed = seed
    options.package = os.fspath(package)
    options.initial = initial_temperature
    options.epoch = epoch
    options.throttling_threshold = throttling_threshold
    options.hysteresis = hysteresis
    options.heat_stretch = heat_stretch
    options.allow_overcommit = allow_overcommit
    options.settings = _as_typed(settings)
    return Run(_core.run_workload(options, progress))


def open(path: str | os.PathLike[str]) -> Run:
    """Reads a run file (`.dfr`). Raises DifframError when it is none, or is damaged."""
    return Run(_core.open_run(os.fspath(path)))


def _as_typed(settings: Mapping[str, object] | None) -> list[tuple[str, str]]:
    """Values as they would be typed after --set: TOML spells truth in small letters."""
    return [
        (key, str(value).lower() if isinstance(value, bool) else str(value))
        for key, value in (settings or {}).items()
    ]
