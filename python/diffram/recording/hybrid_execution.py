"""Runs a call whose arguments may be fakes, small real tensors, or both.

The fake mode is entered for single calls only, never by the user's program: so
a scheduler's `.item()` and `.numpy()` work on real values.
"""

from __future__ import annotations

from typing import Any

import torch
from torch._ops import OpOverload
from torch._subclasses.fake_tensor import FakeTensor

from diffram.recording.fake_model import fake_mode
from diffram.recording.op_rules import tensors_in
from diffram.recording.storage_ledger import StorageLedger

#: A factory result above this size is made as a fake; smaller tensors are real.
REAL_LIMIT_BYTES = 256 * 1024


class HybridExecution:
    """Computes calls; a real tensor beside a fake is converted and keeps its identity."""

    def __init__(self, ledger: StorageLedger) -> None:
        self._ledger = ledger
        self._mode = fake_mode()

    def run(self, func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        tensors = [tensor for value in (*args, *kwargs.values()) for tensor in tensors_in(value)]
        if any(isinstance(tensor, FakeTensor) for tensor in tensors):
            return self._run_fake(func, args, kwargs, tensors)
        if tensors:
            return func(*args, **kwargs)
        with self._mode:
            planned = func(*args, **kwargs)
        size = sum(tensor.untyped_storage().nbytes() for tensor in tensors_in(planned))
        return planned if size > REAL_LIMIT_BYTES else func(*args, **kwargs)

    def _run_fake(
        self,
        func: OpOverload,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        tensors: list[torch.Tensor],
    ) -> Any:
        converted = {
            id(tensor): self._converted(tensor)
            for tensor in tensors
            if not isinstance(tensor, FakeTensor)
        }
        if not converted:
            with self._mode:
                return func(*args, **kwargs)
        originals = {id(converted[id(t)]): t for t in tensors if id(t) in converted}
        swapped = [_swap(value, converted) for value in args]
        named = {name: _swap(value, converted) for name, value in kwargs.items()}
        with self._mode:
            out = func(*swapped, **named)
        # An in-place result is the caller's own object.
        return _swap(out, originals)

    def _converted(self, tensor: torch.Tensor) -> torch.Tensor:
        copy = self._mode.from_tensor(tensor)
        known = self._ledger.find(tensor)
        assert known is not None, "inputs are numbered before the call runs"
        self._ledger.alias(copy, known)
        return copy


def _swap(value: Any, replacement: dict[int, torch.Tensor]) -> Any:
    if isinstance(value, torch.Tensor):
        return replacement.get(id(value), value)
    if type(value) in (list, tuple):
        return type(value)([_swap(item, replacement) for item in value])
    return value
