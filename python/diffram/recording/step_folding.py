"""Stores equal steps once.

Two neighbouring steps are equal when their events are, after renaming: a
storage made in the step is known by its place in the step, one that came over
from the step before and is released here by its place there, any other by its
number. Module, view,
class, size, order of releases and the forward op of a backward op all count.
One thing does not: which single element of a table that outlives the step is
read (a scheduler reads the entry of its time step); the first step's is stored.

If a chain of equal steps carries a storage over (the latents of a sampling
loop), the repetition must know who takes whose part: that is `Replay.carry`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from diffram.recording.raw_trace import RawStep
from diffram.recording.trace_model import (
    ITEM_BYTES,
    Alloc,
    Event,
    Free,
    Op,
    Phase,
    Replay,
    StoredStep,
    Use,
    use_bytes,
)

Describe = Callable[[int], Hashable]


def fold(steps: list[RawStep], describe: Describe) -> tuple[list[StoredStep], dict[int, int]]:
    """Folds runs of equal steps; `describe` gives what must agree between two storages.

    The second result names, for each storage of a step that was left out, the
    storage of the stored step whose part it had.
    """
    stored: list[StoredStep] = []
    standing_for: dict[int, int] = {}
    first: _Canonical | None = None
    previous: _Canonical | None = None
    for step in steps:
        current = _Canonical(step, describe)
        if first is not None and previous is not None and current.repeats(previous):
            places = current.places_in(previous)
            carry = tuple(
                (first.made[place], storage)
                for place, storage in zip(places, first.carried, strict=True)
            )
            replay = stored[-1].replay or Replay(step.number, 0, carry)
            if replay.carry == carry:
                replay.times += 1
                stored[-1].replay = replay
                standing_for.update(zip(current.made, first.made, strict=True))
                previous = current
                continue
        stored.append(StoredStep(step.events))
        first = previous = current
    return stored, standing_for


class _Canonical:
    """A step with storages renamed by their part in it."""

    def __init__(self, step: RawStep, describe: Describe) -> None:
        self.made = [event.storage for event in step.events if isinstance(event, Alloc)]
        self.freed = {event.storage for event in step.events if isinstance(event, Free)}
        #: Storages that came over from an earlier step and are released in this one.
        self.carried: list[int] = []
        self._made_place = {storage: at for at, storage in enumerate(self.made)}
        self._carried_place: dict[int, int] = {}
        self._describe = describe
        self._first_op = step.first_op
        self.events = [self._canonical(event) for event in step.events]

    def repeats(self, before: _Canonical) -> bool:
        """True if this step is `before` again and can be told by a replay of it."""
        if self.events != before.events:
            return False
        if not all(storage in before._made_place for storage in self.carried):
            return False
        # One that outlives the next step would lose its name in a repetition.
        return set(before.made) - before.freed <= self.freed

    def places_in(self, before: _Canonical) -> list[int]:
        """Where in the step before each carried storage was made."""
        return [before._made_place[storage] for storage in self.carried]

    def _place(self, storage: int) -> tuple[Hashable, ...]:
        made = self._made_place.get(storage)
        if made is not None:
            return ("made", made, self._describe(storage))
        # What came over and stays (parameters, optimizer state) is one storage for all steps.
        if storage not in self.freed:
            return ("outer", storage)
        if storage not in self._carried_place:
            self._carried_place[storage] = len(self.carried)
            self.carried.append(storage)
        return ("carried", self._carried_place[storage], self._describe(storage))

    def _use(self, use: Use) -> Hashable:
        place = self._place(use.storage)
        if place[0] == "outer" and use_bytes(use) == ITEM_BYTES[use.dtype]:
            return (place, use.dtype, use.sizes, use.strides)
        return (place, *use[1:])

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
