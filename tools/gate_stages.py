"""The gate's stages, cheap ones first. Each command runs in bash at the root of the checkout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Stage:
    group: str
    name: str
    command: str
    counted: Literal["", "junit", "line"] = ""
    """junit: the command writes its JUnit file at $JUNIT, or several in a folder of that name.
    line: its last "N passed, N failed" counts. Else the exit status is all there is."""


CPP_FILES = "git ls-files -z '*.cpp' '*.h'"
# Rooms in which more than one thread runs; the tests of the others would only cost time under TSan.
THREADED = ("sim", "session")


def configure_and_build(preset: str, settings: str = "", targets: str = "") -> str:
    configure = f"cmake --preset {preset} {settings}"
    return f"{configure} && cmake --build --preset {preset} {targets}"


def ctest(folder: str) -> str:
    return f'ctest --test-dir {folder} --output-on-failure -j 2 --output-junit "$JUNIT"'


VITEST = 'npx vitest run --reporter=default --reporter=junit --outputFile.junit="$JUNIT"'

STAGES = (
    Stage("lint", "clang-format", f"{CPP_FILES} | xargs -0 clang-format-19 --dry-run -Werror"),
    Stage("lint", "ruff", "ruff check . && ruff format --check ."),
    Stage("lint", "mypy", "mypy"),
    Stage("lint", "rooms", "python tools/check_rooms.py"),
    Stage("lint", "links", "python tools/check_links.py"),
    Stage("lint", "names", "python tools/check_names.py"),
    Stage("lint", "portable-text", "python tools/check_portable_text.py"),
    Stage("lint", "web-types", "cd web && npm run --silent typecheck"),
    Stage("build", "build", configure_and_build("release", "-DDIFFRAM_TESTS=ON")),
    Stage("build", "package", "make package"),
    Stage("test", "ctest", ctest("build"), counted="junit"),
    Stage(
        "test",
        "pytest",
        'python -m pytest -n 2 --junitxml="$JUNIT"',
        counted="junit",
    ),
    Stage("test", "vitest", f"cd web && {VITEST}", counted="junit"),
    Stage("test", "page", "tools/check_page.sh"),
    # Opens the pages that the report's tests have written to $DIFFRAM_REPORT_SAMPLES.
    Stage("test", "browser", "npm --prefix web run --silent browser", counted="line"),
    Stage("test", "gates", "python tools/check_gates.py"),
    Stage("asan", "asan-build", configure_and_build("asan")),
    Stage("asan", "asan", ctest("build/asan"), counted="junit"),
    Stage(
        "tsan",
        "tsan-build",
        configure_and_build(
            "tsan", targets="--target " + " ".join(f"{room}_tests" for room in THREADED)
        ),
    ),
    Stage(
        "tsan",
        "tsan",
        "python tools/run_threaded.py " + " ".join(THREADED),
        counted="junit",
    ),
    Stage(
        "fuzz",
        "fuzz-build",
        configure_and_build(
            "asan", targets="--target $(ls tests/fuzz/*_fuzz.cpp | xargs -n1 basename -s .cpp)"
        ),
    ),
    Stage("fuzz", "fuzz", "tools/fuzz.sh"),
    Stage("tidy", "clang-tidy", "tools/tidy.sh"),
)
