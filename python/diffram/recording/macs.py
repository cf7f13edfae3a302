"""Multiply-accumulate operations of one call."""

from __future__ import annotations

from typing import Any

from torch._ops import OpOverload
from torch.utils.flop_counter import flop_registry

#: Matrix products per (query, key) pair that torch's registry lacks: scores and
#: values forward; those two, recomputed scores, and two gradients each backward.
_CPU_FLASH_PRODUCTS = {
    "_scaled_dot_product_flash_attention_for_cpu": (2, 0),
    "_scaled_dot_product_flash_attention_for_cpu_backward": (5, 1),
}


def macs_of(func: OpOverload, packet: str, args: Any, kwargs: Any, out: Any) -> int:
    """MACs of a call, 0 where the op multiplies no matrices.

    The figure is torch's flop registry halved; CPU flash attention is counted
    here with the same rule as its CUDA relatives (2 products forward, 5 backward).
    """
    if packet in _CPU_FLASH_PRODUCTS:
        products, query_at = _CPU_FLASH_PRODUCTS[packet]
        batch, heads, queries, size = args[query_at].shape
        return int(products * batch * heads * queries * args[query_at + 1].shape[-2] * size)
    formula = flop_registry.get(func._overloadpacket)
    if formula is None:
        return 0
    return int(formula(*args, **kwargs, out_val=out)) // 2
