"""What the engine and a judge say of claims, in words, the same in every output."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.model.finding import said_by
from pytest_grounding.model.run import RunReport, Summary
from pytest_grounding.model.verdict import ClaimVerdict, Verdict

#: Name of the suite's figure.
OVERRULED = "judge overruled the engine"


def opinions_of(claim: ClaimVerdict) -> list[tuple[str, str]]:
    """Both opinions on a claim: who, and what in words; mostly empty."""
    found = claim.opinions
    if found is None:
        return []
    engine = found.engine
    support = "" if engine.support is None else f" (support {engine.support:.2f})"
    lines = [("engine", f"{engine.status}{support}" + (f": {engine.reason}" if engine.reason else ""))]
    return [*lines, ("judge", said_by(found.judge).removeprefix("judge ").removeprefix("judge: "))]


def overruled(verdict: Verdict) -> list[tuple[int, str]]:
    """The claims on which the judge overruled the engine: their indexes, and both opinions in words."""
    return [
        (claim.index, str(claim.opinions))
        for claim in verdict.claims
        if claim.opinions is not None and claim.opinions.differ
    ]


def overruled_figure(summary: Summary | None) -> str:
    """How many of the claims that a judge ruled on it decided against the engine, or "" without a judge."""
    if summary is None or not summary.claims_judged:
        return ""
    return f"{summary.judge_overruled} of {summary.claims_judged} claims"


def overruled_claims(report: RunReport) -> Iterator[tuple[str, int, str]]:
    """The same over a run: transcript, index of the claim, and both opinions in words."""
    return ((verdict.id, *found) for verdict in report.transcripts for found in overruled(verdict))
