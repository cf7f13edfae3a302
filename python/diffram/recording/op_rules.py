"""What one ATen overload reads and writes, from its schema and a list of exceptions.

The schema marks written arguments; it does not say that an overwritten argument
is never read, that some ops touch no memory, or that fused Adam leaves the
gradients alone. Those exceptions are the tables below (`capture_facts.json`,
"definitions", is the oracle).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch._ops import OpOverload

from diffram.recording.op_kinds import kind_of

#: Ops without traffic: allocation only, or a change of metadata in place.
_NO_TRAFFIC = frozenset(
    "empty empty_strided empty_like new_empty new_empty_strided lift_fresh _local_scalar_dense"
    " is_same_size detach_ t_ transpose_ squeeze_ unsqueeze_ as_strided_ resize_ swapaxes_".split()
)
#: Ops whose first argument is overwritten without being read.
_OVERWRITE_FIRST = frozenset(
    "copy_ fill_ zero_ normal_ uniform_ bernoulli_ exponential_ random_ _foreach_copy_"
    " _foreach_zero_ set_".split()
)


@dataclass(frozen=True, slots=True)
class OpRule:
    """Reading rules of one overload, worked out once."""

    name: str
    packet: str
    kind: str
    has_traffic: bool
    argument_names: tuple[str, ...]
    written: frozenset[str]
    unread: frozenset[str]
    reads_nothing: bool
    #: Every result is a view of an argument and nothing is written.
    only_views: bool

    def named(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The call's arguments by schema name, in schema order as far as given."""
        arguments = dict(zip(self.argument_names, args, strict=False))
        arguments.update(kwargs)
        return arguments

    def reads_argument(self, name: str, arguments: dict[str, Any]) -> bool:
        if self.reads_nothing or name in self.unread:
            return False
        return not (self.packet == "baddbmm" and name == "self" and arguments.get("beta", 1) == 0)

    def writes_argument(self, name: str, arguments: dict[str, Any]) -> bool:
        if name not in self.written:
            return False
        # Fused Adam divides the gradients in place only under a gradient scale.
        return not (
            self.packet.startswith("_fused_adam")
            and name == "grads"
            and arguments.get("grad_scale") is None
        )


@cache
def rule_of(func: OpOverload) -> OpRule:
    schema = func._schema
    packet = schema.name.split("::")[-1]
    written = frozenset(
        argument.name
        for argument in schema.arguments
        if argument.alias_info is not None and argument.alias_info.is_write
    )
    unread = {argument.name for argument in schema.arguments if argument.is_out}
    if packet in _OVERWRITE_FIRST:
        unread.add(schema.arguments[0].name)
    return OpRule(
        name=str(func),
        packet=packet,
        kind=kind_of(packet),
        has_traffic=packet not in _NO_TRAFFIC,
        argument_names=tuple(argument.name for argument in schema.arguments),
        written=written,
        unread=frozenset(unread),
        reads_nothing=packet.endswith("_like") or packet.startswith("new_"),
        only_views=not written
        and bool(schema.returns)
        and all(result.alias_info is not None for result in schema.returns),
    )


@cache
def is_pure_composite(func: OpOverload) -> bool:
    """True for an op that only ever runs as other ops (it then arrives whole under inference_mode).

    Some ops, such as silu_backward, have a composite kernel and backend kernels
    as well: those are one kernel and must stay whole.
    """
    schema = func._schema
    name = f"{schema.name}.{schema.overload_name}" if schema.overload_name else schema.name
    # Asked of C++: Python's own decompositions (dropout to clone) are other programs.
    has_kernel = torch._C._dispatch_has_kernel_for_dispatch_key
    if not has_kernel(name, "CompositeImplicitAutograd"):
        return False
    return not has_kernel(name, "CPU") and not has_kernel(name, "Meta")


def tensors_in(value: Any) -> Iterator[torch.Tensor]:
    """Tensors of an argument or a result; lists are opened."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            if isinstance(item, torch.Tensor):
                yield item
