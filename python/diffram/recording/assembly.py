"""From raw events to the trace: classes, folding, dense numbers."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from diffram.recording.raw_trace import RawTrace
from diffram.recording.step_folding import fold
from diffram.recording.storage_ledger import StorageRecord
from diffram.recording.tensor_classes import MarkedStorages, classify
from diffram.recording.trace_model import (
    Alloc,
    Event,
    Free,
    Module,
    Op,
    Phase,
    Replay,
    Storage,
    StoredStep,
    Tables,
    Trace,
    Use,
)


@dataclass(slots=True)
class Captured:
    """Everything a recorder knows when it is closed."""

    raw: RawTrace
    records: list[StorageRecord]
    modules: list[Module]
    marked: MarkedStorages
    facts: dict[str, Any]


def assemble(captured: Captured) -> Trace:
    """The trace as it is written: every id dense and in order of first appearance."""
    raw = captured.raw
    classes = classify(
        captured.records,
        chain.from_iterable(step.events for step in raw.steps),
        raw.functions,
        captured.marked,
    )
    storages = [_storage(captured, identity, classes[identity]) for identity in range(len(classes))]

    def describe(identity: int) -> Hashable:
        return storages[identity]

    stored, standing_for = fold(raw.steps, describe)
    numbering = _Numbering(captured, storages, standing_for)
    steps = [numbering.step(step) for step in stored]
    return Trace(numbering.tables(), steps, captured.facts)


def _storage(captured: Captured, identity: int, tensor_class: str) -> Storage:
    record, marked = captured.records[identity], captured.marked
    module = marked.module.get(identity, record.module)
    name = marked.names.get(identity, "")
    return Storage(record.bytes, tensor_class, record.preexisting, module, name)


class _Numbering:
    """Dense numbers for ops, functions, modules and storages, given as they appear."""

    def __init__(
        self, captured: Captured, storages: list[Storage], standing_for: dict[int, int]
    ) -> None:
        self._captured = captured
        self._all = storages
        self._standing_for = standing_for
        self._storages: dict[int, int] = {}
        self._functions: dict[int, int] = {}
        self._modules: dict[int, int] = {}
        self._ops: dict[int, int] = {}
        for identity, storage in enumerate(storages):
            if storage.preexisting:
                self._storage(identity)

    def step(self, step: StoredStep) -> StoredStep:
        events = [self._event(event) for event in step.events]
        if step.replay is None:
            return StoredStep(events)
        carry = tuple(
            (self._storage(after), self._storage(before)) for after, before in step.replay.carry
        )
        return StoredStep(events, Replay(step.replay.step, step.replay.times, carry))

    def tables(self) -> Tables:
        storages = [
            replace(self._all[identity], module=self._module(self._all[identity].module))
            for identity in self._storages
        ]
        modules = [
            replace(module, up=self._modules.get(module.up, -1))
            for module in (self._captured.modules[identity] for identity in self._modules)
        ]
        functions = [self._captured.raw.functions[identity] for identity in self._functions]
        return Tables(modules, functions, storages)

    def _event(self, event: Event) -> Event:
        if isinstance(event, Alloc):
            return Alloc(self._storage(event.storage))
        if isinstance(event, Free):
            return Free(self._storage(event.storage))
        if isinstance(event, Op):
            return self._op(event)
        assert isinstance(event, Phase)
        return event

    def _op(self, op: Op) -> Op:
        index = self._ops.setdefault(op.index, len(self._ops))
        return Op(
            index,
            self._functions.setdefault(op.function, len(self._functions)),
            self._module(op.module),
            op.pass_,
            tuple(self._use(use) for use in op.reads),
            tuple(self._use(use) for use in op.writes),
            op.macs,
            op.attributes,
            None if op.forward is None else self._ops.get(op.forward),
        )

    def _use(self, use: Use) -> Use:
        return use._replace(storage=self._storage(use.storage))

    def _storage(self, identity: int) -> int:
        stored = self._standing_for.get(identity, identity)
        return self._storages.setdefault(stored, len(self._storages))

    def _module(self, identity: int) -> int:
        if identity < 0:
            return -1
        if identity not in self._modules:
            self._module(self._captured.modules[identity].up)
            self._modules[identity] = len(self._modules)
        return self._modules[identity]
