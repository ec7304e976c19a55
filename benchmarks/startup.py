"""What the installed plugin adds to the start-up of a pytest run that does not use it.

The plugin is found through its entry point, as after an installation; the other run blocks it, which costs
pytest the same search. Other plugins are left out of both. Runs with and without it alternate, so that a busy
machine slows both alike, and processor time is counted. The result is the median of the ratios of the pairs.

    python benchmarks/startup.py [--runs 40] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from importlib.metadata import entry_points
from pathlib import Path

OURS = "pytest_grounding"
TARGET = 1.05
TESTS = 20


def one_run(folder: Path, *plugin: str) -> float:
    """Processor time of one pytest run in seconds, with compiled modules cached as usual."""
    environment = dict(os.environ)
    for name in ("PYTHONDONTWRITEBYTECODE", "PYTEST_ADDOPTS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD"):
        environment.pop(name, None)
    names = [point.name for point in entry_points(group="pytest11") if point.name != OURS]
    others = [part for name in names for part in ("-p", f"no:{name}")]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *others, *plugin]
    start = _of_children()
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    return _of_children() - start


def _of_children() -> float:
    """Processor time of all processes that ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(runs: int) -> dict[str, float]:
    """Median seconds of both kinds of run, and their ratio."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tests = "".join(f"def test_{number}():\n    assert True\n\n\n" for number in range(TESTS))
        (folder / "test_plain.py").write_text(tests)
        bare: list[float] = []
        loaded: list[float] = []
        for number in range(runs + 1):
            pair = [(bare, ("-p", f"no:{OURS}")), (loaded, ())]
            for times, plugin in pair if number % 2 else reversed(pair):
                times.append(one_run(folder, *plugin))
        # The first pair fills caches and does not count.
        first, second = statistics.median(bare[1:]), statistics.median(loaded[1:])
        paired = statistics.median(b - a for a, b in zip(bare[1:], loaded[1:], strict=True))
    return {
        "bare_s": first,
        "with_plugin_s": second,
        "ratio": statistics.median(b / a for a, b in zip(bare[1:], loaded[1:], strict=True)),
        "ratio_of_fastest": min(loaded[1:]) / min(bare[1:]),
        "added_ms": paired * 1000,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=40, help="pairs of runs")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    arguments = parser.parse_args()
    found = measure(arguments.runs)
    if arguments.json:
        print(json.dumps(found, sort_keys=True))
    else:
        print(f"bare pytest       {found['bare_s'] * 1000:8.1f} ms (median of {arguments.runs})")
        print(f"with the plugin   {found['with_plugin_s'] * 1000:8.1f} ms")
        print(f"ratio             {found['ratio']:8.3f}    (target: at most {TARGET})")
        print(f"ratio of fastest  {found['ratio_of_fastest']:8.3f}")
        print(f"added, paired     {found['added_ms']:8.1f} ms")
    return 0 if found["ratio"] <= TARGET else 1


if __name__ == "__main__":
    raise SystemExit(main())
