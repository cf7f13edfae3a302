"""The gate counts what ran, and does not let a broken or skipped test pass."""

from __future__ import annotations

from pathlib import Path

import gate
import pytest
from gate_counts import Count, read_junit
from gate_stages import STAGES, Stage

CTEST = """<testsuite tests="4" failures="1" disabled="1" skipped="1">
<testcase name="a" status="run"/>
<testcase name="b" status="fail"><failure message="no"/></testcase>
<testcase name="c" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/></testcase>
<testcase name="d" status="disabled"/>
</testsuite>"""
PYTEST = """<testsuites><testsuite tests="3" errors="1">
<testcase name="a"/><testcase name="b"><error message="no"/></testcase>
<testcase name="c"><skipped type="pytest.skip"/></testcase>
</testsuite></testsuites>"""


@pytest.fixture(autouse=True)
def _logs_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "LOGS", tmp_path)


def counted(command: str, environment: dict[str, str] | None = None) -> Count:
    stage = Stage("test", "stage", command, counted="junit")
    return gate.run(stage, environment or {})


@pytest.mark.parametrize(("text", "count"), [(CTEST, Count(1, 1, 2)), (PYTEST, Count(1, 1, 1))])
def test_every_case_of_a_junit_file_counts_once(tmp_path: Path, text: str, count: Count) -> None:
    file = tmp_path / "tests.xml"
    file.write_text(text)
    assert read_junit(file) == count


def test_a_folder_of_junit_files_is_added_up(tmp_path: Path) -> None:
    folder = tmp_path / "tests.d"
    folder.mkdir()
    (folder / "a.xml").write_text(CTEST)
    (folder / "b.xml").write_text(PYTEST)
    assert read_junit(tmp_path / "tests.xml") == Count(2, 2, 3)


def test_a_runner_that_leaves_no_file_has_failed() -> None:
    assert counted("true").failed == 1


def test_a_runner_that_ran_no_test_has_failed() -> None:
    assert counted("echo '<testsuite/>' > $JUNIT").failed == 1


def test_a_file_cut_short_is_a_failure() -> None:
    assert counted("echo '<testsuite><testcase' > $JUNIT").failed == 1


def test_a_closing_line_counts_and_a_missing_one_is_a_failure() -> None:
    told = Stage(
        "test",
        "stage",
        "echo 'first: 1 passed, 0 failed'; echo '5 passed, 2 failed'",
        counted="line",
    )
    assert gate.run(told, {}) == Count(5, 2)
    silent = Stage("test", "stage", "true", counted="line")
    assert gate.run(silent, {}).failed == 1


def test_passing_cases_with_a_bad_exit_status_are_a_failure() -> None:
    found = counted("echo '<testsuite><testcase name=\"a\"/></testsuite>' > $JUNIT; exit 3")
    assert (found.passed, found.failed) == (1, 1)


def test_a_skipped_case_is_a_failure_where_all_data_is_at_hand() -> None:
    skipped = "echo '<testsuite><testcase><skipped/></testcase></testsuite>' > $JUNIT"
    assert counted(skipped) == Count(0, 0, 1)
    assert counted(skipped, {"DIFFRAM_SHARED": "somewhere"}).failed == 1


def test_a_stage_without_cases_counts_as_one() -> None:
    assert gate.run(Stage("lint", "stage", "true"), {}) == Count(1)
    assert gate.run(Stage("lint", "stage", "false"), {}).failed == 1


def test_a_failing_command_inside_a_pipe_is_a_failure() -> None:
    assert gate.run(Stage("lint", "stage", "false | true"), {}).failed == 1


def test_stage_names_are_distinct() -> None:
    names = [stage.name for stage in STAGES]
    assert len(names) == len(set(names))
