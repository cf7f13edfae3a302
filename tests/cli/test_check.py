"""`diffram check`: the second opinion on a command log, of ours and of other simulators."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from .conftest import diffram

MEMORY = "ddr4-3200-8g-2ch"
HEADER = "# diffram-commands 1 channel rank bank_group bank row column\n"


def check(log: Path, *words: str) -> tuple[int, str, str]:
    done = diffram("check", str(log), "--memory", MEMORY, *words)
    return done.code, done.out, done.err


def test_the_commands_of_a_replay_are_clean(tmp_path: Path) -> None:
    trace, log = tmp_path / "t.trace", tmp_path / "t.commands"
    trace.write_text("".join(f"{line * 0x2040:#x} READ {line}\n" for line in range(2000)))
    done = diffram("replay", str(trace), "--memory", MEMORY, "--commands", str(log))
    assert done.code == 0, done.err
    code, out, err = check(log, "--json")
    assert code == 0, out + err
    code, out, _ = check(log)
    assert code == 0 and "no violation" in out


def test_a_violation_is_exit_code_1_with_rule_and_shortfall(tmp_path: Path) -> None:
    log = tmp_path / "early.commands.gz"
    log.write_bytes(gzip.compress((HEADER + "0 ACT 0 0 0 0 1\n21 RD 0 0 0 0 1 0\n").encode()))
    done = diffram("check", str(log), "--memory", MEMORY, "--json")
    assert done.code == 1
    found = done.json()
    assert found["violations"] == 1
    first = found["first"][0]
    assert first["rule"] == "tRCD" and first["shortfall_cycles"] == 1
    assert first["required_cycles"] == 22 and first["after"]["line"] == 3
    assert {rule["rule"]: rule["violations"] for rule in found["by_rule"]}["tRCD"] == 1
    code, out, _ = check(log)
    assert code == 1 and "tRCD" in out and "1 short" in out


def test_a_setting_changes_the_memory_of_the_rules(tmp_path: Path) -> None:
    log = tmp_path / "t.commands"
    log.write_text(HEADER + "0 ACT 0 0 0 0 1\n22 RD 0 0 0 0 1 0\n")
    assert check(log)[0] == 0
    assert check(log, "--set", "memory.timings.tRCD=23")[0] == 1


def test_top_limits_what_is_shown_and_not_what_is_counted(tmp_path: Path) -> None:
    log = tmp_path / "t.commands"
    log.write_text(HEADER + "".join(f"{100 * i} RD 0 0 0 0 {i} 0\n" for i in range(30)))
    done = diffram("check", str(log), "--memory", MEMORY, "--top", "3", "--json")
    assert done.json()["violations"] == 30 and len(done.json()["first"]) == 3


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HEADER + "0 ACT 0 0 0 0 1\n5 RED 0 0 0 0 1 0\n", "RD"),
        (HEADER + "9 ACT 0 0 0 0 1\n5 ACT 0 0 1 0 1\n", "order"),
        (HEADER + "9 ACT 2 0 0 0 1\n", "0 to 1"),
        ("0x40 READ 7\n", "diffram-commands"),
    ],
)
def test_bad_logs_are_exit_code_3_with_file_and_line(text: str, says: str, tmp_path: Path) -> None:
    log = tmp_path / "bad.commands"
    log.write_text(text)
    done = diffram("check", str(log), "--memory", MEMORY, "--json")
    assert done.code == 3
    error = done.json()["error"]
    assert error["file"].endswith("bad.commands") and error["line"] >= 1
    assert says in error["expected"]
