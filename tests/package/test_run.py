"""The package's door: a run from Python is the run of the command line."""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys
from pathlib import Path

import numpy
import pandas
import pyarrow
import pytest

import diffram

ROOT = Path(__file__).parents[2]
MEMORY = "ddr4-3200-8g-2ch"


@pytest.fixture(scope="module")
def run() -> diffram.Run:
    return diffram.run("sd14-sample", memory=MEMORY, steps=2, bounds=False)


def test_importing_the_package_imports_nothing_heavy() -> None:
    heavy = "{'torch', 'numpy', 'pandas', 'diffusers', 'diffram._core'} & set(sys.modules)"
    code = f"import sys, diffram; print(sorted({heavy}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_running_needs_no_other_package() -> None:
    code = (
        "import sys\n"
        "for name in ('torch', 'numpy', 'pandas', 'pyarrow'): sys.modules[name] = None\n"
        "import diffram\n"
        f"run = diffram.run('sd14-sample', memory='{MEMORY}', steps=2, bounds=False)\n"
        "print(len(list(run.by('class'))) > 0, run, run.by('class')._repr_html_()[:7])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("True <diffram.Run: sd14-sample"), done.stderr


def test_the_version_is_that_of_the_program() -> None:
    from diffram import _core

    assert importlib.metadata.version("diffram") in _core.version()


def test_the_summary_is_the_object_of_the_command_line(run: diffram.Run) -> None:
    program = ROOT / "build" / "bin" / "diffram"
    command = [str(program), "run", "sd14-sample", "--memory", MEMORY, "--steps", "2"]
    done = subprocess.run(
        [*command, "--bounds", "off", "--json"], capture_output=True, text=True, check=True
    )
    of_the_program = json.loads(done.stdout)
    measured = ("wall_s", "requests_per_s")
    assert {k: v for k, v in run.summary.items() if k not in measured} == {
        k: v for k, v in of_the_program.items() if k not in measured
    }


def test_rows_sum_to_the_total(run: diffram.Run) -> None:
    table = run.by("layer", "class", of="bytes")
    assert sum(table["exact"]) == table.exact_total
    assert table.exact_total == run.summary["bytes_read"] + run.summary["bytes_written"]


def test_a_table_keeps_its_largest_rows_and_a_rest(run: diffram.Run) -> None:
    whole, top = run.by("layer"), run.by("layer", top=3)
    assert len(top) == 4
    assert top["layer"][3] == "(rest)"
    assert list(top["value"])[:3] == list(whole["value"])[:3]


def test_number_columns_reach_numpy_without_a_copy(run: diffram.Run) -> None:
    table = run.by("class")
    first, second = numpy.asarray(table["value"]), numpy.asarray(table["value"])
    assert first.ctypes.data == second.ctypes.data
    assert not first.flags.writeable


def test_a_column_outlives_its_table(run: diffram.Run) -> None:
    table = run.by("class")
    expected = list(table["value"])
    column = numpy.asarray(table["value"])
    del table
    assert column.tolist() == expected


def test_a_table_becomes_pandas_and_arrow(run: diffram.Run) -> None:
    table = run.by("class", "cause", of="channel-time")
    frame = table.to_pandas()
    assert list(frame.columns) == ["class", "cause", "value", "share", "exact"]
    assert int(frame["exact"].sum()) == table.exact_total
    assert isinstance(frame, pandas.DataFrame)
    arrow = pyarrow.table(table)
    assert arrow.num_rows == len(table)
    assert arrow.column("exact").to_pylist() == list(table["exact"])


def test_a_saved_run_reads_back_as_it_was(run: diffram.Run, tmp_path: Path) -> None:
    again = diffram.open(run.save(tmp_path / "a.dfr"))
    assert list(again.by("op", of="bytes")) == list(run.by("op", of="bytes"))


def test_the_report_is_one_file(run: diffram.Run, tmp_path: Path) -> None:
    page = run.report(tmp_path / "a.html").read_text()
    assert page.startswith("<!")
    assert [file.name for file in tmp_path.iterdir()] == ["a.html"]


def test_a_run_shows_itself(run: diffram.Run) -> None:
    assert "sd14-sample" in repr(run)
    assert "waiting for memory" in run._repr_html_()
    assert run.by("class")._repr_html_().count("<tr>") == len(run.by("class")) + 1


def test_progress_is_reported_while_it_runs() -> None:
    seen: list[tuple[str, float]] = []
    diffram.run("sd14-sample", steps=2, bounds=False, progress=lambda *now: seen.append(now))
    assert seen
    assert all(isinstance(what, str) and -1 <= fraction <= 1 for what, fraction in seen)


def test_an_exception_of_the_progress_call_stops_the_run() -> None:
    def stop(what: str, fraction: float) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        diffram.run("sd14-sample", steps=2, progress=stop)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"memory": "no-such-memory"}, "unknown_name"),
        ({"settings": {"memory.no_such_key": 1}}, "unknown_key"),
    ],
)
def test_a_bad_input_is_told_with_its_code(options: dict[str, object], code: str) -> None:
    with pytest.raises(diffram.DifframError) as caught:
        diffram.run("sd14-sample", steps=2, **options)  # type: ignore[arg-type]
    assert caught.value.code == code
    assert caught.value.exit_code == 3


def test_an_unknown_axis_and_metric_are_told(run: diffram.Run) -> None:
    with pytest.raises(diffram.DifframError, match="layer"):
        run.by("layr")
    with pytest.raises(diffram.DifframError, match="channel-time"):
        run.by("layer", of="tine")  # type: ignore[arg-type]


def test_a_workload_that_does_not_fit_says_by_how_much() -> None:
    with pytest.raises(diffram.DifframError) as caught:
        diffram.run("sd14-train", memory=MEMORY)
    assert caught.value.code == "does_not_fit"
    assert caught.value.capacity is not None
    assert caught.value.capacity["missing_bytes"] > 0
    assert "parameter" in caught.value.capacity["live_by_class"]


def test_a_file_that_is_no_run_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.dfr"
    file.write_text("no run")
    with pytest.raises(diffram.DifframError):
        diffram.open(file)


SURROUNDINGS = {
    "package.theta.case_to_air": 20,
    "package.theta.board_to_air": 15,
    "package.surroundings.air_c": 40,
    "package.surroundings.board_c": 45,
}


@pytest.fixture(scope="module")
def hot() -> diffram.Run:
    return diffram.run(
        "sd14-sample",
        memory=MEMORY,
        steps=2,
        bounds=False,
        package="ddr4-module",
        settings=SURROUNDINGS,
    )


def test_a_run_without_a_package_has_no_heat(run: diffram.Run) -> None:
    assert run.heat is None
    with pytest.raises(diffram.DifframError, match="temperatures of this run are not known"):
        run.by("class", of="heat")


def test_heat_tells_the_hottest_place_and_what_it_comes_from(hot: diffram.Run) -> None:
    heat = hot.heat
    assert heat is not None
    hottest = heat.hottest
    assert hottest.celsius == max(row.steady_peak for row in heat.layers if row.role == "memory")
    assert hottest.rise == pytest.approx(hottest.celsius - 40, abs=1e-9)
    assert sum(hottest.rise_by.values()) == pytest.approx(hottest.rise, abs=1e-9)
    assert hottest.measured_at == "case"
    assert hottest.limit == 95
    assert hottest.margin == 95 - hottest.measured
    die = heat.layers[0]
    assert len(die.steady_map) >= 8
    assert max(map(max, die.steady_map)) == pytest.approx(die.steady_peak, abs=1e-3)
    assert heat.epochs == ()
    assert "if this load lasts" in hot._repr_html_()


def test_the_rise_is_divided_like_any_metric(hot: diffram.Run) -> None:
    assert hot.heat is not None
    table = hot.by("layer", "class", of="heat")
    assert table.unit == "K"
    assert sum(table["value"]) == pytest.approx(hot.heat.hottest.rise, abs=1e-9)


def test_heat_that_answers_has_epochs() -> None:
    answering = diffram.run(
        "sd14-sample",
        memory=MEMORY,
        steps=2,
        bounds=False,
        package="ddr4-module",
        settings=SURROUNDINGS,
        epoch=50_000_000,
    )
    assert answering.heat is not None
    assert answering.heat.epochs[0].begin == 0
    assert all(epoch.refresh_rate >= 1 for epoch in answering.heat.epochs)


@pytest.mark.parametrize("options", [{"epoch": 5000}, {"initial_temperature": 85.0}])
def test_heat_needs_a_package(options: dict[str, object]) -> None:
    with pytest.raises(diffram.DifframError) as caught:
        diffram.run("sd14-sample", memory=MEMORY, steps=2, **options)  # type: ignore[arg-type]
    assert caught.value.code == "missing_key"
