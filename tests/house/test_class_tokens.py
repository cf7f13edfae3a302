"""The twelve tensor classes have one name each, in the trace, the report and Python.

The rooms may not see each other, so each writes the names down; explain.md 3 gives them.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOKENS = (
    "parameter buffer optimizer_state gradient ema input weight_cast recomputed_activation "
    "activation activation_gradient external temporary"
).split()


@pytest.mark.parametrize(
    ("file", "begin", "end"),
    [
        ("src/trace/tensor_trace.h", "enum class TensorClass", "}"),
        ("src/trace/tensor_trace.h", "kTensorClassNames = {", "}"),
        ("src/report/causes.h", "kClassTokens = {", '"(none)"'),
        ("python/diffram/recording/trace_model.py", "CLASSES = (", ")"),
    ],
)
def test_the_classes_are_named_alike(file: str, begin: str, end: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8").partition(begin)[2].partition(end)[0]
    words = re.findall(r"[a-z_]+", text.partition("{")[2] if "enum" in begin else text)
    assert words == TOKENS
