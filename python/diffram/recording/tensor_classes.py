"""The class of each storage, known only when the whole capture has been seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from diffram.recording.storage_ledger import StorageRecord
from diffram.recording.trace_model import Event, Function, Op


@dataclass(slots=True)
class MarkedStorages:
    """Storages whose class the caller or torch told us, by class."""

    by_class: dict[str, set[int]] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    module: dict[int, int] = field(default_factory=dict)

    def add(self, tensor_class: str, storage: int, name: str = "", module: int = -1) -> None:
        self.by_class.setdefault(tensor_class, set()).add(storage)
        if name:
            self.names.setdefault(storage, name)
        if module >= 0:
            self.module.setdefault(storage, module)

    def holds(self, tensor_class: str, storage: int) -> bool:
        return storage in self.by_class.get(tensor_class, ())


@dataclass(slots=True)
class _Readers:
    backward: set[int] = field(default_factory=set)
    recompute: set[int] = field(default_factory=set)
    casts: set[int] = field(default_factory=set)


_TOLD = ("parameter", "buffer", "optimizer_state", "gradient", "ema", "input")


def classify(
    records: list[StorageRecord],
    events: Iterable[Event],
    functions: list[Function],
    marked: MarkedStorages,
) -> list[str]:
    """Class of each storage; the first rule that fits decides (`trace_model.CLASSES` order)."""
    readers = _readers(events, functions, marked)
    return [_class_of(identity, record, readers, marked) for identity, record in enumerate(records)]


def _readers(
    events: Iterable[Event], functions: list[Function], marked: MarkedStorages
) -> _Readers:
    readers = _Readers()
    parameters = marked.by_class.get("parameter", set())
    for event in events:
        if not isinstance(event, Op):
            continue
        if event.pass_ == "b":
            readers.backward.update(use.storage for use in event.reads)
        elif event.pass_ == "r":
            readers.recompute.update(use.storage for use in event.reads)
        if functions[event.function].name.startswith("aten._to_copy") and any(
            use.storage in parameters for use in event.reads
        ):
            readers.casts.update(use.storage for use in event.writes)
    return readers


def _class_of(
    identity: int, record: StorageRecord, readers: _Readers, marked: MarkedStorages
) -> str:
    for tensor_class in _TOLD:
        if marked.holds(tensor_class, identity):
            return tensor_class
    if identity in readers.casts:
        return "weight_cast"
    made = record.made_in
    if made == "r" and identity in readers.backward:
        return "recomputed_activation"
    if made == "f" and (identity in readers.backward or identity in readers.recompute):
        return "activation"
    if made in ("b", "g"):
        return "activation_gradient"
    return "external" if record.external else "temporary"
