"""The reference figures, and where the shipped files are."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
WORKLOADS = REPOSITORY / "specs" / "workloads"
FACTS = REPOSITORY / "tests" / "oracle" / "data" / "capture_facts.json.gz"

Case = dict[str, Any]


@pytest.fixture(scope="session")
def cases() -> list[Case]:
    with gzip.open(FACTS, "rt", encoding="utf-8") as stream:
        loaded: list[Case] = json.load(stream)["cases"]
    return loaded


@pytest.fixture(scope="session")
def workloads() -> Path:
    return WORKLOADS
