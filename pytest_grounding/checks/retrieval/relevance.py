"""Relevance of each chunk by the first scorer that works."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_grounding.errors import GroundingError, ScorerError, UnreadableCassetteError
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import ChunkRelevance, ScorerFailure
from pytest_grounding.scorers.base import RelevanceScore, Scorer

# Scores are compared after rounding, so that 0.1 + 0.2 reaches a threshold of 0.3.
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Served:
    """Relevance scores and how they came about.

    Attributes:
        scores: one a chunk; the value None where it could not be scored.
        scorer: name of the scorer that served, or "" where none did.
        failures: for each scorer tried before it why it did not serve.
    """

    scores: tuple[RelevanceScore, ...]
    scorer: str
    failures: tuple[ScorerFailure, ...]


def score_relevance(
    question: str, chunks: Sequence[Chunk], scorers: Sequence[Scorer], language: str
) -> Served:
    """Ask the scorers in turn, until one scores at least one chunk."""
    failures: list[ScorerFailure] = []
    if not chunks:
        return Served((), scorers[0].name if scorers else "", ())
    for scorer in scorers:
        try:
            scores = scorer.relevance(question, chunks, language=language)
        except UnreadableCassetteError:
            raise
        except GroundingError as error:
            failures.append(ScorerFailure.of(scorer.name, error))
            continue
        except Exception as error:
            # A scorer of a user's own may raise anything; the chain is there for exactly that.
            failures.append(ScorerFailure.of(scorer.name, error, f"{type(error).__name__}: {error}"))
            continue
        if len(scores) != len(chunks):
            failures.append(_refused(scorer, f"gave {len(scores)} scores for {len(chunks)} chunks"))
            continue
        clean = tuple(_clean(score) for score in scores)
        is_last = scorer is scorers[-1] and all(score.value is None for score in scores)
        if not is_last and all(score.value is None for score in clean):
            reason = next((score.reason for score in clean if score.reason), "") or "no reason given"
            failures.append(_refused(scorer, f"could score no chunk ({reason})"))
            continue
        return Served(clean, scorer.name, tuple(failures))
    reason = "; ".join(map(str, failures)) or "no scorer is configured"
    return Served(tuple(RelevanceScore(None, reason) for _ in chunks), "", tuple(failures))


def _refused(scorer: Scorer, message: str) -> ScorerFailure:
    """The failure of a scorer that raised nothing, and scored nothing that can be used."""
    return ScorerFailure(scorer=scorer.name, error=ScorerError.__name__, message=message)


def _clean(score: RelevanceScore) -> RelevanceScore:
    """A score that is not a number in [0, 1] is none: a bad number must not pass a threshold."""
    value = score.value
    if value is None:
        return score
    if math.isnan(value):
        return RelevanceScore(None, "the scorer answered not a number")
    return RelevanceScore(min(1.0, max(0.0, float(value))), score.reason)


def judge_relevance(
    served: Served, chunks: Sequence[Chunk], threshold: float, *, names_topic: bool = True
) -> tuple[ChunkRelevance, ...]:
    """The chunks with their scores: relevant from the threshold on."""
    judged = []
    for chunk, score in zip(chunks, served.scores, strict=True):
        value = None if score.value is None else round(score.value, _DIGITS)
        reason = score.reason
        if not names_topic and (value is None or value < threshold):
            value, reason = None, "the question alone does not say what it is about"
        if value is None:
            reason = f"not scored: {reason}" if reason else "not scored"
        relevant = value is not None and value >= threshold
        judged.append(ChunkRelevance(chunk_id=chunk.id, score=value, relevant=relevant, reason=reason))
    return tuple(judged)
