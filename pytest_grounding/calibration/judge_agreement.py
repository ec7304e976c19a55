"""How far labels of people agree with each other and with the judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pytest_grounding.calibration.labels import Label, status_at
from pytest_grounding.model.finding import Opinions
from pytest_grounding.model.verdict import ClaimVerdict

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

Interval = Callable[[int, int], tuple[float, float] | None]

SEED = 20261122
RESAMPLES = 2000
#: Draws that are held in memory at once.
_BATCH = 200
_DIGITS = 12


class Pair(NamedTuple):
    """What people and a judge say of one claim or answer; pairs of one group are drawn together."""

    group: str
    is_bad: bool
    is_rejected: bool


class Estimate(NamedTuple):
    """A figure with its 95 % interval; None where there is nothing to measure it by."""

    value: float | None
    low: float | None = None
    high: float | None = None


class Agreement(NamedTuple):
    """A judge against people."""

    number: int
    groups: int
    base_rate: Estimate
    kappa: Estimate
    catch: Estimate
    false_rejection: Estimate


def agreement(
    pairs: Iterable[Pair], wilson: Interval, *, seed: int = SEED, resamples: int = RESAMPLES
) -> Agreement | None:
    """Measure a judge; intervals by a bootstrap over groups, those of shares never narrower than Wilson's."""
    given = sorted(pairs)
    if not given:
        return None
    cells = Counter((pair.is_bad, pair.is_rejected) for pair in given)
    both, missed = cells[True, True], cells[True, False]
    wrongly, kept = cells[False, True], cells[False, False]
    draws = _drawn(given, seed, resamples)
    return Agreement(
        number=len(given),
        groups=len({pair.group for pair in given}),
        base_rate=_share(
            wilson(both + missed, len(given)), both + missed, len(given), draws, (0, 1), (0, 1, 2, 3)
        ),
        kappa=_kappa(both, missed, wrongly, kept, draws),
        catch=_share(wilson(both, both + missed), both, both + missed, draws, (0,), (0, 1)),
        false_rejection=_share(wilson(wrongly, wrongly + kept), wrongly, wrongly + kept, draws, (2,), (2, 3)),
    )


def kappa(both: float, missed: float, wrongly: float, kept: float) -> float | None:
    """Cohen's kappa of a table of four cells; None where chance alone explains all of it."""
    total = both + missed + wrongly + kept
    if not total:
        return None
    seen = (both + kept) / total
    bad, rejected = (both + missed) / total, (both + wrongly) / total
    chance = bad * rejected + (1 - bad) * (1 - rejected)
    return None if chance >= 1 else (seen - chance) / (1 - chance)


def _drawn(pairs: Sequence[Pair], seed: int, resamples: int) -> Array:
    """The four cells of each draw: as many groups as there are, with putting back."""
    import numpy as np

    numbers: dict[str, int] = {}
    for pair in pairs:
        numbers.setdefault(pair.group, len(numbers))
    cells = np.zeros((len(numbers), 4))
    for pair in pairs:
        cells[numbers[pair.group], (0 if pair.is_bad else 2) + (0 if pair.is_rejected else 1)] += 1
    generator = np.random.Generator(np.random.PCG64(seed))
    found = []
    for start in range(0, resamples, _BATCH):
        size = min(_BATCH, resamples - start)
        chosen = generator.integers(0, len(cells), size=(size, len(cells)))
        found.append(cells[chosen].sum(axis=1))
    drawn: Array = np.concatenate(found)
    return drawn


def _kappa(both: int, missed: int, wrongly: int, kept: int, draws: Array) -> Estimate:
    import numpy as np

    value = kappa(both, missed, wrongly, kept)
    if value is None:
        return Estimate(None)
    total = draws.sum(axis=1)
    seen = (draws[:, 0] + draws[:, 3]) / total
    bad, rejected = (draws[:, 0] + draws[:, 1]) / total, (draws[:, 0] + draws[:, 2]) / total
    chance = bad * rejected + (1 - bad) * (1 - rejected)
    usable = chance < 1
    found = (seen[usable] - chance[usable]) / (1 - chance[usable])
    low, high = np.quantile(found, [0.025, 0.975])
    # Sums of shares miss 0 by a hair, and "-0.00" reads like disagreement.
    value, low, high = (round(float(number), _DIGITS) + 0.0 for number in (value, low, high))
    return Estimate(value, min(value, low), max(value, high))


def _share(
    plain: tuple[float, float] | None,
    count: int,
    total: int,
    draws: Array,
    hits: Sequence[int],
    of: Sequence[int],
) -> Estimate:
    """A share; a bootstrap of ten out of ten knows no doubt, so Wilson's interval is the least."""
    import numpy as np

    if plain is None:
        return Estimate(None)
    totals = draws[:, list(of)].sum(axis=1)
    shares = draws[:, list(hits)].sum(axis=1)[totals > 0] / totals[totals > 0]
    low, high = np.quantile(shares, [0.025, 0.975])
    return Estimate(count / total, min(plain[0], float(low)), max(plain[1], float(high)))


_BACKED = frozenset({"supported", "borderline"})


@dataclass
class Judged:
    """One rater against people."""

    claims: list[Pair] = field(default_factory=list)
    answers: list[Pair] = field(default_factory=list)


@dataclass
class Opinion:
    """All that labels tell of a judge."""

    judge: Judged = field(default_factory=Judged)
    engine: Judged = field(default_factory=Judged)
    unknown: list[tuple[str, str, str]] = field(default_factory=list)


def opinion_of(labels: Iterable[Label]) -> Opinion:
    """Compare a judge with people on labels whose verdicts hold its rulings on every checked claim."""
    found = Opinion()
    for label in labels:
        if label.verdict is None or label.transcript is None:
            continue
        claims = [claim for claim in label.verdict.claims if claim.opinions is not None]
        for claim in claims:
            _take(found, label, claim)
        told = [claim.opinions.judge.value for claim in claims if claim.opinions is not None]
        if told and None not in told:
            is_rejected = any(value != "full" for value in told)
            found.judge.answers.append(Pair(label.group, not label.correct, is_rejected))
            is_bad = any(_engine_rejects(claim.opinions) for claim in claims)
            found.engine.answers.append(Pair(label.group, not label.correct, is_bad))
    return found


def _take(found: Opinion, label: Label, claim: ClaimVerdict) -> None:
    opinions = claim.opinions
    if opinions is None or label.transcript is None:
        return
    if opinions.judge.value is None:
        found.unknown.append((label.transcript.id, claim.text, opinions.judge.reason))
        return
    said = status_at(label, claim.start, claim.end)
    if said is None:
        return
    is_bad = said != "supported"
    found.judge.claims.append(Pair(label.group, is_bad, opinions.judge.value != "full"))
    found.engine.claims.append(Pair(label.group, is_bad, _engine_rejects(opinions)))


def _engine_rejects(opinions: Opinions | None) -> bool:
    return opinions is not None and opinions.engine.status not in _BACKED
