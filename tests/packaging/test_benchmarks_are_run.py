"""Every benchmark is run by a target of the Makefile, and says what is good."""

import re
import subprocess
import sys
from pathlib import Path

import warm_starts
from every import each

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks"


def runnable():
    """Names of the modules of the folder that can be run."""
    return {path.stem for path in FOLDER.glob("[a-z]*.py") if '__name__ == "__main__"' in path.read_text()}


def test_every_benchmark_is_run_by_make():
    make = (ROOT / "Makefile").read_text(encoding="utf-8")
    by_make = set(re.findall(r"-m benchmarks\.(\w+)", make))
    by_bench = set(re.findall(r'Part\(\s*"(\w+)"', (FOLDER / "__main__.py").read_text(encoding="utf-8")))
    assert runnable() == (by_make | by_bench) - {"verdicts", "own"}
    assert re.search(r"-m benchmarks \$\(PARTS\)", make)


def scripts():
    """What can be started, as names of files or folders in the folder of the benchmarks."""
    packages = {path.parent.name for path in FOLDER.glob("*/__main__.py")}
    return sorted({f"{name}.py" for name in runnable() - packages} | packages)


def test_no_benchmark_has_the_name_of_a_module_of_the_standard_library():
    # A script's own folder comes first in its search path, so that it would hide that module from all others.
    names = {path.stem for path in FOLDER.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert names & sys.stdlib_module_names == set()


def starts(*command):
    done = subprocess.run(
        [warm_starts.python(), *command, "--help"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: ")


@each(*scripts())
def test_a_benchmark_starts_as_a_module(script):
    starts("-m", f"benchmarks.{script.removesuffix('.py')}")


def test_a_benchmark_starts_as_a_script():
    starts(str(FOLDER / scripts()[0]))


def test_an_unknown_part_is_refused_with_the_known_ones():
    command = [warm_starts.python(), "-m", "benchmarks", "startups"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "there is no part 'startups'; write one of: startup, citations" in done.stderr
