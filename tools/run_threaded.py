"""Runs the named test programs of build/tsan in turn; their JUnit files go to a folder.

The folder is $JUNIT with `.d` in place of `.xml`, where the gate looks for it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path


def main() -> int:
    folder = Path(os.environ["JUNIT"]).with_suffix(".d")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    failed = False
    for name in sys.argv[1:]:
        command = [
            "ctest",
            "--test-dir",
            f"build/tsan/tests/{name}",
            "--output-on-failure",
            "-j",
            "2",
        ]
        command += ["--output-junit", str(folder / f"{name}.xml")]
        failed |= subprocess.run(command, check=False).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
