"""One JSON object of a trace to its data; every field is checked."""

from __future__ import annotations

from typing import Any

from diffram.recording import trace_lines
from diffram.recording.trace_model import (
    CLASSES,
    DTYPES,
    KINDS,
    PASSES,
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
    Tables,
    Use,
)

Line = dict[str, Any]


class BadLineError(ValueError):
    """A field that is missing or of the wrong kind."""


def is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def module(line: Line) -> Module:
    return Module(_integer(line, "up", -1, line["id"]), _text(line, "path"), _text(line, "type"))


def function(line: Line) -> Function:
    return Function(
        _text(line, "name"),
        _one_of(line, "kind", KINDS),
        _roles(line, "reads"),
        _roles(line, "writes"),
    )


def storage(line: Line, distance: int) -> Storage:
    slope = _slopes(line, 1, distance)
    name = _text(line, "name") if "name" in line else ""
    return Storage(
        _integer(line, "bytes", 0) + slope[0] * distance,
        _one_of(line, "cls", CLASSES),
        _integer(line, "pre", 0, 2) == 1,
        _integer(line, "mod", -1),
        name,
    )


def event(kind: str, line: Line, tables: Tables, ops: int, distance: int) -> Event:
    storages = len(tables.storages)
    if kind == "op":
        return _op(line, tables, ops, distance)
    if kind == "alloc":
        return Alloc(_integer(line, "s", 0, storages))
    if kind == "free":
        return Free(_integer(line, "s", 0, storages))
    if kind == "phase":
        return Phase(_text(line, "n"), _integer(line, "step", 0))
    if kind == "replay":
        carry = tuple(_pair(pair, storages) for pair in _list(line, "carry"))
        return Replay(_integer(line, "step", 0), _integer(line, "times", 1), carry)
    raise BadLineError(f'unknown event "{kind}"; expected phase, alloc, op, free, replay or end')


def end(line: Line, distance: int) -> dict[str, int]:
    names = ("events", "read", "write", "mac", "ops")
    stated = {name: _integer(line, name, 0) for name in names}
    slope = _slopes(line, 3, distance)
    for name, per_image in zip(("read", "write", "mac"), slope, strict=True):
        stated[name] += per_image * distance
    return stated


def _op(line: Line, tables: Tables, ops: int, distance: int) -> Op:
    index = _integer(line, "i", 0)
    if index != ops:
        raise BadLineError(f'op index "i" is {index}, expected {ops}')
    identity = _integer(line, "f", 0, len(tables.functions))
    reads = _uses(line, "r", len(tables.storages))
    writes = _uses(line, "w", len(tables.storages))
    called = tables.functions[identity]
    for name, uses, roles in (("r", reads, called.reads), ("w", writes, called.writes)):
        if len(uses) != sum(count for _, count in roles):
            raise BadLineError(
                f'"{name}" has {len(uses)} views, function {identity} states otherwise'
            )
    attributes = line.get("a", {})
    if not isinstance(attributes, dict):
        raise BadLineError('"a" is no object')
    op = Op(
        index,
        identity,
        _integer(line, "m", -1, len(tables.modules)),
        _one_of(line, "x", PASSES),
        reads,
        writes,
        _integer(line, "mac", 0) if "mac" in line else 0,
        attributes,
        _integer(line, "fw", 0, index) if line.get("fw") is not None else None,
    )
    return _moved(op, line, distance) if distance and "d" in line else op


def _moved(op: Op, line: Line, distance: int) -> Op:
    """The op at another batch: each number moved along its slope."""
    numbers = trace_lines.batch_numbers(op)
    slopes = _slopes(line, len(numbers), distance)
    values = iter(a + s * distance for a, s in zip(numbers, slopes, strict=True))
    uses = [
        Use(
            use.storage,
            next(values),
            use.dtype,
            tuple(next(values) for _ in use.sizes),
            tuple(next(values) for _ in use.strides),
        )
        for use in (*op.reads, *op.writes)
    ]
    op.reads, op.writes = tuple(uses[: len(op.reads)]), tuple(uses[len(op.reads) :])
    op.macs = next(values)
    op.attributes = {name: _moved_value(value, values) for name, value in op.attributes.items()}
    return op


def _moved_value(value: Any, values: Any) -> Any:
    if isinstance(value, list):
        return [_moved_value(item, values) for item in value]
    return next(values) if isinstance(value, int) and not isinstance(value, bool) else value


def _slopes(line: Line, count: int, distance: int) -> list[int]:
    if "d" not in line or not distance:
        return [0] * count
    slopes = _list(line, "d")
    if len(slopes) != count or not all(isinstance(slope, int) for slope in slopes):
        raise BadLineError(f'"d" must hold {count} integers')
    return slopes


def _uses(line: Line, name: str, storages: int) -> tuple[Use, ...]:
    return tuple(_use(entry, storages) for entry in _list(line, name))


def _use(entry: Any, storages: int) -> Use:
    if not (isinstance(entry, list) and len(entry) == 5):
        raise BadLineError("a view must be [storage, offset, dtype, sizes, strides]")
    identity, offset, dtype, sizes, strides = entry
    whole = is_count(identity) and is_count(offset) and is_count(dtype)
    if not whole or identity >= storages or dtype >= len(DTYPES):
        raise BadLineError(f"view {entry[:3]}: storage, offset or dtype out of range")
    if not (isinstance(sizes, list) and isinstance(strides, list) and len(sizes) == len(strides)):
        raise BadLineError("a view needs as many strides as sizes")
    if not all(is_count(number) for number in (*sizes, *strides)):
        raise BadLineError("sizes and strides must be integers from 0")
    return Use(identity, offset, dtype, tuple(sizes), tuple(strides))


def _roles(line: Line, name: str) -> Roles:
    roles: list[tuple[str, int]] = []
    for entry in _list(line, name):
        well_formed = isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str)
        if not well_formed or not is_count(entry[1]):
            raise BadLineError(f'"{name}" must hold [argument, count] pairs')
        roles.append((entry[0], entry[1]))
    return tuple(roles)


def _pair(entry: Any, storages: int) -> tuple[int, int]:
    if isinstance(entry, list) and len(entry) == 2 and all(is_count(n) for n in entry):
        after, before = entry
        if max(after, before) < storages:
            return after, before
    raise BadLineError('"carry" must hold [after, before] pairs of storages')


def _list(line: Line, name: str) -> list[Any]:
    value = line.get(name)
    if not isinstance(value, list):
        raise BadLineError(f'"{name}" is missing or no list')
    return value


def _text(line: Line, name: str) -> str:
    value = line.get(name)
    if not isinstance(value, str):
        raise BadLineError(f'"{name}" is missing or no text')
    return value


def _one_of(line: Line, name: str, known: tuple[str, ...]) -> str:
    value = _text(line, name)
    if value not in known:
        raise BadLineError(f'"{name}" is "{value}"; expected one of {", ".join(known)}')
    return value


def _integer(line: Line, name: str, low: int, high: int | None = None) -> int:
    value = line.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadLineError(f'"{name}" is missing or no integer')
    if value < low or (high is not None and value >= high):
        limit = "" if high is None else f" and below {high}"
        raise BadLineError(f'"{name}" is {value}; expected at least {low}{limit}')
    return value
