"""What needs a person, the worst first: for a comment of ten lines, and for the list of a page."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from heapq import nsmallest
from typing import NamedTuple

from pytest_grounding.model.finding import Evidence, Finding, Waived
from pytest_grounding.model.run import RunReport
from pytest_grounding.model.verdict import ClaimVerdict, Verdict
from pytest_grounding.reports import figures
from pytest_grounding.reports.figures import only_new
from pytest_grounding.reports.issues import GATE, words
from pytest_grounding.rules import ORDER
from pytest_grounding.waivers.match import LOW_CONFIDENCE

# While the worst faults are looked for, so many times as many are held: each holds its verdict.
_HELD = 3


class News(NamedTuple):
    """How the transcripts stand against the baseline, by id."""

    has_baseline: bool = False
    new: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()
    repaired: frozenset[str] = frozenset()
    line: str = ""

    def wants(self, verdict: Verdict, report: RunReport) -> bool:
        """A transcript that somebody must look at: what is known, where only new findings fail, is none."""
        return needs_person(verdict, report) and not (self.line and verdict.id in self.known)


class Fault(NamedTuple):
    """The worst finding of a transcript, or another one of it, in a form that can be quoted."""

    verdict: Verdict
    rule: str
    message: str
    claim: str
    source: Evidence | None
    is_new: bool


def needs_person(verdict: Verdict, report: RunReport) -> bool:
    """A transcript that is no plain pass: it failed, was rejected, or is to be reviewed."""
    return _is_in_need(verdict, report.run.failed)


def _is_in_need(verdict: Verdict, failed: Collection[str]) -> bool:
    held_back = verdict.status != "pass" and not verdict.skipped
    return held_back or verdict.id in failed


def news_of(report: RunReport) -> News:
    """How the transcripts that need a person stand against the baseline."""
    found = report.gate.baseline if report.gate is not None else None
    if found is None:
        return News()
    ratchet = found.ratchet
    failed = frozenset(report.run.failed)
    in_need = {verdict.id for verdict in report.transcripts if _is_in_need(verdict, failed)}
    if ratchet is not None:
        new = in_need & ({item.transcript for item in ratchet.new} | {*report.run.failed})
        gone = {item.transcript for item in ratchet.gone} - in_need
        return News(True, frozenset(new), frozenset(in_need - new), frozenset(gone), ratchet.line)
    moved = (*found.flipped, *found.moved)
    worse = {item.id for item in moved if item.is_worse}
    new = in_need & (worse | {*found.added})
    repaired = {item.id for item in found.flipped if item.after == "pass"} - in_need
    return News(True, frozenset(new), frozenset(in_need - new), frozenset(repaired))


def waived_of(report: RunReport) -> Iterator[tuple[Verdict, str, Waived]]:
    """What people overruled: the verdict, the rule (of a finding its first that was) and what was said."""
    for verdict in report.transcripts:
        for finding in verdict.findings:
            part = next((part for part in finding.parts if part.waived is not None), None)
            if part is not None and part.waived is not None:
                yield verdict, part.rule, part.waived
        if verdict.waived is not None:
            yield verdict, LOW_CONFIDENCE, verdict.waived


def worst(report: RunReport, most: int) -> list[Fault]:
    """The worst faults of a run, new ones first; a transcript's second comes after every other's first."""
    news = news_of(report)
    ranked: list[tuple[tuple[bool, int, int, int, bool, int], Fault]] = []
    for place, verdict in enumerate(figures.worst_first(only_new(report))):
        if not news.wants(verdict, report):
            continue
        is_new = verdict.id in news.new
        turns = 0
        for order, finding in _grave(verdict):
            fault = _fault(verdict, finding, is_new=is_new)
            # What can be shown with both quotes is understood without opening anything.
            is_bare = fault.source is None
            key = (not is_new, turns, ORDER[finding.severity], place, is_bare, order)
            ranked.append((key, fault))
            turns += 1
        if not turns:
            key = (not is_new, 0, ORDER["error"], place, True, 0)
            reason = verdict.reason or verdict.status
            ranked.append((key, Fault(verdict, GATE, reason, "", None, is_new)))
        if len(ranked) > _HELD * most:
            ranked = nsmallest(most, ranked, key=_key)
    ranked.sort(key=_key)
    return [fault for _, fault in ranked[:most]]


def _key(item: tuple[tuple[bool, int, int, int, bool, int], Fault]) -> tuple[bool, int, int, int, bool, int]:
    return item[0]


def _grave(verdict: Verdict) -> list[tuple[int, Finding]]:
    """The findings that matter, the gravest first, each with its place in the verdict."""
    found = [
        item for item in enumerate(verdict.findings) if item[1].severity != "info" and item[1].waived is None
    ]
    return sorted(found, key=lambda item: (ORDER[item[1].severity], not item[1].evidence, item[0]))


def _fault(verdict: Verdict, finding: Finding, *, is_new: bool) -> Fault:
    return Fault(
        verdict,
        finding.rule,
        finding.message,
        words(verdict, finding),
        source_of(verdict, finding),
        is_new,
    )


def source_of(verdict: Verdict, finding: Finding) -> Evidence | None:
    """The sentence that a finding is to be held against: its own evidence, else that of its claim."""
    if finding.evidence:
        return finding.evidence[0]
    claim = _claim_of(finding, verdict.claims)
    if claim is None:
        return None
    if claim.conflicts:
        return claim.conflicts[0].evidence
    return claim.evidence[0] if claim.evidence else None


def _claim_of(finding: Finding, claims: Sequence[ClaimVerdict]) -> ClaimVerdict | None:
    if finding.claim is None or finding.claim >= len(claims):
        return None
    return claims[finding.claim]
