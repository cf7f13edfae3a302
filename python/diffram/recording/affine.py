"""One trace for all batches: every number is `value + slope * (images - first)`.

Two captures give the slopes, a third checks them. That works where the program
has the same structure at every batch; where it has not (batch 1, sliced
attention) the refusal names the first line that differs.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import zip_longest

from diffram.recording import trace_lines
from diffram.recording.trace_model import (
    Event,
    Op,
    Replay,
    Storage,
    Totals,
    Trace,
    totals_of,
)
from diffram.recording.trace_writer import write_trace


class NotAffineError(ValueError):
    """The captures differ in structure, or a number does not follow a line."""


class BatchSlopes:
    """Slopes of every number between two traces of equal structure."""

    def __init__(self, low: Trace, high: Trace, distance: int) -> None:
        self._distance = distance
        self._storages = [
            self._slope(f"storage {at}", a, b)
            for at, (a, b) in enumerate(zip(low.tables.storages, high.tables.storages, strict=True))
        ]
        self._ops = [
            self._slope(f"op {a.index}", a, b)
            for a, b in zip(_events(low), _events(high), strict=True)
            if isinstance(a, Op)
        ]
        self._totals = self._slope("end", totals_of(low), totals_of(high))

    def of_storage(self, identity: int) -> list[int]:
        return self._storages[identity]

    def of_op(self, index: int) -> list[int]:
        return self._ops[index]

    def of_totals(self) -> list[int]:
        return self._totals

    def _slope(
        self, what: str, low: Storage | Event | Totals, high: Storage | Event | Totals
    ) -> list[int]:
        slopes: list[int] = []
        for a, b in zip(
            trace_lines.batch_numbers(low), trace_lines.batch_numbers(high), strict=True
        ):
            slope, rest = divmod(b - a, self._distance)
            if rest:
                raise NotAffineError(f"{what}: {a} and {b} have no whole slope per image")
            slopes.append(slope)
        return slopes


def parametric(
    fn: Callable[[int], Trace],
    batches: tuple[int, int] = (2, 3),
    check: int = 4,
    path: str | os.PathLike[str] | None = None,
) -> tuple[Trace, BatchSlopes]:
    """Captures `fn(images)` at two batches and checks the line through them at a third.

    Batches are numbers of images. `fn` returns the trace of a capture (`rec.trace`).
    With `path` the affine trace is written there. Raises NotAffineError, naming the
    first line that differs.
    """
    low, high = fn(batches[0]), fn(batches[1])
    require_same_structure(low, high, batches)
    slopes = BatchSlopes(low, high, batches[1] - batches[0])
    checked = fn(check)
    require_same_structure(low, checked, (batches[0], check))
    _require_prediction(low, checked, slopes, check - batches[0])
    low.facts["affine"] = list(batches)
    if path is not None:
        write_trace(path, low, slopes)
    return low, slopes


def require_same_structure(low: Trace, high: Trace, batches: tuple[int, int]) -> None:
    """Raises NotAffineError at the first line that differs in more than its numbers."""
    tables, others = low.tables, high.tables
    for name, ours, theirs in (
        ("module", tables.modules, others.modules),
        ("function", tables.functions, others.functions),
        ("storage", _shape_free(tables.storages), _shape_free(others.storages)),
    ):
        for at, (a, b) in enumerate(zip_longest(ours, theirs)):
            if a != b:
                raise NotAffineError(_difference(f"{name} {at}", a, b, batches))
    for at, (a, b) in enumerate(zip_longest(_events(low), _events(high))):
        if a is None or b is None or _structure(a) != _structure(b):
            where = f"event {at}"
            if isinstance(a, Op):
                where = f"op {a.index} ({tables.functions[a.function].name})"
            raise NotAffineError(_difference(where, a, b, batches))


def _difference(where: str, low: object, high: object, batches: tuple[int, int]) -> str:
    return (
        f"the program has another structure at batch {batches[1]} than at {batches[0]}: "
        f"first difference at {where}: {low} against {high}; capture each batch by itself"
    )


def _events(trace: Trace) -> list[Event]:
    return [
        event
        for step in trace.steps
        for event in (*step.events, *([step.replay] if step.replay else []))
    ]


def _shape_free(storages: list[Storage]) -> list[tuple[object, ...]]:
    return [(s.tensor_class, s.preexisting, s.module, s.name) for s in storages]


def _structure(event: Event) -> object:
    if isinstance(event, Op):
        uses = [(u.storage, u.dtype, len(u.sizes)) for u in (*event.reads, *event.writes)]
        attributes = trace_lines.attribute_structure(event.attributes)
        return (event.function, event.module, event.pass_, uses, attributes, event.forward)
    if isinstance(event, Replay):
        return (event.step, event.times, event.carry)
    return trace_lines.event_line(event)


def _require_prediction(low: Trace, actual: Trace, slopes: BatchSlopes, distance: int) -> None:
    for at, (a, b) in enumerate(zip(low.tables.storages, actual.tables.storages, strict=True)):
        _require_numbers(f"storage {at}", a, b, slopes.of_storage(at), distance)
    for event, real in zip(_events(low), _events(actual), strict=True):
        if isinstance(event, Op):
            slope = slopes.of_op(event.index)
            _require_numbers(f"op {event.index}", event, real, slope, distance)
    _require_numbers("end", totals_of(low), totals_of(actual), slopes.of_totals(), distance)


def _require_numbers(
    where: str,
    low: Storage | Event | Totals,
    actual: Storage | Event | Totals,
    slope: list[int],
    distance: int,
) -> None:
    numbers = trace_lines.batch_numbers(low)
    predicted = [a + s * distance for a, s in zip(numbers, slope, strict=True)]
    measured = trace_lines.batch_numbers(actual)
    if predicted != measured:
        raise NotAffineError(f"{where}: predicted {predicted}, captured {measured}")
