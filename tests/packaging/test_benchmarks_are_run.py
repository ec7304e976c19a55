"""Every benchmark is run by a target of the Makefile, and says what is good."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks"


def runnable() -> set[str]:
    """Names of the modules of the folder that can be run."""
    return {path.stem for path in FOLDER.glob("[a-z]*.py") if '__name__ == "__main__"' in path.read_text()}


def test_every_benchmark_is_run_by_make() -> None:
    make = (ROOT / "Makefile").read_text(encoding="utf-8")
    by_make = set(re.findall(r"-m benchmarks\.(\w+)", make))
    by_bench = set(re.findall(r'Part\(\s*"(\w+)"', (FOLDER / "__main__.py").read_text(encoding="utf-8")))
    # Run as a section of benchmarks.accuracy.
    sections = {"confidence"}
    assert runnable() == (by_make | by_bench | sections) - {"accuracy", "verdicts"}
    assert re.search(r"-m benchmarks \$\(PARTS\)", make)


def test_an_unknown_part_is_named_with_the_known_ones() -> None:
    command = [sys.executable, "-m", "benchmarks", "startups"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "there is no part 'startups'; write one of: startup, citations" in done.stderr
