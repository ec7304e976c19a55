"""The accepted figures of a suite, which a build must not fall below."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from pytest_grounding._io.wording import if_known, measured, one_line
from pytest_grounding.model.base import Model
from pytest_grounding.model.finding import SCORED
from pytest_grounding.model.verdict import Expectations, Status, Verdict

_REPEAT = re.compile(r"(.+)#\d+")
_LONGEST = 160  # most characters of a kept sentence
_DIGITS = 6  # a baseline is read by people, who do not need the last digits of a float
_MOST = 12  # most kept sentences of an answer
Cell = Literal["", "answered", "over_refusal", "rightly_declined", "answered_absent", "half_declined"]
Count = Annotated[int, Field(ge=0, strict=True)]
Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


class Known(Model):
    """A finding that holds its transcript back, as one line of a baseline."""

    rule: str = Field(min_length=1)
    severity: Literal["error", "warning"]
    hash: str = Field(min_length=1)
    words: str = ""
    number: Annotated[int, Field(ge=1, strict=True)] = 1

    @property
    def said(self) -> str:
        """Severity, rule and words, for people."""
        return f"{self.severity} {self.rule}" + if_known(' "{}"', self.words)


class BaselineEntry(Model):
    """One transcript of a baseline: its content and the figures of its verdict."""

    id: str = Field(min_length=1)
    hash: str
    status: Status
    confidence: Share | None = None
    citations: Count = 0
    citations_valid: Count = 0
    claims: Count = 0
    hallucinated: Count = 0
    abstained: Count = 0
    findings: Mapping[str, Count] = Field(default_factory=dict)
    settings_hash: str = ""
    in_parts: Count = 0
    complete: Count = 0
    abstention: Cell = ""
    known: tuple[Known, ...] | None = None
    facts_expected: Count = 0
    facts_stated: Count = 0
    sources_expected: Count = 0
    sources_found: Count = 0
    reciprocal_rank: Share = 0.0
    sentences: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, verdict: Verdict, *, settings_hash: str = "", known: tuple[Known, ...] | None = None
    ) -> BaselineEntry:
        """The line for a verdict; ``settings_hash`` is that of the whole baseline."""
        citations = [item for item in verdict.citations if item.counts]
        counting = [claim for claim in verdict.claims if claim.checked and claim.waived is None]
        statuses = Counter[str](claim.status for claim in counting)
        found = Counter(f"{item.severity} {item.rule}" for item in verdict.causes)
        confidence = measured(verdict.confidence)
        parts = None if is_overruled(verdict) else verdict.completeness
        came = verdict.expectations or Expectations()
        return cls(
            id=verdict.id,
            hash=verdict.transcript_hash,
            status=verdict.status,
            confidence=None if confidence is None else round(confidence, _DIGITS),
            citations=len(citations),
            citations_valid=sum(item.valid for item in citations),
            claims=sum(number for status, number in statuses.items() if status in SCORED),
            hallucinated=len(verdict.hallucinated),
            abstained=statuses["abstained"],
            findings={key: found[key] for key in sorted(found) if not key.startswith("info ")},
            in_parts=int(parts is not None),
            complete=int(parts is not None and parts.complete),
            abstention="" if verdict.abstention == "unknown" else verdict.abstention,
            settings_hash="" if verdict.settings_hash == settings_hash else verdict.settings_hash,
            known=known,
            facts_expected=len(came.facts),
            facts_stated=sum(came.facts),
            sources_expected=len(came.ranks),
            sources_found=sum(rank is not None for rank in came.ranks),
            reciprocal_rank=round(came.reciprocal_rank, _DIGITS),
            sentences=_checked_sentences(verdict)[:_MOST],
        )

    def replaced_in(self, verdict: Verdict) -> tuple[str, ...]:
        """Its sentences that an answer has no longer; none of a baseline that was written without them."""
        kept = _checked_sentences(verdict)
        return tuple(text for text in self.sentences if text not in kept)

    @property
    def question(self) -> str:
        """The question it repeats: its id without ``#1``, ``#2``, ..., which the recorder appends."""
        return question_of(self.id)

    @property
    def is_ungrounded(self) -> bool:
        """The answer has a citation that violates an error rule."""
        return self.citations_valid < self.citations


class Baseline(Model):
    """The accepted figures of a suite."""

    schema_version: Literal[1] = 1
    engine_version: str
    settings: Mapping[str, Any] = Field(default_factory=dict)
    settings_hash: str
    figures: Mapping[str, int | float | None] = Field(default_factory=dict)
    transcripts: tuple[BaselineEntry, ...]


def question_of(identifier: str) -> str:
    """The question that a recording repeats: its id without ``#1``, ``#2``, ...."""
    found = _REPEAT.fullmatch(identifier)
    return found[1] if found else identifier


def _checked_sentences(verdict: Verdict) -> tuple[str, ...]:
    return tuple(one_line(claim.text, _LONGEST) for claim in verdict.claims if claim.checked)


def is_overruled(verdict: Verdict) -> bool:
    """Whether the finding "incomplete" is waived: then the answer does not count in completeness."""
    return any(cause.rule == "incomplete" and cause.waived is not None for cause in verdict.causes)
