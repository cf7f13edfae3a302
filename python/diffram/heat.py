"""How hot a run makes its memory: what `Run.heat` gives.

Temperatures are in °C, differences of them in K, power in W. Heat is linear in power, so the rises
of the hottest place add up: `sum(heat.hottest.rise_by.values()) == heat.hottest.rise`, to rounding.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Hottest:
    """The hottest place of the memory's dies if the run's mean power lasts."""

    package: str
    """Whose it is: "channel 0, rank 0"."""
    layer: str
    """The die in it: "0 die"."""
    celsius: float
    """°C there."""
    air: float
    """°C around the package."""
    rise: float
    """K above the air."""
    rise_by: Mapping[str, float]
    """K by energy component, and by base_dies, logic_dies, neighbour and board; their sum is
    `rise`. By layer, class, …: `run.by("class", of="heat")`."""
    measured_at: str
    """Where the standard's limits are measured: "case", "die" or "stack"."""
    measured: float
    """°C there."""
    limit: float | None
    """°C that the standard allows there; None: it does not say."""
    margin: float | None
    """K below the limit, negative above it."""


@dataclass(frozen=True)
class Layer:
    """A layer of a distinct package, or its case, its board, or what is hot beside it."""

    package: str
    layer: str
    role: str
    """"memory", "base", "logic", "passive"; "node" for case, board and neighbour."""
    instances: int
    """Equal packages that this one stands for."""
    watts: float
    """Mean power of one of them."""
    steady_mean: float
    steady_peak: float
    """°C if this load lasts."""
    end_mean: float
    end_peak: float
    """°C when the run ends."""
    steady_map: tuple[tuple[float, ...], ...]
    """°C of the cells if this load lasts, rows from the pads on; empty for nodes."""


@dataclass(frozen=True)
class Epoch:
    """A stretch of a run in which heat answers (`epoch=`)."""

    begin: float
    """s of simulated time."""
    celsius: float
    """°C at its end, where the standard measures."""
    refresh_rate: float
    """Refreshes an interval, with which it was run."""
    column_share: float
    """Share of the column slots that were open; below 1 it was throttled."""


@dataclass(frozen=True)
class Heat:
    """Temperatures of a run in its packages."""

    hottest: Hottest
    layers: tuple[Layer, ...]
    epochs: tuple[Epoch, ...]
    """Empty without `epoch=`."""

    @classmethod
    def of_summary(cls, summary: Mapping[str, Any]) -> Heat | None:
        """From the object of `diffram run --json`; None without temperatures."""
        if "hottest" not in summary:
            return None
        return cls(
            _hottest(summary["hottest"]),
            tuple(_layer(row) for row in summary["heat"]),
            _epochs(summary.get("heat_over_time")),
        )


def _hottest(row: Mapping[str, Any]) -> Hottest:
    return Hottest(
        package=row["package"],
        layer=row["layer"],
        celsius=row["steady_c"],
        air=row["air_c"],
        rise=row["rise_k"],
        rise_by=row["rise_k_by"],
        measured_at=row["measured_at"],
        measured=row["measured_c"],
        limit=row["limit_c"],
        margin=row["margin_k"],
    )


def _layer(row: Mapping[str, Any]) -> Layer:
    return Layer(
        package=row["package"],
        layer=row["layer"],
        role=row["role"],
        instances=row["instances"],
        watts=row["power_w"],
        steady_mean=row["steady_c"]["mean"],
        steady_peak=row["steady_c"]["peak"],
        end_mean=row["end_c"]["mean"],
        end_peak=row["end_c"]["peak"],
        steady_map=tuple(tuple(line) for line in row.get("steady_map_c", ())),
    )


def _epochs(columns: Mapping[str, Any] | None) -> tuple[Epoch, ...]:
    if columns is None:
        return ()
    names = ("begin_s", "sensed_c", "refresh_rate", "column_share")
    return tuple(Epoch(*row) for row in zip(*(columns[name] for name in names), strict=True))
