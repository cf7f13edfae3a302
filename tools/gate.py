"""The gate: every check that a change must pass, in order, each with its time and its count.

The last line is "N passed, N failed" over all stages; the exit status is 1 when anything failed. A
stage whose subject does not exist yet says so; once the subject is there the stage is mandatory.
Where the folder of data that may not be passed on is at hand (DIFFRAM_SHARED, or shared/ beside the
checkout) no test may skip: a skipped one counts as failed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from gate_counts import Count, read_closing_line, read_junit
from gate_stages import STAGES, Stage

ROOT = Path(__file__).resolve().parents[1]
LOGS = ROOT / "build" / "gate"
# A hung stage must end as a failure with its log, before a caller gives up on the whole gate.
STAGE_LIMIT_S = 1800
TAIL_LINES = 120


def environment(fuzz_seconds: int) -> dict[str, str]:
    env = dict(os.environ)
    env["PATH"] = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{env['PATH']}"
    env["FUZZ_SECONDS"] = str(fuzz_seconds)
    env["CCACHE_BASEDIR"] = str(ROOT)
    env["CCACHE_NOHASHDIR"] = "1"
    # The tests of the report leave their pages here, for the browser to open.
    samples = ROOT / "out" / "report"
    samples.mkdir(parents=True, exist_ok=True)
    env["DIFFRAM_REPORT_SAMPLES"] = str(samples)
    # Workers of xdist and torch's own threads would fight over the cores.
    env.setdefault("OMP_NUM_THREADS", "1")
    beside = ROOT.parent / "shared"
    if "DIFFRAM_SHARED" not in env and beside.is_dir():
        env["DIFFRAM_SHARED"] = str(beside)
    return env


def run(stage: Stage, env: dict[str, str]) -> Count:
    log = LOGS / f"{stage.name}.log"
    junit = LOGS / f"{stage.name}.xml"
    junit.unlink(missing_ok=True)
    with log.open("wb") as output:
        try:
            status = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", stage.command],
                cwd=ROOT,
                env={**env, "JUNIT": str(junit)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=STAGE_LIMIT_S,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            output.write(f"\nstopped after {STAGE_LIMIT_S} s\n".encode())
            status = 124
    count = counted(stage, junit, log)
    if stage.counted and count.total == 0:
        return Count(failed=1, why=f"exit status {status}, and no test was counted")
    if status != 0 and count.failed == 0:
        return Count(count.passed if stage.counted else 0, 1, 0, f"exit status {status}")
    if "DIFFRAM_SHARED" in env and count.skipped:
        skipped = count.skipped
        return Count(count.passed, count.failed + skipped, 0, f"{skipped} skipped, none may be")
    return count


def counted(stage: Stage, junit: Path, log: Path) -> Count:
    if stage.counted == "junit":
        return read_junit(junit)
    if stage.counted == "line":
        return read_closing_line(log)
    return Count(passed=1)


def report(stage: Stage, count: Count, seconds: float) -> None:
    verdict = "ok    " if count.failed == 0 else "FAILED"
    skipped = f", {count.skipped} skipped" if count.skipped else ""
    why = f" ({count.why})" if count.why else ""
    print(
        f"{verdict} {stage.name:<20} {seconds:7.1f} s  "
        f"{count.passed} passed, {count.failed} failed{skipped}{why}",
        flush=True,
    )
    if count.failed:
        log = LOGS / f"{stage.name}.log"
        lines = log.read_text(errors="replace").splitlines()
        print("\n".join(f"    {line}" for line in lines[-TAIL_LINES:]), flush=True)


def run_all(stages: Iterable[Stage], env: dict[str, str]) -> Count:
    total = Count()
    for stage in stages:
        start = time.monotonic()
        count = run(stage, env)
        report(stage, count, time.monotonic() - start)
        total += count
    return total


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--group", help="only the stages of this group")
    parser.add_argument("--stage", action="append", help="only the stage of this name")
    parser.add_argument("--list", action="store_true", help="print the stages and what they run")
    parser.add_argument("--fuzz-seconds", type=int, default=15, help="for each fuzz target")
    arguments = parser.parse_args()

    stages = [
        stage
        for stage in STAGES
        if arguments.group in (None, stage.group)
        and (arguments.stage is None or stage.name in arguments.stage)
    ]
    if not stages:
        parser.error("no stage of that name")
    if arguments.list:
        print("\n".join(f"{s.group:<8} {s.name:<20} {s.command}" for s in stages))
        return 0

    LOGS.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    total = run_all(stages, environment(arguments.fuzz_seconds))
    minutes, seconds = divmod(int(time.monotonic() - start), 60)
    skipped = f", {total.skipped} skipped" if total.skipped else ""
    closing = f"{total.passed} passed, {total.failed} failed{skipped}"
    print(f"the gate took {minutes} min {seconds} s")
    print(closing)
    (LOGS / "result.txt").write_text(closing + "\n")
    return 1 if total.failed or total.passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
