"""Recording of PyTorch programs as tensor traces. See README.md in this folder.

Reading a trace needs no torch; names that do are imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_LAZY = {
    "capture": "diffram.recording.capture_block",
    "CaptureWarning": "diffram.recording.capture_checks",
    "fake": "diffram.recording.fake_model",
    "fake_tensor": "diffram.recording.fake_model",
    "parametric": "diffram.recording.affine",
    "NotAffineError": "diffram.recording.affine",
    "read_trace": "diffram.recording.trace_reader",
    "stream_trace": "diffram.recording.trace_reader",
    "TraceError": "diffram.recording.trace_reader",
    "write_trace": "diffram.recording.trace_writer",
    "figures": "diffram.recording.figures",
}

__all__ = [
    "CaptureWarning",
    "NotAffineError",
    "TraceError",
    "capture",
    "fake",
    "fake_tensor",
    "figures",
    "parametric",
    "read_trace",
    "stream_trace",
    "write_trace",
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'diffram.recording' has no attribute '{name}'")
    loaded = import_module(_LAZY[name])
    # The module of the same name must not hide the thing it defines.
    value = loaded if name == "figures" else getattr(loaded, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
