"""Strange transcripts by the thousand: with random seeds for some seconds, or so many with one seed.

    python tests/fuzz/run.py --seconds 60
    python tests/fuzz/run.py --plain --count 200000 --seed 16
    python tests/fuzz/run.py --guided --seconds 600     # by coverage, where atheris is installed

It prints the seed and the count. What breaks is shown with the example that was made smallest; keep it as a
file of tests/fuzz/corpus. Exit status 1: something broke.
"""

import argparse
import json
import os
import random
import sys
import time
import warnings
from typing import Any

os.environ["GROUNDING_INTERNAL_ERRORS"] = "raise"

from hypothesis import HealthCheck, Phase, given, seed, settings
from invariants import check_file, check_transcript, check_value
from strategies import files, plain_transcript, transcripts, values

BATCH = 1_000
#: Target -> what makes its examples, and what is checked of each.
TARGETS = {
    "transcripts": (transcripts(), check_transcript),
    "values": (values, check_value),
    "files": (files(), check_file),
}


class Counter:
    """Calls a check and counts."""

    def __init__(self, check):
        self.check = check
        self.count = 0

    def __call__(self, made):
        self.count += 1
        self.check(made)


def batch(target, number, size):
    """Check one batch of examples; how many there were."""
    strategy, check = TARGETS[target]
    counted = Counter(check)

    @seed(number)
    @settings(
        max_examples=size,
        deadline=None,
        database=None,
        derandomize=False,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
    )
    @given(strategy)
    def run(made: Any) -> None:
        counted(made)

    run()
    return counted.count


def plain(number, size):
    """Check one batch of transcripts that plain chance made; every eighth one thoroughly."""
    rng = random.Random(number)
    for place in range(size):
        made = plain_transcript(rng)
        try:
            check_transcript(made, thorough=place % 8 == 0)
        except Exception:
            print(json.dumps(made), flush=True)
            raise
    return size


def guided(target, seconds):
    """Look for new paths through the code until the time is over (needs atheris)."""
    import atheris

    with atheris.instrument_imports(include=["pytest_grounding"]):
        import pytest_grounding.engine.answer_tools
        import pytest_grounding.engine.validation  # noqa: F401  # what is fuzzed

    strategy, check = TARGETS[target]
    run = settings(deadline=None, database=None)(given(strategy)(check))
    atheris.Setup([sys.argv[0], f"-max_total_time={seconds}"], run.hypothesis.fuzz_one_input)
    atheris.Fuzz()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--target", choices=sorted(TARGETS), default="transcripts")
    parser.add_argument("--seconds", type=int, default=60, help="how long, where no count is given")
    parser.add_argument("--count", type=int, help="how many examples")
    parser.add_argument("--seed", type=int, help="first seed; random where none is given")
    parser.add_argument("--plain", action="store_true", help="transcripts by plain chance: fast, not shrunk")
    parser.add_argument("--guided", action="store_true", help="by coverage, with atheris")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.guided:
        guided(options.target, options.seconds)
        return 0
    first = random.SystemRandom().randrange(10**9) if options.seed is None else options.seed
    print(f"target {options.target}, seed {first}", flush=True)
    start, done, number = time.monotonic(), 0, first
    while done < options.count if options.count else time.monotonic() - start < options.seconds:
        size = min(BATCH, options.count - done) if options.count else BATCH // 5
        try:
            done += plain(number, size) if options.plain else batch(options.target, number, size)
        except Exception:
            print(f"broken by seed {number} after {done} examples", flush=True)
            raise
        number += 1
        if (number - first) % 20 == 0:
            print(f"{done} examples, {time.monotonic() - start:.0f} s", flush=True)
    print(f"{done} examples of {options.target}, seeds {first} to {number - 1}: 0 violations")
    return 0


if __name__ == "__main__":
    sys.exit(main())
