"""One answer under many settings: taken apart and scored once, judged anew where a threshold passes a score.

A threshold changes a verdict only where it comes to lie on the other side of a score. So the whole road is
walked once for each arrangement of thresholds and scores, and remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pytest_grounding import registry
from pytest_grounding.checks.base import CheckContext
from pytest_grounding.engine import validate
from pytest_grounding.engine.guard import guarded, is_unchecked
from pytest_grounding.engine.road import extract_and_score, judge
from pytest_grounding.gate.outcome import fails
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.model.verdict import ScorerFailure, Verdict
from pytest_grounding.scorers.base import ClaimText, RelevanceScore, Scorer, SupportScore
from pytest_grounding.settings import Settings

_DIGITS = 9
#: Settings that are compared with supports.
_SUPPORTS = ("supported_threshold", "borderline_threshold", "alignment_threshold")


class _Remembering:
    """A scorer that is asked once for each thing, and keeps the supports that it gave."""

    def __init__(self, scorer: Scorer, scores: set[float], kinds: set[str]) -> None:
        self._scorer = scorer
        self._scores = scores
        self._kinds = kinds
        self._known: dict[Any, Any] = {}

    @property
    def name(self) -> str:
        return self._scorer.name

    def relevance(
        self, question: str, chunks: Sequence[Chunk], *, language: str = "en"
    ) -> list[RelevanceScore]:
        key = (question, tuple(chunk.id for chunk in chunks), language)
        if key not in self._known:
            self._known[key] = self._scorer.relevance(question, chunks, language=language)
        return list(self._known[key])

    def support(
        self,
        claims: Sequence[ClaimText],
        chunks: Sequence[Chunk],
        *,
        question: str = "",
        language: str = "en",
    ) -> list[SupportScore]:
        key = (tuple(claims), tuple(chunk.id for chunk in chunks), question, language)
        if key not in self._known:
            found = self._scorer.support(claims, chunks, question=question, language=language)
            self._known[key] = found
            for score in found:
                if score.probability is not None:
                    self._scores.add(round(score.probability, _DIGITS))
                self._kinds.update(conflict.kind for conflict in score.conflicts)
        return list(self._known[key])


class Road:
    """One answer under many settings that differ in what `calibrate` chooses, and in nothing else."""

    def __init__(self, transcript: Transcript, settings: Settings) -> None:
        self.transcript = transcript
        self._has_conflicts: set[str] = set()
        self._scores: set[float] = set()
        self._context: CheckContext | None = None
        self._scorers: list[Scorer] = []
        self._failures: tuple[ScorerFailure, ...] = ()
        self._known: dict[tuple[object, ...], Verdict] = {}
        self._figures: dict[tuple[object, ...], tuple[float | None, float | None]] = {}
        first = guarded(transcript, settings, self._start)
        # A transcript that cannot be checked at all is refused whatever the thresholds are.
        self._fixed = first if self._context is None or is_unchecked(first) else None
        if self._fixed is None:
            self._keep(settings, first)

    def _start(self, transcript: Transcript, settings: Settings) -> Verdict:
        scorers = registry.scorers(settings)
        self._scorers = [_Remembering(scorer, self._scores, self._has_conflicts) for scorer in scorers]
        self._context, self._failures = extract_and_score(transcript, settings, self._scorers)
        return judge(self._context, self._scorers, self._failures)

    def verdict(self, settings: Settings) -> Verdict:
        """The verdict under these settings."""
        if self._fixed is not None:
            return self._fixed
        found = self._known.get(self._key(settings))
        if found is None:
            found = guarded(self.transcript, settings, self._again)
            self._keep(settings, found)
        return found

    def is_stopped(self, settings: Settings) -> bool:
        """Whether the answer fails under these settings."""
        return fails(self.verdict(settings), settings)

    def _again(self, transcript: Transcript, settings: Settings) -> Verdict:
        assert self._context is not None
        seen = len(self._scores)
        found = judge(replace(self._context, settings=settings), self._scorers, self._failures)
        if len(self._scores) != seen:
            # What was not told apart before may now be.
            self._known.clear()
            self._figures.clear()
        return found

    def _keep(self, settings: Settings, verdict: Verdict) -> None:
        self._figures[self._place(settings)] = verdict.confidence, verdict.hallucination_rate
        self._known[self._key(settings)] = verdict

    def _place(self, settings: Settings) -> tuple[object, ...]:
        """Where the thresholds lie among the scores."""
        counts = (sum(score >= getattr(settings, name) for score in self._scores) for name in _SUPPORTS)
        return (*counts, settings.possible_conflicts if self._has_conflicts else "")

    def _key(self, settings: Settings) -> tuple[object, ...]:
        """The same with what the gate compares."""
        place = self._place(settings)
        figures = self._figures.get(place)
        if figures is None:
            return ()
        confidence, rate = figures
        confidence = -1.0 if confidence is None else confidence
        return (
            *place,
            confidence >= settings.accept_confidence,
            confidence >= settings.reject_confidence,
            rate is not None and rate <= settings.max_hallucination_rate,
        )


def really_stopped(transcript: Transcript, settings: Settings) -> bool:
    """The same by the road that ``check`` takes: for the figures that are reported."""
    return fails(validate(transcript, settings), settings)
