"""One trace object to one JSON line.

Each encoder returns the object and the integers in it that may depend on the
batch, in the order in which they stand in the line. The affine trace compares
those integers between two captures; see `docs/tensor-trace.md`, "Affine".
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from diffram.recording.trace_model import (
    Alloc,
    Event,
    Free,
    Function,
    Module,
    Op,
    Phase,
    Replay,
    Roles,
    Storage,
    Totals,
    Use,
)

Line = dict[str, Any]


def text(line: Line) -> str:
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def module_line(identity: int, module: Module) -> Line:
    return {"e": "mod", "id": identity, "up": module.up, "path": module.path, "type": module.type}


def function_line(identity: int, function: Function) -> Line:
    return {
        "e": "fn",
        "id": identity,
        "name": function.name,
        "kind": function.kind,
        "reads": _role_lists(function.reads),
        "writes": _role_lists(function.writes),
    }


def _role_lists(roles: Roles) -> list[list[Any]]:
    return [[name, count] for name, count in roles]


def storage_line(identity: int, storage: Storage) -> Line:
    line: Line = {
        "e": "sto",
        "id": identity,
        "bytes": storage.bytes,
        "cls": storage.tensor_class,
        "pre": int(storage.preexisting),
        "mod": storage.module,
    }
    if storage.name:
        line["name"] = storage.name
    return line


def event_line(event: Event) -> Line:
    if isinstance(event, Op):
        return _op_line(event)
    if isinstance(event, Alloc):
        return {"e": "alloc", "s": event.storage}
    if isinstance(event, Free):
        return {"e": "free", "s": event.storage}
    if isinstance(event, Phase):
        return {"e": "phase", "n": event.name, "step": event.step}
    if isinstance(event, Replay):
        carry = [list(pair) for pair in event.carry]
        return {"e": "replay", "step": event.step, "times": event.times, "carry": carry}
    raise TypeError(f"not a trace event: {event!r}")


def _op_line(op: Op) -> Line:
    line: Line = {
        "e": "op",
        "i": op.index,
        "f": op.function,
        "m": op.module,
        "x": op.pass_,
        "r": [_use_list(use) for use in op.reads],
        "w": [_use_list(use) for use in op.writes],
    }
    if op.pass_ in "br":
        line["fw"] = op.forward
    if op.macs:
        line["mac"] = op.macs
    if op.attributes:
        line["a"] = dict(op.attributes)
    return line


def _use_list(use: Use) -> list[Any]:
    return [use.storage, use.offset, use.dtype, list(use.sizes), list(use.strides)]


def end_line(events: int, totals: Totals) -> Line:
    return {
        "e": "end",
        "events": events,
        "read": totals.read,
        "write": totals.write,
        "mac": totals.macs,
        "ops": totals.ops,
    }


def batch_numbers(value: Storage | Event | Totals) -> list[int]:
    """The integers of a line that may be affine in the batch, in reading order."""
    if isinstance(value, Storage):
        return [value.bytes]
    if isinstance(value, Totals):
        return [value.read, value.write, value.macs]
    if not isinstance(value, Op):
        return []
    numbers: list[int] = []
    for use in (*value.reads, *value.writes):
        numbers.append(use.offset)
        numbers.extend(use.sizes)
        numbers.extend(use.strides)
    numbers.append(value.macs)
    numbers.extend(attribute_integers(value.attributes))
    return numbers


def attribute_integers(attributes: Mapping[str, Any]) -> Iterable[int]:
    """Integers of the attribute object, depth first in written order; booleans are not numbers."""
    for entry in attributes.values():
        for item in entry if isinstance(entry, list) else [entry]:
            if isinstance(item, int) and not isinstance(item, bool):
                yield item


def attribute_structure(attributes: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The attributes with their integers left out: what two batches must share."""
    return [(name, _without_integers(value)) for name, value in attributes.items()]


def _without_integers(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_integers(item) for item in value]
    return "number" if isinstance(value, int) and not isinstance(value, bool) else value
