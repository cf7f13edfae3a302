"""The dispatch mode: turns every ATen call into an event.

Rules and traps are those of `docs/tensor-trace.md`. Two details matter for
exact lifetimes: nothing here may keep an argument alive after the call, so no
nested recursive functions (a reference cycle would hold tensors until the
garbage collector runs); and freed storages are reported by weak references.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch._ops import OpOverload
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._python_dispatch import TorchDispatchMode

from diffram.recording.hybrid_execution import HybridExecution
from diffram.recording.macs import macs_of
from diffram.recording.module_stack import ForwardOrigins, ModulePaths, ModuleStack
from diffram.recording.op_kinds import attributes_of
from diffram.recording.op_rules import OpRule, is_pure_composite, rule_of, tensors_in
from diffram.recording.raw_trace import RawTrace
from diffram.recording.storage_ledger import StorageLedger
from diffram.recording.trace_model import DTYPE_CODE, Function, Op, Roles, Use

# Torch gives out autograd's running number under this name only.
_get_sequence_number = torch._C._autograd._get_sequence_nr

_SKIPPED_NAMESPACES = frozenset({"prim", "profiler"})
_DTYPE_CODES = {
    getattr(torch, name): code for name, code in DTYPE_CODE.items() if hasattr(torch, name)
}


@dataclass(slots=True)
class Observations:
    """Facts for the warnings at the end of a capture."""

    unattributed_backward_ops: int = 0
    ops_without_mac_rule: set[str] = field(default_factory=set)
    largest_real_bytes: int = 0
    dispatched: dict[tuple[int, str, str], int] = field(default_factory=dict)


class Recorder(TorchDispatchMode):
    """Records into a `RawTrace` while entered."""

    def __init__(self) -> None:
        super().__init__()
        self.raw = RawTrace()
        self.ledger = StorageLedger(self.raw.free)
        self.paths = ModulePaths()
        self.stack = ModuleStack(self.paths)
        self.origins = ForwardOrigins()
        self.seen = Observations()
        self._execution = HybridExecution(self.ledger)
        self._forward_of_module: dict[int, list[tuple[int, int]]] = {}
        self._recomputed: dict[int, int] = {}
        self.module_of_parameter: dict[int, int] = {}

    def end_step(self) -> None:
        self.raw.end_step()
        self.origins.clear()
        self._forward_of_module.clear()
        self._recomputed.clear()

    def __torch_dispatch__(
        self,
        func: OpOverload,
        types: tuple[type, ...],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        named = kwargs or {}
        if func.namespace in _SKIPPED_NAMESPACES:
            return func(*args, **named)
        if is_pure_composite(func):
            key = torch._C.DispatchKey.CompositeImplicitAutograd
            with self:
                return func._op_dk(key, *args, **named)
        rule = rule_of(func)
        arguments = rule.named(args, named)
        inputs = self._see_inputs(arguments)
        letter = self._pass_letter()
        module, forward = self._origin(letter)
        number = _get_sequence_number() - 1 if letter in "fr" else -1
        self._count(letter)
        if rule.only_views:
            out = self._execution.run(func, args, named)
            self._see_outputs(out, inputs, module, letter)
            self._note_forward(number, module, None)
            return out
        reads, read_roles = self._reads(rule, arguments)
        writes, write_roles = self._written_arguments(rule, arguments)

        out = self._execution.run(func, args, named)

        fresh = self._see_outputs(out, inputs, module, letter)
        index: int | None = None
        if (writes or fresh) and rule.has_traffic:
            index = self.raw.next_op
            macs = macs_of(func, rule.packet, args, named, out)
            self._note_missing_mac_rule(rule, macs, arguments)
            if letter == "r":
                forward = self._recomputed_from(module, rule.name)
            op = Op(index, -1, module, letter, reads, (*writes, *fresh), macs)
            op.attributes = attributes_of(rule.packet, rule.kind, arguments)
            op.forward = forward
            roles = (*write_roles, ("out", len(fresh))) if fresh else write_roles
            op.function = self.raw.function(Function(rule.name, rule.kind, read_roles, roles))
            self.raw.op(op)
            if letter == "f":
                of_module = self._forward_of_module.setdefault(module, [])
                of_module.append((index, self.raw.name(rule.name)))
        self._note_forward(number, module, index)
        return out

    # ---- what a call touches

    def _see_inputs(self, arguments: dict[str, Any]) -> set[int]:
        ids: set[int] = set()
        for value in arguments.values():
            for tensor in tensors_in(value):
                ids.add(self._identity(tensor))
        return ids

    def _identity(self, tensor: torch.Tensor) -> int:
        known = self.ledger.find(tensor)
        if known is not None:
            return known
        identity = self.ledger.add(tensor, external=True)
        self.raw.alloc(identity, self.ledger.live_bytes)
        return identity

    def _reads(self, rule: OpRule, arguments: dict[str, Any]) -> tuple[tuple[Use, ...], Roles]:
        uses: dict[Use, str] = {}
        for name, value in arguments.items():
            if not rule.reads_argument(name, arguments):
                continue
            for tensor in tensors_in(value):
                use = self._use(tensor)
                before = uses.get(use)
                if before is None:
                    uses[use] = name
                elif name not in before.split("+"):
                    # One view in two parts is read once; the joined name keeps both parts.
                    uses[use] = f"{before}+{name}"
        return tuple(uses), _run_lengths(uses.values())

    def _written_arguments(
        self, rule: OpRule, arguments: dict[str, Any]
    ) -> tuple[tuple[Use, ...], Roles]:
        uses: dict[Use, str] = {}
        for name, value in arguments.items():
            if rule.writes_argument(name, arguments):
                uses.update((self._use(tensor), name) for tensor in tensors_in(value))
        return tuple(uses), _run_lengths(uses.values())

    def _see_outputs(self, out: Any, inputs: set[int], module: int, letter: str) -> list[Use]:
        fresh: dict[Use, None] = {}
        for tensor in tensors_in(out):
            identity = self.ledger.find(tensor)
            if identity is None:
                identity = self.ledger.add(tensor)
                record = self.ledger.records[identity]
                record.module = module
                # The gradient's root is made before the engine starts: no activation.
                before_engine = letter == "f" and self.raw.phase == "backward"
                record.made_in = "" if before_engine else letter
                self.raw.alloc(identity, self.ledger.live_bytes)
                if not isinstance(tensor, FakeTensor):
                    self.seen.largest_real_bytes = max(self.seen.largest_real_bytes, record.bytes)
            if identity not in inputs:
                fresh[self._use(tensor)] = None
        return list(fresh)

    def _use(self, tensor: torch.Tensor) -> Use:
        identity = self.ledger.find(tensor)
        assert identity is not None
        return Use(
            identity,
            int(tensor.storage_offset()) * tensor.itemsize,
            _DTYPE_CODES[tensor.dtype],
            tuple(map(int, tensor.shape)),
            tuple(map(int, tensor.stride())),
        )

    # ---- where a call belongs

    def _pass_letter(self) -> str:
        if torch._C._current_graph_task_id() == -1:
            return "o" if self.raw.phase == "optimizer" else "f"
        if torch.is_grad_enabled():
            return "r"
        node = torch._C._current_autograd_node()
        return "g" if node is not None and "AccumulateGrad" in node.name() else "b"

    def _origin(self, letter: str) -> tuple[int, int | None]:
        if letter in "fro":
            return self.stack.current, None
        node = torch._C._current_autograd_node()
        if letter == "g":
            variable = getattr(node, "variable", None)
            return self.module_of_parameter.get(id(variable), -1), None
        found = self.origins.find(node._sequence_nr()) if node is not None else None
        if found is None:
            self.seen.unattributed_backward_ops += 1
            return -1, None
        return found

    def _recomputed_from(self, module: int, name: str) -> int | None:
        """The forward op that a recomputed one repeats: the next one of the same module."""
        at = self._recomputed.get(module, 0)
        self._recomputed[module] = at + 1
        forward = self._forward_of_module.get(module, [])
        if at < len(forward) and forward[at][1] == self.raw.name(name):
            return forward[at][0]
        return None

    def _note_forward(self, number: int, module: int, op: int | None) -> None:
        if number >= 0:
            self.origins.note(number, module, op)

    # ---- accounts

    def _count(self, letter: str) -> None:
        key = (self.raw.step, self.raw.phase, letter)
        self.seen.dispatched[key] = self.seen.dispatched.get(key, 0) + 1

    def _note_missing_mac_rule(self, rule: OpRule, macs: int, arguments: dict[str, Any]) -> None:
        if macs or rule.kind not in ("other", "conv", "mm", "attn"):
            return
        weight = arguments.get("weight")
        if isinstance(weight, torch.Tensor) and weight.dim() == 4:
            self.seen.ops_without_mac_rule.add(rule.name)


def _run_lengths(names: Iterable[str]) -> Roles:
    runs: list[tuple[str, int]] = []
    for name in names:
        if runs and runs[-1][0] == name:
            runs[-1] = (name, runs[-1][1] + 1)
        else:
            runs.append((name, 1))
    return tuple(runs)
