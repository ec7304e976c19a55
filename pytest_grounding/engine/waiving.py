"""Apply waivers in the pipeline: waived findings do not decide."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.checks.citation import CitationOutcome
from pytest_grounding.checks.hallucination import HallucinationOutcome, recommend
from pytest_grounding.engine import registry
from pytest_grounding.errors import SettingsError
from pytest_grounding.gate.waivers import Waivers, low_confidence, read
from pytest_grounding.model.finding import HALLUCINATED, Evidence, Finding, Waived
from pytest_grounding.model.verdict import CitationVerdict, ClaimVerdict, ConfidenceBreakdown
from pytest_grounding.rules import RULES, by_status, having, meant_by
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.gate.waivers import Waiver

_RULES = by_status()  # status of a claim -> the rule that reports it
_FOLLOWING = frozenset(having("follows"))  # caused by an unsupported claim: its waiver covers them
_SLIP = 0.9  # similarity from which an unknown rule name is a misspelling, not an extension's rule


class _Answer(NamedTuple):
    """An unfinished verdict, as far as waivers need it."""

    id: str
    claims: Sequence[ClaimVerdict] = ()
    citations: Sequence[CitationVerdict] = ()


def waivers_of(path: str) -> Waivers:
    """The waivers of a file; reread if the file has changed."""
    try:
        found = os.stat(path)  # noqa: PTH116 -- asked at each validation, and the name may be no path
    except OSError as error:
        named = Path(path)
        shown = named.relative_to(Path.cwd()) if named.is_relative_to(Path.cwd()) else named
        raise SettingsError(
            f"waivers_file = {shown.as_posix()!r} cannot be read ({error.strerror or error}); name a file of "
            "waivers, which may be empty, or leave the setting out"
        ) from None
    return _read(path, (found.st_mtime_ns, found.st_size, found.st_ino))


@lru_cache(maxsize=8)
def _read(path: str, state: tuple[int, ...]) -> Waivers:
    return Waivers(read(path, slip))


def slip(name: str) -> str:
    """The problem with a misspelled rule name, or ""."""
    if name in RULES or not (near := meant_by(name, likeness=_SLIP)) or name in _of_extensions():
        return ""
    return f"there is no rule {name!r}; did you mean {near!r}?"


def wrong_rule(name: str) -> str:
    """The problem with a rule name if all extensions are known, or ""."""
    if name in RULES or _of_extensions():
        return slip(name)
    near = meant_by(name)
    advice = f"did you mean {near!r}?" if near else "pytest-grounding explain lists all of them"
    return f"there is no rule {name!r}; {advice}"


def _of_extensions() -> frozenset[str]:
    return frozenset(check.name for check in registry.checks(Settings.of()))


class Overruling:
    """The waivers for one transcript."""

    def __init__(self, context: CheckContext, waivers: Sequence[Waiver]) -> None:
        self._settings = context.settings
        file = context.settings.waivers_file
        self._known = [waivers_of(file)] if file else []
        self._known += [Waivers(waivers)] if waivers else []
        self._answer = _Answer(context.transcript.id)
        self._leading: dict[int, list[Finding]] = {}  # claim -> its findings that are waived individually

    def checks(
        self, cited: CitationOutcome, claimed: HallucinationOutcome
    ) -> tuple[CitationOutcome, HallucinationOutcome]:
        """The outcomes of the checks without waived parts; call it before `findings`."""
        self._answer = _Answer(self._answer.id, claimed.claims, cited.citations)
        for item in map(self._marked, claimed.findings):
            if item.waived is not None and item.claim is not None and item.rule in _RULES.values():
                self._leading.setdefault(item.claim, []).append(item)
        return self._cited(cited), self._claimed(claimed)

    def findings(self, findings: Sequence[Finding]) -> list[Finding]:
        """The findings; a waived one becomes a note with the name of the person."""
        return list(map(self._marked, findings))

    def confidence(self, deciding: ConfidenceBreakdown) -> Waived | None:
        """Who accepted a confidence that holds the answer back, or None."""
        return self._marked(low_confidence(deciding, "")).waived

    def _marked(self, finding: Finding) -> Finding:
        if finding.waived is not None:
            return finding
        for known in self._known:
            found = known.find(finding, self._answer)
            if found is not None:
                return _waived(finding, found.waived)
        if finding.rule in _FOLLOWING and finding.claim is not None:
            # About the same claim and evidence as a waived one.
            for lead in self._leading.get(finding.claim, ()):
                if lead.waived is not None and _texts(finding.evidence) <= _texts(lead.evidence):
                    return _waived(finding, lead.waived)
        return finding

    def _cited(self, cited: CitationOutcome) -> CitationOutcome:
        citations = tuple(map(self._citation, cited.citations))
        counting = [item.valid for item in citations if item.counts]
        accuracy = sum(counting) / len(counting) if counting else None
        findings = tuple(self.findings(cited.findings))
        return cited._replace(citations=citations, findings=findings, accuracy=accuracy)

    def _citation(self, citation: CitationVerdict) -> CitationVerdict:
        findings = tuple(map(self._marked, citation.findings))
        valid = not any(item.severity == "error" for item in findings)
        overruled = next((item.waived for item in findings if item.waived is not None), None)
        waived = overruled if valid and not citation.valid else None
        return citation.model_copy(update={"findings": findings, "valid": valid, "waived": waived})

    def _claimed(self, claimed: HallucinationOutcome) -> HallucinationOutcome:
        findings = self.findings(claimed.findings)
        claims = tuple(_claim(item, findings) for item in claimed.claims)
        counting = (item for item in claims if item.waived is None)
        scored = [item for item in counting if item.status not in {"unchecked", "abstained"}]
        wrong = sum(item.status in HALLUCINATED for item in scored)
        rate = wrong / len(scored) if scored else None
        return HallucinationOutcome(claims, tuple(findings), rate, recommend(rate, self._settings))


def _claim(claim: ClaimVerdict, findings: Sequence[Finding]) -> ClaimVerdict:
    rule = _RULES.get(claim.status)
    saying = [item for item in findings if item.claim == claim.index and item.rule == rule]
    if not saying or not all(item.waived is not None for item in saying):
        return claim
    return claim.model_copy(update={"waived": saying[0].waived})


def _waived(finding: Finding, waived: Waived) -> Finding:
    """A finding that does not decide: a note with its original severity."""
    graded = waived.model_copy(update={"severity": finding.severity})
    return finding.model_copy(update={"severity": "info", "waived": graded})


def _texts(evidence: Sequence[Evidence]) -> set[str]:
    return {item.text for item in evidence}
