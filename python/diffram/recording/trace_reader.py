"""Reads a trace, one line at a time, and checks it while reading. Needs no torch.

    with stream_trace("sd14-train.dft.zst", images=4) as reader:
        reader.facts, reader.tables
        for event in reader.events(): ...

Whatever is wrong with a file ends in one `TraceError` that names file and line.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

from diffram.recording import trace_parsing
from diffram.recording.trace_model import (
    Alloc,
    Event,
    Free,
    Op,
    Phase,
    Replay,
    Storage,
    StoredStep,
    Tables,
    Totals,
    Trace,
)
from diffram.recording.trace_parsing import BadLineError
from diffram.recording.zstd_frame import MAGIC, FrameReader

MAJOR_VERSION = 1
#: A line of the fused optimizer holds 3,430 views; nothing sensible is longer.
LONGEST_LINE = 16 * 1024 * 1024
_COUNTS = ("modules", "fns", "storages", "ops", "stored_steps", "steps")


class TraceError(ValueError):
    """A file that is no whole trace; the text says where and what was expected."""


class TraceReader:
    """A trace being read: header and tables at once, events as they come."""

    def __init__(self, path: str | os.PathLike[str], images: int | None = None) -> None:
        self._path = Path(path)
        self._line = 0
        self._resources = ExitStack()
        self._stream = self._open()
        try:
            header = self._header()
            self.facts = {k: v for k, v in header.items() if k not in ("e", "v", *_COUNTS)}
            self.counts = {name: header[name] for name in _COUNTS}
            self._distance = self._distance_to(images)
            self.tables = self._tables()
        except BaseException:
            self._resources.close()
            raise
        self._live = {i for i, s in enumerate(self.tables.storages) if s.preexisting}

    def __enter__(self) -> TraceReader:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _where: TracebackType | None,
    ) -> None:
        self._resources.close()

    def events(self) -> Iterator[Event]:
        """All stored events in order; raises at the end if the file's own totals do not hold."""
        checks = _StepChecks()
        totals, step_totals = Totals(), Totals()
        count = ops = 0
        while True:
            line = self._next("an event or the end")
            kind = line["e"]
            if kind == "end":
                _merge(totals, step_totals, 1)
                self._check_end(line, count, ops, checks, totals)
                return
            event = self._parse(kind, line, ops)
            count += 1
            if isinstance(event, Op):
                ops += 1
                step_totals.add(event)
            self._require_alive(event)
            problem = checks.see(event)
            if problem:
                raise self._error(problem)
            if isinstance(event, Phase) and checks.opened_step:
                _merge(totals, step_totals, 1)
                step_totals = Totals()
            elif isinstance(event, Replay):
                _merge(totals, step_totals, event.times)
            yield event

    # ---- lines

    def _open(self) -> Any:
        try:
            raw = self._resources.enter_context(self._path.open("rb"))
        except OSError as error:
            raise TraceError(f"{self._path}: cannot be opened: {error.strerror}") from error
        magic = raw.read(4)
        raw.seek(0)
        return io.BufferedReader(FrameReader(raw)) if magic == MAGIC else raw

    def _next(self, expected: str) -> dict[str, Any]:
        self._line += 1
        text = self._read_line()
        if not text:
            raise self._error(f"the file ends here; expected {expected}")
        if not text.endswith(b"\n"):
            raise self._error("the line is cut off; the file is not whole")
        try:
            line = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self._error(f"no JSON: {error}") from error
        if not isinstance(line, dict) or not isinstance(line.get("e"), str):
            raise self._error('expected an object with "e"')
        return line

    def _read_line(self) -> bytes:
        try:
            line: bytes = self._stream.readline(LONGEST_LINE)
        except Exception as error:  # zstandard's own error type is not importable without it
            raise self._error(f"the compressed data is damaged: {error}") from error
        return line

    def _error(self, problem: str) -> TraceError:
        return TraceError(f"{self._path}:{self._line}: {problem}")

    # ---- header and tables

    def _header(self) -> dict[str, Any]:
        header = self._next("the header")
        if header["e"] != "trace":
            raise self._error(f'expected "e":"trace" first, found "{header["e"]}"')
        version = header.get("v")
        if not (isinstance(version, list) and version and version[0] == MAJOR_VERSION):
            raise self._error(f"version {version} is not readable; expected {MAJOR_VERSION}.x")
        for name in _COUNTS:
            if not trace_parsing.is_count(header.get(name)):
                raise self._error(f'header field "{name}" is missing or no count')
        return header

    def _distance_to(self, images: int | None) -> int:
        affine = self.facts.get("affine")
        if affine is None:
            own = self.facts.get("images")
            if images is not None and images != own:
                raise self._error(f"the trace is for {own} images only, not {images}")
            return 0
        well_formed = isinstance(affine, list) and len(affine) == 2
        if not well_formed or not all(trace_parsing.is_count(number) for number in affine):
            raise self._error('header field "affine" must be two counts')
        if images is None:
            return 0
        if images < affine[0]:
            raise self._error(f"the trace holds from {affine[0]} images, not for {images}")
        return int(images - affine[0])

    def _tables(self) -> Tables:
        tables = Tables()
        for at in range(self.counts["modules"]):
            tables.modules.append(self._table_line("mod", at, trace_parsing.module))
        for at in range(self.counts["fns"]):
            tables.functions.append(self._table_line("fn", at, trace_parsing.function))
        for at in range(self.counts["storages"]):
            tables.storages.append(self._table_line("sto", at, self._storage))
        return tables

    def _table_line(self, kind: str, identity: int, parse: Any) -> Any:
        line = self._next(f'"{kind}" {identity}')
        if line["e"] != kind or line.get("id") != identity:
            found = f'"{line["e"]}" {line.get("id")}'
            raise self._error(f'expected "{kind}" {identity}, found {found}')
        return self._guarded(parse, line)

    def _storage(self, line: dict[str, Any]) -> Storage:
        return trace_parsing.storage(line, self._distance)

    def _guarded(self, parse: Any, *arguments: Any) -> Any:
        try:
            return parse(*arguments)
        except BadLineError as error:
            raise self._error(str(error)) from error

    # ---- events

    def _parse(self, kind: str, line: dict[str, Any], ops: int) -> Event:
        event: Event = self._guarded(
            trace_parsing.event, kind, line, self.tables, ops, self._distance
        )
        return event

    def _require_alive(self, event: Event) -> None:
        live = self._live
        if isinstance(event, Op):
            for use in (*event.reads, *event.writes):
                if use.storage not in live:
                    raise self._error(f"op {event.index} uses storage {use.storage}, not alive")
        elif isinstance(event, Alloc):
            if event.storage in live:
                raise self._error(f"storage {event.storage} is allocated while alive")
            live.add(event.storage)
        elif isinstance(event, Free):
            if event.storage not in live:
                raise self._error(f"storage {event.storage} is freed while not alive")
            live.remove(event.storage)
        elif isinstance(event, Replay):
            for after, before in event.carry:
                if after not in live or before in live:
                    raise self._error(f"replay carries {after} for {before}: wrong lifetimes")

    def _check_end(
        self, line: dict[str, Any], count: int, ops: int, checks: _StepChecks, totals: Totals
    ) -> None:
        found = {
            "events": count,
            "read": totals.read,
            "write": totals.write,
            "mac": totals.macs,
            "ops": totals.ops,
        }
        stated = self._guarded(trace_parsing.end, line, self._distance)
        for name, value in found.items():
            if stated[name] != value:
                raise self._error(f'"end" states {name} {stated[name]}, the events give {value}')
        counted = {"ops": ops, "stored_steps": checks.stored, "steps": checks.steps}
        for name, value in counted.items():
            if self.counts[name] != value:
                raise self._error(f"the header states {name} {self.counts[name]}, found {value}")
        self._line += 1
        if self._read_line():
            raise self._error('nothing may follow "end"')


class _StepChecks:
    """Order of phases, steps and replays."""

    def __init__(self) -> None:
        self.stored = 0
        self.steps = 0
        self.opened_step = False
        self._number: int | None = None
        self._replayed = False

    def see(self, event: Event) -> str | None:
        self.opened_step = False
        if isinstance(event, Phase):
            if event.step == self._number:
                return "a phase of the same step follows its replay" if self._replayed else None
            if event.step != self.steps:
                return f"expected step {self.steps}, found {event.step}"
            self._number, self._replayed, self.opened_step = event.step, False, True
            self.stored += 1
            self.steps += 1
        elif isinstance(event, Replay):
            if self._number is None or self._replayed or event.step != self.steps:
                return "a replay must follow a stored step and name the step after it"
            self._replayed = True
            self.steps += event.times
        elif self._number is None or self._replayed:
            return "an event outside a step"
        return None


def _merge(totals: Totals, part: Totals, times: int) -> None:
    totals.read += times * part.read
    totals.write += times * part.write
    totals.macs += times * part.macs
    totals.ops += times * part.ops


def stream_trace(path: str | os.PathLike[str], images: int | None = None) -> TraceReader:
    """Opens a trace for reading event by event; `images` evaluates an affine trace there."""
    return TraceReader(path, images)


def read_trace(path: str | os.PathLike[str], images: int | None = None) -> Trace:
    """The whole trace in memory."""
    with TraceReader(path, images) as reader:
        steps: list[StoredStep] = []
        number: int | None = None
        for event in reader.events():
            if isinstance(event, Phase) and event.step != number:
                number = event.step
                steps.append(StoredStep([]))
            if isinstance(event, Replay):
                steps[-1].replay = event
            else:
                steps[-1].events.append(event)
        return Trace(reader.tables, steps, dict(reader.facts))
