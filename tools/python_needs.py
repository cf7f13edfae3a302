"""Prints the pinned requirements of the development environment, one a line.

They stand in pyproject.toml once; `pip install .[dev]` would build the package at the same time,
which setup keeps apart (the environment changes rarely, the package with every edit).
"""

import tomllib
from pathlib import Path

project = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text())
print("\n".join(project["project"]["optional-dependencies"]["dev"]))
