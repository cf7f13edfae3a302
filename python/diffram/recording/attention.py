"""Rewrites of `scaled_dot_product_attention` to the op that CUDA would run.

CPU-labelled fakes take CPU's flash op (or, on meta, fp32 math with 6 times the
traffic). The CUDA ops accept such fakes, forward and backward, so a function
mode puts them in the program's place.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from diffram.recording.autocast import CudaAutocast

_ATEN = torch.ops.aten


def attention_rewrite(attention: str, amp: str) -> list[AbstractContextManager[Any]]:
    """The function modes for the given settings; raises ValueError for an unknown one."""
    modes: list[AbstractContextManager[Any]] = []
    if attention != "as-written":
        if attention not in _CALLS:
            known = ", ".join(("as-written", *_CALLS))
            raise ValueError(f"attention={attention!r} is unknown; one of {known}")
        modes.append(_Rewrite(_CALLS[attention]))
    if amp == "cuda":
        modes.append(CudaAutocast())
    elif amp != "as-written":
        raise ValueError(f"amp={amp!r} is unknown; one of as-written, cuda")
    return modes


class _Rewrite(TorchFunctionMode):
    def __init__(self, call: Callable[..., torch.Tensor]) -> None:
        super().__init__()
        self._call = call

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        if func is functional.scaled_dot_product_attention:
            return self._call(*args, **(kwargs or {}))
        return func(*args, **(kwargs or {}))


def _flash(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> torch.Tensor:
    if attn_mask is not None:
        return _efficient(query, key, value, attn_mask, dropout_p, is_causal, scale)
    result = _ATEN._scaled_dot_product_flash_attention(
        query, key, value, dropout_p, is_causal, False, scale=scale
    )
    out: torch.Tensor = result[0]
    return out


def _efficient(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> torch.Tensor:
    bias = attn_mask
    if bias is not None:
        bias = bias.expand(query.shape[0], query.shape[1], query.shape[2], key.shape[2])
    result = _ATEN._scaled_dot_product_efficient_attention(
        query,
        key,
        value,
        bias,
        _needs_statistics(query, key, value),
        dropout_p,
        is_causal,
        scale=scale,
    )
    out: torch.Tensor = result[0]
    return out


def _cudnn(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> torch.Tensor:
    result = _ATEN._scaled_dot_product_cudnn_attention(
        query,
        key,
        value,
        attn_mask,
        _needs_statistics(query, key, value),
        dropout_p,
        is_causal,
        False,
        scale=scale,
    )
    out: torch.Tensor = result[0]
    return out


def _needs_statistics(*tensors: torch.Tensor) -> bool:
    """The row sums are kept only for a backward pass."""
    return torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors)


_CALLS: dict[str, Callable[..., torch.Tensor]] = {
    "flash": _flash,
    "efficient": _efficient,
    "cudnn": _cudnn,
}
