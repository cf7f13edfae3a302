"""The tensor trace as plain data: tables, events, steps.

This is the neutral form between the recorder (which needs torch) and the file
(which does not). `docs/tensor-trace.md` is its reference.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

#: Position in this list is the dtype code of a tensor use; the number is bytes per element.
DTYPES: tuple[tuple[str, int], ...] = (
    ("float32", 4),
    ("float64", 8),
    ("float16", 2),
    ("bfloat16", 2),
    ("int64", 8),
    ("int32", 4),
    ("int16", 2),
    ("int8", 1),
    ("uint8", 1),
    ("bool", 1),
    ("complex64", 8),
    ("complex128", 16),
    ("float8_e4m3fn", 1),
    ("float8_e5m2", 1),
    ("uint16", 2),
    ("uint32", 4),
    ("uint64", 8),
    ("complex32", 4),
)
DTYPE_CODE = {name: code for code, (name, _) in enumerate(DTYPES)}
ITEM_BYTES = tuple(size for _, size in DTYPES)

KINDS = (
    "conv",
    "mm",
    "attn",
    "softmax",
    "norm",
    "elt",
    "reduce",
    "copy",
    "cat",
    "gather",
    "opt",
    "other",
)

CLASSES = (
    "parameter",
    "buffer",
    "optimizer_state",
    "gradient",
    "ema",
    "input",
    "weight_cast",
    "recomputed_activation",
    "activation",
    "activation_gradient",
    "external",
    "temporary",
)

#: f forward, b backward, r recomputed forward, g AccumulateGrad, o optimizer.
PASSES = ("f", "b", "r", "g", "o")

Roles = tuple[tuple[str, int], ...]


class Use(NamedTuple):
    """One view of a storage as an op saw it; `offset` in bytes, `strides` in elements."""

    storage: int
    offset: int
    dtype: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]


def use_bytes(use: Use) -> int:
    """Bytes the view touches; an expanded dimension (stride 0) counts once."""
    count = ITEM_BYTES[use.dtype]
    for size, stride in zip(use.sizes, use.strides, strict=True):
        if stride != 0:
            count *= size
    return count


@dataclass(frozen=True, slots=True)
class Module:
    """A place in the module tree; `up` is the parent's id or -1."""

    up: int
    path: str
    type: str


@dataclass(frozen=True, slots=True)
class Function:
    """An ATen overload in one calling form: which arguments the read and write lists hold."""

    name: str
    kind: str
    reads: Roles
    writes: Roles


@dataclass(frozen=True, slots=True)
class Storage:
    bytes: int
    tensor_class: str
    preexisting: bool
    module: int
    name: str = ""


@dataclass(slots=True)
class Phase:
    name: str
    step: int


@dataclass(slots=True)
class Alloc:
    storage: int


@dataclass(slots=True)
class Free:
    storage: int


@dataclass(slots=True)
class Op:
    index: int
    function: int
    module: int
    pass_: str
    reads: tuple[Use, ...]
    writes: tuple[Use, ...]
    macs: int = 0
    attributes: Mapping[str, Any] = field(default_factory=dict)
    forward: int | None = None


@dataclass(slots=True)
class Replay:
    """The stored step before this event runs `times` more times.

    `carry` lists (after, before): in each repetition the storage that the
    repetition before called `after` takes the part of `before`.
    """

    step: int
    times: int
    carry: tuple[tuple[int, int], ...]


Event = Phase | Alloc | Free | Op | Replay


@dataclass(slots=True)
class Tables:
    modules: list[Module] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    storages: list[Storage] = field(default_factory=list)


@dataclass(slots=True)
class StoredStep:
    """One step as stored, and how often it runs after the first time."""

    events: list[Event]
    replay: Replay | None = None

    @property
    def runs(self) -> int:
        return 1 + (self.replay.times if self.replay else 0)


@dataclass(slots=True)
class Trace:
    """A whole trace in memory. `facts` holds the free header fields (torch, batch and so on)."""

    tables: Tables
    steps: list[StoredStep]
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Totals:
    """Sums over all steps as run (replays counted)."""

    read: int = 0
    write: int = 0
    macs: int = 0
    ops: int = 0

    def add(self, op: Op, times: int = 1) -> None:
        self.read += times * sum(map(use_bytes, op.reads))
        self.write += times * sum(map(use_bytes, op.writes))
        self.macs += times * op.macs
        self.ops += times


def totals_of(trace: Trace) -> Totals:
    totals = Totals()
    for step in trace.steps:
        for event in step.events:
            if isinstance(event, Op):
                totals.add(event, step.runs)
    return totals
