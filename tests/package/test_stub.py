"""The committed stub of the binding is what the binding is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

STUB = Path(__file__).parents[2] / "python" / "diffram" / "_core.pyi"


def test_the_stub_is_current(tmp_path: Path) -> None:
    made = tmp_path / "_core.pyi"
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "diffram._core", "-o", str(made)],
        check=True,
    )
    subprocess.run([sys.executable, "-m", "ruff", "format", "-q", str(made)], check=True)
    assert made.read_text() == STUB.read_text(), (
        "make it anew: python -m nanobind.stubgen -m diffram._core -o python/diffram/_core.pyi, "
        "then make format"
    )
