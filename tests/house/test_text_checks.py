"""Links, names and paths: each check stays silent on this house and speaks on a planted breach."""

from __future__ import annotations

import subprocess
from pathlib import Path

import check_links
import check_names
import check_portable_text
import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    return tmp_path


def write(checkout: Path, name: str, text: str) -> None:
    file = checkout / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_this_house_has_no_broken_link() -> None:
    assert list(check_links.broken_links(ROOT)) == []


def test_this_house_has_no_empty_name() -> None:
    assert list(check_names.breaches(ROOT)) == []


def test_this_house_names_no_machine() -> None:
    assert list(check_portable_text.breaches(ROOT)) == []


def test_a_missing_file_and_a_missing_heading_are_broken_links(checkout: Path) -> None:
    write(checkout, "docs/a.md", "# One thing\n[b](b.md) [c](c.md#two-words) [d](#one-thing)\n")
    write(
        checkout, "docs/c.md", "## Two words\n[a](a.md#another-thing) [web](https://example.org)\n"
    )
    assert list(check_links.broken_links(checkout)) == [
        "docs/a.md:2: b.md does not exist",
        "docs/c.md:2: a.md has no heading #another-thing",
    ]


def test_links_in_code_are_not_followed(checkout: Path) -> None:
    write(checkout, "a.md", "`[x](y.md)`\n```\n[x](y.md)\n```\n")
    assert list(check_links.broken_links(checkout)) == []


@pytest.mark.parametrize(
    "name", ["src/common/ids.h", "tools/string_utils.py", "web/src/helpers.ts"]
)
def test_a_file_named_after_nothing_is_found(checkout: Path, name: str) -> None:
    write(checkout, name, "")
    assert [line.split(":")[0] for line in check_names.breaches(checkout)] == [name]


def test_a_type_and_a_namespace_named_after_nothing_are_found(checkout: Path) -> None:
    write(checkout, "a.h", "namespace diffram::util {\nclass BankManager {};\n}\n")
    assert list(check_names.breaches(checkout)) == [
        "a.h:1: namespace diffram::util names nothing",
        "a.h:2: BankManager: say what it is",
    ]


def test_the_path_of_the_checkout_is_found(checkout: Path) -> None:
    write(checkout, "a.txt", f"fine\nsee {checkout}/notes\n")
    assert [line.split(":")[:2] for line in check_portable_text.breaches(checkout)] == [
        ["a.txt", "2"]
    ]


def test_a_home_folder_is_found_and_an_ignore_pattern_is_not(checkout: Path) -> None:
    home = "/".join(["", "home", "somebody", "x"])
    write(checkout, "a.txt", f"/build/\nout/root/x\n{home}\n")
    assert [line.split(":")[:2] for line in check_portable_text.breaches(checkout)] == [
        ["a.txt", "3"]
    ]
