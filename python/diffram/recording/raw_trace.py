"""Events as they come in, with the recorder's own storage numbers, cut into steps."""

from __future__ import annotations

from dataclasses import dataclass, field

from diffram.recording.trace_model import Alloc, Event, Free, Function, Op, Phase

#: Name of the phase that holds until the caller names one.
DEFAULT_PHASE = "run"


@dataclass(slots=True)
class RawStep:
    """Events of one step as run; `first_op` is the index of its first op."""

    number: int
    first_op: int
    events: list[Event] = field(default_factory=list)


class RawTrace:
    """Collects events; a phase event is written when the first event under it comes."""

    def __init__(self) -> None:
        self.steps: list[RawStep] = []
        self.functions: list[Function] = []
        self.phase = DEFAULT_PHASE
        self.next_op = 0
        self.peak_live_bytes = 0
        self.recording = False
        self._step = RawStep(0, 0)
        self._written_phase: str | None = None
        self._function_ids: dict[Function, int] = {}
        self._names: dict[str, int] = {}

    @property
    def step(self) -> int:
        return self._step.number

    @property
    def is_empty(self) -> bool:
        """True until the first event: what is known by then was alive before the capture."""
        return not self.steps and not self._step.events

    def function(self, function: Function) -> int:
        known = self._function_ids.get(function)
        if known is None:
            known = len(self.functions)
            self._function_ids[function] = known
            self.functions.append(function)
        return known

    def name(self, name: str) -> int:
        return self._names.setdefault(name, len(self._names))

    def alloc(self, storage: int, live_bytes: int) -> None:
        self._append(Alloc(storage))
        self.peak_live_bytes = max(self.peak_live_bytes, live_bytes)

    def free(self, storage: int) -> None:
        if self.recording:
            self._append(Free(storage), opens_phase=not self._step.events)

    def op(self, op: Op) -> None:
        self._append(op)
        self.next_op += 1

    def end_step(self) -> None:
        if not self._step.events:
            return
        _sort_runs_of_frees(self._step.events)
        self.steps.append(self._step)
        self._step = RawStep(self._step.number + 1, self.next_op)
        self._written_phase = None

    def _append(self, event: Event, *, opens_phase: bool = True) -> None:
        # A release between two phases is billed to the phase before it.
        if opens_phase and self._written_phase != self.phase:
            self._step.events.append(Phase(self.phase, self._step.number))
            self._written_phase = self.phase
        self._step.events.append(event)


def _sort_runs_of_frees(events: list[Event]) -> None:
    """Orders each unbroken run of releases by storage number.

    Some runs come in the order of a hash of pointers (autocast's weight cache),
    which differs between two processes; nothing can happen between two of them.
    """
    start = 0
    while start < len(events):
        if not isinstance(events[start], Free):
            start += 1
            continue
        end = start
        while end < len(events) and isinstance(events[end], Free):
            end += 1
        events[start:end] = sorted(events[start:end], key=_freed)
        start = end


def _freed(event: Event) -> int:
    assert isinstance(event, Free)
    return event.storage
