"""How far people's labels agree with each other and with the judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pytest_grounding._io.wording import wilson
from pytest_grounding.calibration.labels import Label, status_at

SEED = 20261122
RESAMPLES = 2000
_DIGITS = 12


class Pair(NamedTuple):
    """Labels of people and a judge for a claim or answer; resampling keeps groups together."""

    group: str
    is_bad: bool
    is_rejected: bool


class Estimate(NamedTuple):
    """A figure with its 95 % interval; None without anything to measure."""

    value: float | None
    low: float | None = None
    high: float | None = None


class Agreement(NamedTuple):
    """A judge compared with people."""

    number: int
    groups: int
    base_rate: Estimate
    kappa: Estimate
    catch: Estimate
    false_rejection: Estimate


def agreement(pairs: Iterable[Pair]) -> Agreement | None:
    """Measure a judge; shares have Wilson's interval, kappa that of a bootstrap over groups."""
    given = sorted(pairs)
    if not given:
        return None
    cells = Counter((pair.is_bad, pair.is_rejected) for pair in given)
    both, missed = cells[True, True], cells[True, False]
    wrongly, kept = cells[False, True], cells[False, False]

    def share(count: int, total: int) -> Estimate:
        ends = wilson(count, total)
        return Estimate(None) if ends is None else Estimate(count / total, *ends)

    return Agreement(
        number=len(given),
        groups=len({pair.group for pair in given}),
        base_rate=share(both + missed, len(given)),
        kappa=_kappa(given, (both, missed, wrongly, kept)),
        catch=share(both, both + missed),
        false_rejection=share(wrongly, wrongly + kept),
    )


def kappa(both: float, missed: float, wrongly: float, kept: float) -> float | None:
    """Cohen's kappa of a table of four cells; None if chance alone explains all of it."""
    total = both + missed + wrongly + kept
    if not total:
        return None
    seen = (both + kept) / total
    bad, rejected = (both + missed) / total, (both + wrongly) / total
    chance = bad * rejected + (1 - bad) * (1 - rejected)
    return None if chance >= 1 else (seen - chance) / (1 - chance)


def _kappa(pairs: Sequence[Pair], cells: tuple[int, int, int, int]) -> Estimate:
    import numpy as np

    value = kappa(*cells)
    if value is None:
        return Estimate(None)
    numbers = {group: number for number, group in enumerate(dict.fromkeys(pair.group for pair in pairs))}
    table = np.zeros((len(numbers), 4))
    for pair in pairs:
        table[numbers[pair.group], (0 if pair.is_bad else 2) + (0 if pair.is_rejected else 1)] += 1
    generator = np.random.Generator(np.random.PCG64(SEED))
    drawn = (table[generator.integers(0, len(table), size=len(table))].sum(axis=0) for _ in range(RESAMPLES))
    found = [one for cells in drawn if (one := kappa(*cells)) is not None]
    low, high = np.quantile(found, [0.025, 0.975])
    # Rounding errors would show 0 as "-0.00", which looks like disagreement.
    value, low, high = (round(float(number), _DIGITS) + 0.0 for number in (value, low, high))
    return Estimate(value, min(value, low), max(value, high))


@dataclass
class Opinion:
    """All comparisons with a judge: pairs for claims and for answers, and the claims without a ruling."""

    claims: list[Pair] = field(default_factory=list)
    answers: list[Pair] = field(default_factory=list)
    unknown: list[tuple[str, str, str]] = field(default_factory=list)


def opinion_of(labels: Iterable[Label]) -> Opinion:
    """Compare a judge with people, on labels whose verdicts contain its rulings on every checked claim."""
    found = Opinion()
    for label in labels:
        if label.verdict is None or label.transcript is None:
            continue
        values = []
        for claim in label.verdict.claims:
            if claim.opinions is None:
                continue
            ruling = claim.opinions.judge
            values.append(ruling.value)
            said = status_at(label, claim.start, claim.end)
            if ruling.value is None:
                found.unknown.append((label.transcript.id, claim.text, ruling.reason))
            elif said is not None:
                found.claims.append(Pair(label.group, said != "supported", ruling.value != "full"))
        if values and None not in values:
            is_rejected = any(value != "full" for value in values)
            found.answers.append(Pair(label.group, not label.correct, is_rejected))
    return found
