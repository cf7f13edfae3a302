"""Native policies from the command line: chosen, replayed, checked against the table, billed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from .conftest import diffram

MEMORY = "ddr4-3200-64g-2ch"


def sparse_trace(folder: Path) -> Path:
    """Random lines with pauses long enough for every kind of sleep."""
    dice = random.Random(3)
    cycle = 0
    lines = []
    for _ in range(3000):
        cycle += dice.randrange(20) + (dice.randrange(60_000) if dice.random() < 0.02 else 0)
        word = "WRITE" if dice.random() < 0.3 else "READ"
        lines.append(f"{dice.randrange(1 << 27) * 64:#x} {word} {cycle}\n")
    trace = folder / "sparse.trace"
    trace.write_text("".join(lines))
    return trace


@pytest.mark.parametrize(
    "policy",
    [
        {"scheduler": "fcfs"},
        {"page_policy": "timeout", "power_down_after": 100, "self_refresh_after": 20_000},
        {"scheduler": "frfcfs-strict", "page_policy": "adaptive", "power_down_after": 50},
        {"scheduler": "frfcfs-grouped", "self_refresh_after": 1000, "refresh_postpone": 7},
    ],
)
def test_a_policy_is_legal_and_billed_whole(tmp_path: Path, policy: dict[str, object]) -> None:
    log = tmp_path / "commands"
    settings = [w for k, v in policy.items() for w in ("--set", f"memory.controller.{k}={v}")]
    trace = str(sparse_trace(tmp_path))
    done = diffram("replay", trace, "--memory", MEMORY, "--json", "--commands", str(log), *settings)
    assert done.code == 0, done.err
    result = done.json()
    assert result["requests_completed"] == 3000
    assert result["conservation"]["cycles_residual"] == 0
    assert abs(result["conservation"]["energy_residual_relative"]) < 1e-9
    assert ("self_refresh" in result["energy_j"]) == ("self_refresh_after" in policy)
    assert diffram("check", str(log), "--memory", MEMORY).code == 0
