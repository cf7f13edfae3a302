"""The include rule: tools/check_rooms.py stays silent on this house and speaks on every breach."""

from __future__ import annotations

from pathlib import Path

import pytest
from check_rooms import breaches

ROOT = Path(__file__).parents[2]
TABLE = '[rooms]\nbase = []\nspec = ["base"]\ndram = ["base", "spec"]\nsession = ["dram"]\n'


def house(folder: Path, files: dict[str, str], table: str = TABLE) -> Path:
    for name, text in {"tools/rooms.toml": table, **files}.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (folder / "apps").mkdir(exist_ok=True)
    return folder


def test_this_house_keeps_the_rule() -> None:
    assert list(breaches(ROOT)) == []


def test_allowed_includes_and_outside_libraries_pass(tmp_path: Path) -> None:
    files = {
        "src/dram/bank.h": '#include <vector>\n#include "base/ids.h"\n#include "dram/bank.h"\n',
        "src/spec/memory.cpp": '#include "toml++/toml.h"\n',
        "apps/cli/main.cpp": '#include "session/session.h"\n#include "command_line.h"\n',
        "tests/spec/memory_test.cpp": '#include "dram/bank.h"\n',
    }
    assert list(breaches(house(tmp_path, files))) == []


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        (
            "src/spec/memory.h",
            '#pragma once\n#include "dram/bank.h"\n',
            'src/spec/memory.h:2: spec may not include dram ("dram/bank.h"); see tools/rooms.toml',
        ),
        (
            "src/base/deep/ids.cpp",
            '  #  include "spec/memory.h"\n',
            'src/base/deep/ids.cpp:1: base may not include spec ("spec/memory.h"); '
            "see tools/rooms.toml",
        ),
        (
            "apps/cli/run.cpp",
            '#include "dram/bank.h"\n',
            'apps/cli/run.cpp:1: a program may not include dram ("dram/bank.h"); '
            "see tools/rooms.toml",
        ),
        (
            "src/spec/memory.cpp",
            '#include "../dram/bank.h"\n',
            'src/spec/memory.cpp:1: includes "../dram/bank.h"; '
            'write the path from src/, as in "base/ids.h"',
        ),
        (
            "src/attic/box.h",
            "",
            "src/attic: not in tools/rooms.toml; a room is made there first",
        ),
    ],
)
def test_a_breach_is_named_by_file_and_line(
    tmp_path: Path, file: str, text: str, expected: str
) -> None:
    assert list(breaches(house(tmp_path, {"src/base/ids.h": "", file: text}))) == [expected]


def test_a_table_that_runs_in_a_circle_is_a_breach(tmp_path: Path) -> None:
    table = '[rooms]\nbase = ["spec"]\nspec = ["base"]\n'
    found = list(breaches(house(tmp_path, {"src/base/ids.h": ""}, table)))
    assert found == [
        "tools/rooms.toml: base includes itself by way of other rooms",
        "tools/rooms.toml: spec includes itself by way of other rooms",
    ]


def test_a_table_that_names_an_unknown_room_is_a_breach(tmp_path: Path) -> None:
    table = '[rooms]\nbase = []\nspec = ["bass"]\n'
    found = list(breaches(house(tmp_path, {"src/base/ids.h": ""}, table)))
    assert found == ["tools/rooms.toml: spec may include bass, which is no room"]
