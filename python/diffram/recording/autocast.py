"""CUDA's autocast lists on CPU-labelled tensors.

Autocast follows the tensor's device, so CPU labels get the CPU lists, and
`autocast("cuda")` switches itself off without CUDA. Where the program runs
under `torch.autocast("cpu", dtype=...)`, this mode adds what CUDA does
differently: softmax, norms, losses and the like run in float32.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional
from torch.overrides import TorchFunctionMode

#: Torch's documentation, "CUDA Ops that can autocast to float32", as far as networks call them.
_FLOAT32 = frozenset(
    {
        functional.softmax,
        torch.softmax,
        torch.Tensor.softmax,
        functional.log_softmax,
        functional.layer_norm,
        functional.group_norm,
        functional.mse_loss,
        functional.l1_loss,
        functional.smooth_l1_loss,
        functional.cross_entropy,
        functional.nll_loss,
        torch.exp,
        torch.Tensor.exp,
        torch.pow,
        torch.Tensor.pow,
        torch.rsqrt,
        torch.sum,
        torch.Tensor.sum,
        torch.cumsum,
        torch.prod,
        torch.norm,
    }
)


class CudaAutocast(TorchFunctionMode):
    """Casts the low-precision arguments of CUDA's float32 list to float32."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        named = kwargs or {}
        if func not in _FLOAT32 or not torch.is_autocast_enabled("cpu"):
            return func(*args, **named)
        with torch.autocast("cpu", enabled=False):
            wide = [_widened(value) for value in args]
            return func(*wide, **{name: _widened(value) for name, value in named.items()})


def _widened(value: Any) -> Any:
    if isinstance(value, torch.Tensor) and value.dtype in (torch.float16, torch.bfloat16):
        return value.float()
    return value
