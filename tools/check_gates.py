"""Count the engine's instructions a burst under callgrind and compare with bench/gates.toml.

Each code path of the engine (`DIFFRAM_SIMD`) has gates of its own; one that this machine or its
valgrind lacks is named and left out. `epoch_bench`, beside the program, tells what energy and heat
add to an epoch.

usage: check_gates.py [--program build/bin/engine_bench] [--store]
Exit code 0 within the gates, 1 not, 2 when it cannot measure.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
GATES = ROOT / "bench" / "gates.toml"


def instructions_of(command: list[str], path: str) -> int:
    """Instructions of a whole program run on a code path."""
    with tempfile.TemporaryDirectory() as folder:
        callgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"]
        environment = os.environ | {"DIFFRAM_SIMD": path}
        run = subprocess.run(
            [*callgrind, *command], capture_output=True, text=True, check=True, env=environment
        )
    found = re.search(r"Collected : (\d+)", run.stderr)
    if found is None:
        raise RuntimeError(f"callgrind printed no count for {' '.join(command)}")
    return int(found[1])


def instructions(program: Path, path: str, mode: str, attribution: str, count: int) -> int:
    """Instructions of the engine's bench. `mode` may be followed by a memory."""
    name, *memory = mode.split()
    return instructions_of([str(program), name, attribution, str(count), *memory], path)


def has_path(program: Path, path: str) -> bool:
    """Does the engine take this path under valgrind? It says which one it took."""
    command = ["valgrind", "--tool=none", str(program), "random", "off", "1"]
    environment = os.environ | {"DIFFRAM_SIMD": path}
    run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    return run.returncode == 0 and f"path {path}" in run.stdout


def per_burst(program: Path, path: str, mode: str, attribution: str, counts: list[int]) -> float:
    """Instructions a burst: the difference of two counts, so that start-up cancels."""
    few, many = counts
    difference = instructions(program, path, mode, attribution, many) - instructions(
        program, path, mode, attribution, few
    )
    return difference / (many - few)


def check_mode(mode: str, gate: dict[str, Any], measured: dict[str, float], growth: float) -> bool:
    """Print one mode's figures; false when it grew beyond `growth` percent or missed a goal."""
    kept = True
    for attribution, value in measured.items():
        stored = gate[f"stored_{attribution}"]
        allowed = stored * (1 + growth / 100)
        kept = kept and value <= allowed
        goal = gate.get(f"goal_{attribution}")
        kept = kept and (goal is None or value <= goal)
        verdict = "ok" if value <= allowed else f"GREW beyond {allowed:.0f}"
        aim = f", goal {goal:.0f} {'met' if value <= goal else 'not met'}" if goal else ""
        print(
            f"{mode:15} attribution {attribution:3}: {value:7.1f} a burst, "
            f"stored {stored:.0f}: {verdict}{aim}"
        )
    if len(measured) < 2:
        return kept
    added = 100 * (measured["on"] / measured["off"] - 1)
    aim_percent = gate.get("goal_attribution_percent")
    kept = kept and (aim_percent is None or added <= aim_percent)
    aim = (
        f", goal {aim_percent:.0f} % {'met' if added <= aim_percent else 'not met'}"
        if aim_percent
        else ""
    )
    print(f"{mode:15} attribution adds {added:.1f} %{aim}")
    return kept


def check_epochs(program: Path, gate: dict[str, Any]) -> bool:
    """Print what energy and heat add to a run's epochs; false when one adds more than its goal."""
    few: int
    many: int
    few, many = gate["counts"]

    def an_epoch(mode: str) -> float:
        less, more = (instructions_of([str(program), mode, str(n)], "sse2") for n in (few, many))
        return (more - less) / (many - few)

    plain = an_epoch("plain")
    kept = True
    for mode in ("energy", "heat"):
        added = 100 * (an_epoch(mode) / plain - 1)
        goal = gate[f"goal_{mode}_percent"]
        kept = kept and added <= goal
        verdict = "met" if added <= goal else "not met"
        print(f"an epoch: {plain / 1e6:.0f} M; {mode} adds {added:.2f} %, goal {goal} % {verdict}")
    return kept


def store(all_measured: dict[str, dict[str, float]]) -> None:
    """Write the measured counts over the stored ones; comments and goals stay."""
    mode = ""
    lines = []
    for line in GATES.read_text().splitlines():
        if header := re.match(r"\[(.+)\]", line):
            mode = header[1]
        if entry := re.match(r"stored_(on|off) = ", line):
            measured = all_measured.get(mode)
            lines.append(f"{entry[0]}{measured[entry[1]]:.0f}" if measured else line)
        else:
            lines.append(line)
    GATES.write_text("\n".join(lines) + "\n")


def main() -> int:
    """Measure every mode with and without attribution."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "bin" / "engine_bench")
    parser.add_argument("--store", action="store_true", help="store what is measured")
    arguments = parser.parse_args()
    if shutil.which("valgrind") is None or not arguments.program.exists():
        print(f"needs valgrind and {arguments.program.name} (make build)", file=sys.stderr)
        return 2
    gates = tomllib.loads(GATES.read_text())
    growth, counts = gates.pop("growth_percent"), gates.pop("counts")
    kept = check_epochs(arguments.program.with_name("epoch_bench"), gates.pop("epochs"))
    all_measured = {}
    for path, modes in gates.items():
        if not has_path(arguments.program, path):
            print(f"{path}: not checked, this machine or its valgrind has no such path")
            continue
        for mode, gate in modes.items():
            name = f"{path}.{mode}"
            kinds = [a for a in ("on", "off") if f"stored_{a}" in gate]
            run = gate.get("run", mode)
            measured = {a: per_burst(arguments.program, path, run, a, counts) for a in kinds}
            all_measured[name] = measured
            kept = check_mode(name, gate, measured, growth) and kept
    if arguments.store:
        store(all_measured)
        return 0
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
