"""What people and a judge say of the same claims and answers, taken from validated labels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pytest_grounding.calibration.agreement import Pair
from pytest_grounding.calibration.labels import Label, status_at
from pytest_grounding.model.finding import Opinions
from pytest_grounding.model.verdict import ClaimVerdict

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
