"""diffram: where a diffusion model's memory time and memory energy go.

Nothing heavy is imported here. PyTorch is needed by `capture` and by the
building parts of `recording`, and is imported on their first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_LAZY = {
    "capture": ("diffram.recording.capture_block", "capture"),
    "recording": ("diffram.recording", None),
}

__all__ = sorted(_LAZY)


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'diffram' has no attribute '{name}'")
    module, attribute = _LAZY[name]
    loaded = import_module(module)
    return loaded if attribute is None else getattr(loaded, attribute)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
