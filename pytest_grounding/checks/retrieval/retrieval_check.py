"""Retrieval validation: relevance, question type, presence, evidence, rating, source quality."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import NamedTuple

from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.checks.retrieval.conflicts import SourceConflict, conflict_findings, conflicting_sources
from pytest_grounding.checks.retrieval.presence import find_presence
from pytest_grounding.checks.retrieval.quality import judge_relevance, rate, score_relevance, source_quality
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import ChunkRelevance, RetrievalVerdict
from pytest_grounding.questions import ContextualQuestion, analyse_after, asked_after
from pytest_grounding.reading.injected import restored, screened
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer
from pytest_grounding.scorers.protocol import Scorer
from pytest_grounding.settings import Settings


class _Judged(NamedTuple):
    """The verdict on a retrieval, and contradictions between its chunks."""

    verdict: RetrievalVerdict
    conflicts: tuple[SourceConflict, ...]


class RetrievalOutcome(NamedTuple):
    """The verdict on a retrieval, with findings."""

    retrieval: RetrievalVerdict
    findings: tuple[Finding, ...]


def validate_retrieval(
    question: str,
    chunks: Sequence[Chunk],
    *,
    scorers: Sequence[Scorer],
    settings: Settings,
    language: str = "en",
) -> RetrievalVerdict:
    """Whether the retrieval brought what the question needs."""
    asked = asked_after(question, (), language)
    return _validate(question, asked, chunks, scorers, settings, language).verdict


def _validate(
    question: str,
    asked: ContextualQuestion,
    chunks: Sequence[Chunk],
    scorers: Sequence[Scorer],
    settings: Settings,
    language: str,
) -> _Judged:
    clock = _Clock()
    retrieved, chunks = chunks, chunks if settings.injection == "off" else screened(chunks)
    # Chunks with orders or hidden text have other texts now.
    ordering = {new.id for old, new in zip(retrieved, chunks, strict=True) if old is not new}
    info = analyse_after(asked, question, language)
    clock.lap("question")
    own = scorers[0] if len(scorers) == 1 and isinstance(scorers[0], LexicalScorer) else None
    key = _Key(question, asked, language, tuple([chunk.text for chunk in retrieved]))
    kept = _kept.get(key) if own is not None else None
    if kept is not None and kept.is_of(own, settings, retrieved):
        # Several answers over one retrieval (and mutations of one answer): judged once.
        return kept.judged_in(clock.laps)
    served = score_relevance(asked.text, chunks, scorers, language)
    relevance = judge_relevance(served, chunks, settings.relevance_threshold, names_topic=asked.names_topic)
    clock.lap("relevance")
    found = find_presence(info, chunks, relevance)
    clock.lap("presence")
    conflicts = conflicting_sources(chunks, relevance)
    clock.lap("conflicts")
    qualities = source_quality(retrieved, conflicts, ordering)
    relevance = tuple(
        ChunkRelevance.built(**{**judged.__dict__, "quality": quality, "quality_reasons": reasons})
        for judged, (quality, reasons) in zip(relevance, qualities, strict=True)
    )
    clock.lap("quality")
    rated = rate(relevance, found.presence, settings)
    clock.lap("rating")
    originals = {chunk.id: chunk for chunk in retrieved}
    verdict = RetrievalVerdict(
        rating=rated.rating,
        reason=f"{rated.reason}; read with the turn before it" if asked.turn else rated.reason,
        rating_confidence=rated.confidence,
        rating_confidence_reason=rated.confidence_reason,
        question_type=info.type,
        expected_answer=info.expected,
        relevance=relevance,
        mean_relevance=rated.mean_relevance,
        mean_all=rated.mean_all,
        answer_present=found.presence,
        presence_reason=found.reason,
        evidence=tuple(restored(item, originals) for item in found.evidence) if ordering else found.evidence,
        scorer=served.scorer,
        scorer_failures=served.failures,
        conflicts=tuple(item.conflict for item in conflicts),
        stage_ms=clock.laps,
    )
    judged = _Judged(verdict, conflicts)
    if own is not None:
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        _kept[key] = _Kept(settings, own, tuple(retrieved), judged)
    return judged


class _Kept(NamedTuple):
    """A judged retrieval, and its input."""

    settings: Settings
    scorer: Scorer
    chunks: tuple[Chunk, ...]
    judged: _Judged

    def is_of(self, scorer: Scorer | None, settings: Settings, chunks: Sequence[Chunk]) -> bool:
        """Whether the input is equal; equal texts may have other metadata."""
        return self.scorer is scorer and self.settings is settings and self.chunks == tuple(chunks)

    def judged_in(self, laps: dict[str, float]) -> _Judged:
        """The same with other times; a stage that was not run again took none."""
        verdict = self.judged.verdict
        stage_ms = dict.fromkeys(verdict.stage_ms, 0.0) | laps
        return _Judged(verdict.model_copy(update={"stage_ms": stage_ms}), self.judged.conflicts)


class _Key(NamedTuple):
    """Cache key of a retrieval; `asked` is the analysis of its question."""

    question: str
    asked: ContextualQuestion
    language: str
    texts: tuple[str, ...]


#: Separate from the cached readings: a verdict is large, and depends on all chunks.
#: The last retrievals scored by the built-in scorer alone, which is deterministic.
_kept: dict[_Key, _Kept] = {}
_MOST_KEPT = 16


def check(context: CheckContext, *, scorers: Sequence[Scorer]) -> RetrievalOutcome:
    """Validate the retrieval of one transcript."""
    transcript = context.transcript
    question, language = transcript.question, context.language
    asked = asked_after(question, transcript.history, language)
    judged = _validate(question, asked, transcript.chunks, scorers, context.settings, language)
    is_value = judged.verdict.expected_answer in ("date", "quantity")
    stated = judged.verdict.evidence if is_value else ()
    return RetrievalOutcome(judged.verdict, conflict_findings(judged.conflicts, stated, transcript))


class _Clock:
    """Milliseconds by stage."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = perf_counter()

    def lap(self, stage: str) -> None:
        """End a stage."""
        last, self._last = self._last, perf_counter()
        self.laps[stage] = round((self._last - last) * 1000, 3)
