"""Runs the suite in the python gear and demands line coverage of the core and the games.

python -m tests.run_python_gear
"""

from __future__ import annotations

import os
import subprocess
import sys

LEAST = 98


def main() -> None:
    """Two processes' worth of tests, their coverage combined."""
    environment = os.environ | {"ZASHIKI_GEAR": "python"}
    coverage = [sys.executable, "-m", "coverage"]
    for command in (
        [*coverage, "erase"],
        [*coverage, "run", "-m", "pytest", "tests/core", "tests/conformance", "tests/games", "tests/goldens"],
        [*coverage, "combine", "--quiet"],
        [*coverage, "report", f"--fail-under={LEAST}"],
    ):
        code = subprocess.run(command, env=environment, check=False).returncode
        if code:
            raise SystemExit(code)


if __name__ == "__main__":
    main()
