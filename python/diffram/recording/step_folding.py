"""Stores equal steps once.

Two neighbouring steps are equal when their events are, after renaming: a
storage made in the step is known by its place in the step, one that came over
from the step before and is released here by its place there, any other by its
number. Module, view,
class, size, order of releases and the forward op of a backward op all count.

If a chain of equal steps carries a storage over (the latents of a sampling
loop), the repetition must know who takes whose part: that is `Replay.carry`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from diffram.recording.raw_trace import RawStep
from diffram.recording.trace_model import (
    Alloc,
    Event,
    Free,
    Op,
    Phase,
    Replay,
    StoredStep,
    Use,
)

Describe = Callable[[int], Hashable]


def fold(steps: list[RawStep], describe: Describe) -> tuple[list[StoredStep], dict[int, int]]:
    """Folds runs of equal steps; `describe` gives what must agree between two storages.

    The second result names, for each storage of a step that was left out, the
    storage of the stored step whose part it had.
    """
    stored: list[StoredStep] = []
    standing_for: dict[int, int] = {}
    kept: list[int] = []
    previous: _Canonical | None = None
    for at, step in enumerate(steps):
        before = steps[at - 1] if at else None
        current = _Canonical(step, before, describe)
        if previous is not None and current.equals(previous):
            last = stored[-1]
            if last.replay is None:
                carry = current.carry_from(previous)
                last.replay = Replay(step.number, 0, carry)
            last.replay.times += 1
            standing_for.update(zip(current.made, kept, strict=True))
        else:
            stored.append(StoredStep(step.events))
            kept = current.made
        previous = current
    return stored, standing_for


class _Canonical:
    """A step with storages renamed by their part in it."""

    def __init__(self, step: RawStep, before: RawStep | None, describe: Describe) -> None:
        self.made = _made_in(step)
        self._places = {storage: ("made", at) for at, storage in enumerate(self.made)}
        self.freed = {event.storage for event in step.events if isinstance(event, Free)}
        # What came over and stays (optimizer state) is one storage for all steps.
        carried = _made_in(before) if before else []
        self._carried = {
            storage: at for at, storage in enumerate(carried) if storage in self.freed
        }
        self._describe = describe
        self._first_op = step.first_op
        self.uses_carried: dict[int, int] = {}
        self.events = [self._canonical(event) for event in step.events]

    def equals(self, other: _Canonical) -> bool:
        if self.events != other.events:
            return False
        # One that outlives the next step would lose its name in a repetition.
        survivors = set(other.made) - other.freed
        return survivors <= self.freed

    def carry_from(self, stored: _Canonical) -> tuple[tuple[int, int], ...]:
        """(after, before) pairs for the stored step, from the places that carried storages have."""
        return tuple(
            (stored.made[place], storage) for storage, place in sorted(stored.uses_carried.items())
        )

    def _place(self, storage: int) -> Hashable:
        made = self._places.get(storage)
        if made is not None:
            return (*made, self._describe(storage))
        carried = self._carried.get(storage)
        if carried is not None:
            self.uses_carried[storage] = carried
            return ("carried", carried, self._describe(storage))
        return ("outer", storage)

    def _use(self, use: Use) -> Hashable:
        return (self._place(use.storage), *use[1:])

    def _canonical(self, event: Event) -> Hashable:
        if isinstance(event, Alloc):
            return ("alloc", self._place(event.storage))
        if isinstance(event, Free):
            return ("free", self._place(event.storage))
        if isinstance(event, Phase):
            return ("phase", event.name)
        assert isinstance(event, Op)
        return (
            event.function,
            event.module,
            event.pass_,
            tuple(self._use(use) for use in event.reads),
            tuple(self._use(use) for use in event.writes),
            event.macs,
            repr(event.attributes),
            None if event.forward is None else event.forward - self._first_op,
        )


def _made_in(step: RawStep) -> list[int]:
    return [event.storage for event in step.events if isinstance(event, Alloc)]
