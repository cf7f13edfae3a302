"""Sums over a trace: per step, phase, class, pass. Pure Python, no torch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from diffram.recording.trace_model import (
    Alloc,
    Event,
    Free,
    Op,
    Phase,
    Storage,
    StoredStep,
    Tables,
    Trace,
    use_bytes,
)


@dataclass(slots=True)
class Sums:
    """Ops with traffic, their MACs and tensor-level bytes."""

    ops: int = 0
    macs: int = 0
    read_bytes: int = 0
    write_bytes: int = 0

    def add(self, op: Op) -> None:
        self.ops += 1
        self.macs += op.macs
        self.read_bytes += sum(map(use_bytes, op.reads))
        self.write_bytes += sum(map(use_bytes, op.writes))

    def merge(self, other: Sums, times: int = 1) -> None:
        self.ops += times * other.ops
        self.macs += times * other.macs
        self.read_bytes += times * other.read_bytes
        self.write_bytes += times * other.write_bytes


@dataclass(slots=True)
class StepFigures:
    """Figures of one stored step, run once."""

    total: Sums = field(default_factory=Sums)
    by_phase: dict[str, Sums] = field(default_factory=dict)
    by_pass: dict[tuple[str, str], Sums] = field(default_factory=dict)
    read_by_class: dict[str, int] = field(default_factory=dict)
    write_by_class: dict[str, int] = field(default_factory=dict)


def step_figures(tables: Tables, step: StoredStep) -> StepFigures:
    """Sums of one stored step; `by_pass` is keyed by (phase, pass letter)."""
    figures = StepFigures()
    phase = ""
    for event in step.events:
        if isinstance(event, Phase):
            phase = event.name
        elif isinstance(event, Op):
            figures.total.add(event)
            figures.by_phase.setdefault(phase, Sums()).add(event)
            figures.by_pass.setdefault((phase, event.pass_), Sums()).add(event)
            _add_by_class(figures.read_by_class, tables.storages, event, writes=False)
            _add_by_class(figures.write_by_class, tables.storages, event, writes=True)
    return figures


def _add_by_class(
    account: dict[str, int], storages: list[Storage], op: Op, *, writes: bool
) -> None:
    for use in op.writes if writes else op.reads:
        tensor_class = storages[use.storage].tensor_class
        account[tensor_class] = account.get(tensor_class, 0) + use_bytes(use)


def events_as_run(trace: Trace) -> Iterator[Event]:
    """All events with replays opened, each repetition under the stored step's storage numbers."""
    for step in trace.steps:
        for _ in range(step.runs):
            yield from step.events


@dataclass(slots=True)
class LiveBytes:
    """Live bytes over the run."""

    base: int
    peak: int
    #: Bytes of storages first seen inside the region, and their number.
    allocated: int
    storages: int
    at_end: int


def live_bytes(trace: Trace) -> LiveBytes:
    """Base, peak and end of the sum of live storages."""
    storages = trace.tables.storages
    base = sum(storage.bytes for storage in storages if storage.preexisting)
    live = peak = base
    allocated = count = 0
    for event in events_as_run(trace):
        if isinstance(event, Alloc):
            size = storages[event.storage].bytes
            live += size
            allocated += size
            count += 1
            peak = max(peak, live)
        elif isinstance(event, Free):
            live -= storages[event.storage].bytes
    return LiveBytes(base, peak, allocated, count, live)


def alive_after_phase(trace: Trace, phase: str) -> int:
    """Bytes made inside the first run of `phase` and alive at its end."""
    storages = trace.tables.storages
    for step in trace.steps:
        inside = _events_of_phase(step.events, phase)
        if inside:
            made = {event.storage for event in inside if isinstance(event, Alloc)}
            gone = {event.storage for event in inside if isinstance(event, Free)}
            return sum(storages[storage].bytes for storage in made - gone)
    return 0


def _events_of_phase(events: Iterable[Event], phase: str) -> list[Event]:
    inside: list[Event] = []
    current = ""
    for event in events:
        if isinstance(event, Phase):
            if current == phase:
                break
            current = event.name
        elif current == phase:
            inside.append(event)
    return inside


def total_of_phase(trace: Trace, phase: str) -> Sums:
    """Sums of one phase over all steps as run."""
    total = Sums()
    for step in trace.steps:
        found = step_figures(trace.tables, step).by_phase.get(phase)
        if found is not None:
            total.merge(found, step.runs)
    return total
