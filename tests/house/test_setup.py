"""Setup installs what a purpose lacks, or says in one line what to install."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOBODY = "65534"


NO_SUDO = "exit 1"
WILLING_SUDO = '[[ "$1" == -n ]] && shift; exec "$@"'


@pytest.fixture
def system() -> Iterator[Path]:
    """A folder of stand-ins: nothing is installed, and apt-get writes down what it is asked for.

    It lies where any user can read it, unlike pytest's own folders.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        stand_in(folder, "dpkg-query", "exit 0")
        stand_in(folder, "apt-get", f'echo "$@" >> {folder}/asked')
        stand_in(folder, "sudo", NO_SUDO)
        shutil.copytree(ROOT / "tools", folder / "checkout" / "tools")
        yield folder


def stand_in(folder: Path, name: str, script: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/bash\n{script}\n")
    file.chmod(0o755)


def set_up(system: Path, purpose: str, as_user: bool = False) -> subprocess.CompletedProcess[str]:
    command = ["bash", str(system / "checkout" / "tools" / "setup.sh"), purpose]
    if as_user and os.geteuid() == 0:
        command = ["setpriv", f"--reuid={NOBODY}", "--clear-groups", *command]
    environment = {**os.environ, "PATH": f"{system}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("as_user", [False, True])
def test_the_missing_packages_are_installed_as_root_or_by_sudo(system: Path, as_user: bool) -> None:
    stand_in(system, "sudo", WILLING_SUDO)
    done = set_up(system, "demo", as_user)
    assert done.returncode == 0, done.stderr
    update, install = (system / "asked").read_text().splitlines()
    assert update.startswith("update")
    assert install.startswith("install -y")
    assert {"g++", "cmake", "libsqlitecpp-dev"} <= set(install.split())


def test_a_user_without_sudo_is_told_what_to_install(system: Path) -> None:
    done = set_up(system, "demo", as_user=True)
    assert done.returncode == 3
    assert len(done.stderr.splitlines()) == 1
    assert "sudo apt-get install -y --no-install-recommends g++ cmake" in done.stderr
    assert not (system / "asked").exists()


def test_the_demo_needs_no_node_no_python_environment_and_no_browser(system: Path) -> None:
    asked = set(set_up(system, "demo", as_user=True).stderr.split())
    assert not asked & {"nodejs", "npm", "python3-venv", "chromium", "valgrind", "clang-19"}


def test_an_unknown_purpose_is_wrong_usage(system: Path) -> None:
    assert set_up(system, "everything").returncode == 2
