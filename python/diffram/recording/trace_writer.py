"""Writes a trace: header, tables, events, end; one line at a time."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from diffram.recording import trace_lines
from diffram.recording.trace_lines import Line
from diffram.recording.trace_model import Event, Op, Storage, Totals, Trace, totals_of

VERSION = (1, 0)
#: Highest level of the standard range: the shipped traces are read far more often than made.
COMPRESSION_LEVEL = 19


class Slopes(Protocol):
    """What an affine trace adds to a line."""

    def of_storage(self, identity: int) -> list[int]: ...

    def of_op(self, index: int) -> list[int]: ...

    def of_totals(self) -> list[int]: ...


class _NoSlopes:
    def of_storage(self, identity: int) -> list[int]:
        return []

    def of_op(self, index: int) -> list[int]:
        return []

    def of_totals(self) -> list[int]:
        return []


def lines_of(trace: Trace, slopes: Slopes | None = None) -> Iterator[str]:
    """The lines of the file, without line ends."""
    slope = slopes or _NoSlopes()
    yield trace_lines.text(_header(trace))
    for identity, module in enumerate(trace.tables.modules):
        yield trace_lines.text(trace_lines.module_line(identity, module))
    for identity, function in enumerate(trace.tables.functions):
        yield trace_lines.text(trace_lines.function_line(identity, function))
    for identity, storage in enumerate(trace.tables.storages):
        yield _with_slope(_storage(identity, storage), slope.of_storage(identity))
    events = 0
    for event in _events(trace):
        line = trace_lines.event_line(event)
        yield _with_slope(line, slope.of_op(event.index) if isinstance(event, Op) else [])
        events += 1
    totals: Totals = totals_of(trace)
    yield _with_slope(trace_lines.end_line(events, totals), slope.of_totals())


def _storage(identity: int, storage: Storage) -> Line:
    return trace_lines.storage_line(identity, storage)


def _with_slope(line: Line, slope: list[int]) -> str:
    if any(slope):
        line["d"] = slope
    return trace_lines.text(line)


def _events(trace: Trace) -> Iterator[Event]:
    for step in trace.steps:
        yield from step.events
        if step.replay:
            yield step.replay


def _header(trace: Trace) -> Line:
    stored_ops = sum(isinstance(event, Op) for step in trace.steps for event in step.events)
    header: Line = {"e": "trace", "v": list(VERSION)}
    header.update(trace.facts)
    header.update(
        modules=len(trace.tables.modules),
        fns=len(trace.tables.functions),
        storages=len(trace.tables.storages),
        ops=stored_ops,
        stored_steps=len(trace.steps),
        steps=sum(step.runs for step in trace.steps),
    )
    return header


def write_trace(path: str | os.PathLike[str], trace: Trace, slopes: Slopes | None = None) -> None:
    """Writes the trace to `path`, compressed when the name ends in `.zst`.

    The file appears whole or not at all: it is written beside its final name and renamed.
    """
    target = Path(path)
    partial = target.with_name(target.name + ".partial")
    try:
        with _open_text(partial, compressed=target.suffix == ".zst") as stream:
            for line in lines_of(trace, slopes):
                stream.write(line)
                stream.write("\n")
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def _open_text(path: Path, *, compressed: bool) -> Iterator[Any]:
    if not compressed:
        with path.open("w", encoding="utf-8", newline="\n") as plain:
            yield plain
        return
    import zstandard

    compressor = zstandard.ZstdCompressor(level=COMPRESSION_LEVEL, write_checksum=True)
    with (
        path.open("wb") as raw,
        compressor.stream_writer(raw, closefd=False) as packed,
        io.TextIOWrapper(packed, encoding="utf-8", newline="\n", write_through=False) as stream,
    ):
        yield stream
