"""The reference figures, and where the shipped files are."""

from __future__ import annotations

import gzip
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
WORKLOADS = REPOSITORY / "specs" / "workloads"
FACTS = REPOSITORY / "tests" / "oracle" / "data" / "capture_facts.json.gz"

#: Capturing needs these; reading a trace does not.
_CAPTURE_NEEDS = ("torch", "diffusers", "transformers", "accelerate", "peft")
MISSING = [name for name in _CAPTURE_NEEDS if find_spec(name) is None]
collect_ignore = (
    [
        "test_affine.py",
        "test_capture_traps.py",
        "test_reference_figures.py",
        "test_step_folding.py",
        "test_training_variants.py",
    ]
    if MISSING
    else []
)

Case = dict[str, Any]


@pytest.fixture(scope="session")
def cases() -> list[Case]:
    with gzip.open(FACTS, "rt", encoding="utf-8") as stream:
        loaded: list[Case] = json.load(stream)["cases"]
    return loaded


def pytest_report_header() -> str | None:
    return f"recording: left out, {', '.join(MISSING)} not installed" if collect_ignore else None
