"""Does the comparison with a baseline raise false alarms, and does it find real drops?

Each simulated history is a suite recorded twice by a pipeline whose answers vary. Every question has its own
probability of a good answer; the second recording may have a known drop. Measured are how often the policy
``significant=0.05`` fails the build, and how often the 95 % interval of the bootstrap contains the true drop.
Exit status 1: more builds fail without a change than the policy allows, or the interval misses the true drop
too often (by the interval of that share itself).

    python -m benchmarks.suite_statistics
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

import numpy as np

from pytest_grounding._io.wording import wilson
from pytest_grounding.model.baseline_values import BaselineEntry
from pytest_grounding.settings import Settings
from pytest_grounding.suite.compare import changes

ALPHA = 0.05
#: Nominal coverage of a 95 % interval, and the tolerance for a bootstrap.
HELD, SLACK = 0.95, 0.02
CLAIMS = 4


@dataclass(frozen=True)
class Plan:
    """One kind of history.

    Attributes:
        name: what it shows.
        questions: questions of the suite.
        repeats: recordings of each question.
        noise: how much answers vary, from 0 (always the same) to 1 (independent).
        drop: decrease of the probability of a good answer, in [0, 1].
    """

    name: str
    questions: int
    repeats: int = 1
    noise: float = 1.0
    drop: float = 0.0


@dataclass(frozen=True)
class Found:
    """Results of many histories of one plan, as counts."""

    plan: Plan
    histories: int
    alarms: int
    pass_share_worse: int
    covered: int
    measured: int


PLANS = (
    Plan("nothing changed, nothing varies", 100, noise=0.0),
    Plan("nothing changed, answers vary", 40),
    Plan("nothing changed, answers vary", 200),
    Plan("nothing changed, 4 repeats", 50, repeats=4),
    Plan("small drop", 100, drop=0.05),
    Plan("drop of 0.15", 100, drop=0.15),
    Plan("drop of 0.15", 200, drop=0.15),
    Plan("drop of 0.15, 4 repeats", 50, repeats=4, drop=0.15),
    Plan("drop of 0.15, nothing else varies", 100, noise=0.0, drop=0.15),
)


def recording(
    plan: Plan, good: np.ndarray, fixed: np.ndarray, generator: np.random.Generator
) -> dict[str, BaselineEntry]:
    """One recording of a suite, given the probability of a good answer of each question."""
    found = {}
    for question in range(plan.questions):
        for repeat in range(1, plan.repeats + 1):
            varies = generator.random() < plan.noise
            draw = generator.random() if varies else fixed[question]
            is_good = draw < good[question]
            wrong = 0 if is_good else 1 + int(generator.random() < 0.3) * int(plan.noise > 0)
            name = f"q{question:04}" + (f"#{repeat}" if plan.repeats > 1 else "")
            found[name] = BaselineEntry(
                id=name,
                hash="",
                status="pass" if is_good else "reject",
                confidence=0.9 if is_good else 0.5,
                citations=2,
                citations_valid=2 if is_good else 1,
                claims=CLAIMS,
                hallucinated=wrong,
            )
    return found


def history(
    plan: Plan, generator: np.random.Generator
) -> tuple[dict[str, BaselineEntry], dict[str, BaselineEntry], float]:
    """Two recordings, and the true drop of the share of good answers to these questions."""
    good = generator.beta(6.0, 1.5, plan.questions)
    lower = np.clip(good - plan.drop, 0.0, 1.0)
    fixed = generator.random(plan.questions)
    before = recording(plan, good, fixed, generator)
    after = recording(plan, lower, fixed, generator)
    return before, after, float((good - lower).mean())


def measure(plan: Plan, histories: int, *, seed: int = 1) -> Found:
    """Compare many histories of one plan."""
    generator = np.random.Generator(np.random.PCG64(seed))
    settings = Settings(baseline_policy=f"significant={ALPHA}")
    alarms = worse = covered = measured = 0
    for _ in range(histories):
        before, after, drop = history(plan, generator)
        found = {item.name: item for item in changes(before, after, settings)}
        alarms += any(item.outcome == "worse" for item in found.values())
        share = found["pass_share"]
        worse += share.outcome == "worse"
        if plan.noise == 1.0 and share.low is not None and share.high is not None:
            measured += 1
            covered += share.low <= drop <= share.high
    return Found(plan, histories, alarms, worse, covered, measured)


def main() -> int:
    """Print one line per plan; return 0 if all are good."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--histories", type=int, default=400)
    number = parser.parse_args().histories
    print(f"{number} histories each, policy significant={ALPHA}, shares with their 95 % Wilson interval")
    head = f"{'questions':>9}  {'repeats':>7}  {'build fails':<22}  {'interval holds':<22}"
    print(f"{'history':<36}  {head}")
    bad = []
    for plan in PLANS:
        found = measure(plan, number)
        cells = f"{plan.questions:>9}  {plan.repeats:>7}"
        fails, holds = (
            shown(found.alarms, found.histories),
            shown(found.covered, found.measured),
        )
        is_good = is_calm(found) and is_honest(found)
        bad += [] if is_good else [plan.name]
        print(f"{plan.name:<36}  {cells}  {fails:<22}  {holds:<22}{'' if is_good else '  BAD'}", flush=True)
    print(f"good: without a drop at most {ALPHA} of the builds fail; the interval holds in {HELD} of all")
    return int(bool(bad))


def is_calm(found: Found) -> bool:
    """Whether no more builds than the policy allows fail without a change."""
    interval = wilson(found.alarms, found.histories)
    return bool(found.plan.drop) or interval is None or interval[0] <= ALPHA


def is_honest(found: Found) -> bool:
    """Whether the interval contains the true difference as often as promised, with a small tolerance."""
    interval = wilson(found.covered, found.measured)
    return interval is None or interval[1] >= HELD - SLACK


def shown(count: int, total: int) -> str:
    """A share with its interval."""
    interval = wilson(count, total)
    return "-" if interval is None else f"{count / total:.3f} ({interval[0]:.3f}-{interval[1]:.3f})"


if __name__ == "__main__":
    sys.exit(main())
