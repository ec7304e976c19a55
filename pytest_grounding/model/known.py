"""What holds a transcript back, as a baseline keeps it: the rule, and a hash of what it is about."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal

from pydantic import Field

from pytest_grounding._jsonio import content_hash
from pytest_grounding.model._base import Model
from pytest_grounding.model.verdict import ClaimVerdict, Finding, Verdict

#: Rule of what fails by its figures alone: not one error or warning says why.
LOW_CONFIDENCE = "low_confidence"

_DIGITS = 16
# A baseline is read in reviews: enough words to know the claim by, and no more.
_LONGEST = 80


class Known(Model):
    """A finding that holds its transcript back, as one line of a baseline.

    Attributes:
        rule: the rule that found it, or ``low_confidence`` where none did.
        severity: error or warning.
        hash: what it is about, as 16 hexadecimal digits: the words of its claim, else the target of its
            citation, else the whole transcript.
        words: the words of the claim or citation, shortened, for people.
        number: how many such findings there are.
    """

    rule: str = Field(min_length=1)
    severity: Literal["error", "warning"]
    hash: str = Field(min_length=1)
    words: str = ""
    number: Annotated[int, Field(ge=1, strict=True)] = 1

    @property
    def said(self) -> str:
        """Severity, rule and words, for people."""
        about = f' "{self.words}"' if self.words else ""
        return f"{self.severity} {self.rule}{about}"


def failing(verdict: Verdict) -> list[tuple[Finding | None, Known]]:
    """The findings that hold a transcript back, each with its line; the number is 1 in all of them.

    A verdict that did not pass and has no such finding failed by its figures: one line without a finding.
    """
    found: list[tuple[Finding | None, Known]] = [
        (item, _line(item, verdict)) for item in verdict.findings if item.severity in ("error", "warning")
    ]
    if found or verdict.status == "pass":
        return found
    line = Known(
        rule=LOW_CONFIDENCE,
        severity="error" if verdict.status == "reject" else "warning",
        hash=_hash([verdict.transcript_hash]),
    )
    return [(None, line)]


def known_of(verdict: Verdict) -> tuple[Known, ...]:
    """The lines of a verdict in a baseline, equal ones as one with their number, in a fixed order."""
    return gathered([line for _, line in failing(verdict)])


def gathered(lines: list[Known]) -> tuple[Known, ...]:
    """Lines in order: errors first, then by rule, words and hash; equal ones are one with their number."""
    numbers: Counter[Known] = Counter()
    for line in lines:
        numbers[line.model_copy(update={"number": 1})] += line.number
    merged = [line.model_copy(update={"number": number}) for line, number in numbers.items()]
    return tuple(sorted(merged, key=lambda line: (line.severity, line.rule, line.words, line.hash)))


def _line(finding: Finding, verdict: Verdict) -> Known:
    parts = [_words(claim, verdict) for claim in _claims(finding, verdict)]
    shown = " ".join(parts)
    if not parts and finding.citation is not None and finding.citation < len(verdict.citations):
        citation = verdict.citations[finding.citation]
        parts, shown = [f"{citation.syntax} {citation.target}"], citation.text
    return Known(
        rule=finding.rule,
        severity="error" if finding.severity == "error" else "warning",
        hash=_hash(parts or [verdict.transcript_hash]),
        words=shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 3]}...",
    )


def _claims(finding: Finding, verdict: Verdict) -> list[ClaimVerdict]:
    """The claims that a finding is about: its own, else those that its place in the answer touches."""
    if finding.claim is not None and finding.claim < len(verdict.claims):
        return [verdict.claims[finding.claim]]
    if finding.span is None or finding.citation is not None:
        return []
    start, end = finding.span
    return [claim for claim in verdict.claims if claim.start < end and start < claim.end]


def _words(claim: ClaimVerdict, verdict: Verdict) -> str:
    """The words of a claim without the markers in it: a source that moves changes no claim."""
    kept: list[str] = []
    at = claim.start
    for index in claim.citations:
        marker = verdict.citations[index] if index < len(verdict.citations) else None
        if marker is not None and at <= marker.start < marker.end <= claim.end:
            kept.append(claim.text[at - claim.start : marker.start - claim.start].rstrip())
            at = marker.end
    kept.append(claim.text[at - claim.start :])
    return " ".join("".join(kept).split())


def _hash(parts: list[str]) -> str:
    return content_hash(parts)[:_DIGITS]
