"""Models and tensors of any size without memory: parameters are FakeTensors labelled `cpu`.

The fake mode is never entered by the user's code ("hybrid" form): whoever holds
a fake parameter computes fakes, and small real tensors (a scheduler's time
steps) stay real, so data-dependent Python code runs unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode

ModelT = TypeVar("ModelT", bound=nn.Module)


@cache
def fake_mode() -> FakeTensorMode:
    """The one fake mode of the process; tensors of two modes do not mix."""
    return FakeTensorMode(allow_non_fake_inputs=True)


def fake(builder: Callable[[], ModelT], dtype: torch.dtype = torch.float32) -> ModelT:
    """Builds a model whose parameters and buffers have shapes but no memory.

    `builder` runs on the meta device with `dtype` as default; adapters that are
    added to a model belong inside it. Parameters are then swapped for fakes:
    building under the fake mode itself would break `.to()` (a fake holds a weak
    reference that forbids the swap).
    """
    with torch.device("meta"), _default_dtype(dtype):
        model = builder()
    swapped: dict[int, torch.Tensor] = {}
    for module in model.modules():
        for name, parameter in module._parameters.items():
            if parameter is not None:
                module._parameters[name] = _fake_parameter(parameter, dtype, swapped)
        for name, buffer in module._buffers.items():
            if buffer is not None:
                module._buffers[name] = _fake_like(buffer, dtype, swapped)
    return model


def fake_tensor(sizes: Sequence[int], dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """A contiguous fake input of the given sizes."""
    with fake_mode():
        return torch.empty(tuple(sizes), dtype=dtype, device="cpu")


def _fake_parameter(
    parameter: nn.Parameter, dtype: torch.dtype, swapped: dict[int, torch.Tensor]
) -> nn.Parameter:
    known = swapped.get(id(parameter))
    if known is None:
        known = nn.Parameter(
            _fake_like(parameter, dtype, swapped), requires_grad=parameter.requires_grad
        )
        swapped[id(parameter)] = known
    assert isinstance(known, nn.Parameter)
    return known


def _fake_like(
    tensor: torch.Tensor, dtype: torch.dtype, swapped: dict[int, torch.Tensor]
) -> torch.Tensor:
    if not isinstance(tensor, nn.Parameter) and id(tensor) in swapped:
        return swapped[id(tensor)]
    # Building code that names float32 itself would otherwise leave a mixed model.
    target = (
        dtype if tensor.is_floating_point() and isinstance(tensor, nn.Parameter) else tensor.dtype
    )
    with fake_mode():
        made = torch.empty_strided(tensor.size(), tensor.stride(), dtype=target, device="cpu")
    if not isinstance(tensor, nn.Parameter):
        swapped[id(tensor)] = made
    return made


@contextmanager
def _default_dtype(dtype: torch.dtype) -> Any:
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)
