"""Scorers and judges of others: what they raise or answer is a score, or a reason why there is none."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pytest_grounding.errors import GroundingError, ScorerError
from pytest_grounding.model._base import without_surrogates
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers.base import ClaimText, RelevanceScore, Scorer, SupportScore
from pytest_grounding.scorers.judge import BatchJudge, Judge, Ruling, one_by_one

_SUPPORT = ("full", "partial", "none")


class GuardedScorer:
    """A scorer that raises nothing but errors of this package, and answers one usable score a claim."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer

    @property
    def name(self) -> str:
        """Name under which settings choose it."""
        return self._scorer.name

    def relevance(
        self, question: str, chunks: Sequence[Chunk], *, language: str = "en"
    ) -> list[RelevanceScore]:
        """Relevance as the scorer gives it."""
        return self._scorer.relevance(question, chunks, language=language)

    def support(
        self,
        claims: Sequence[ClaimText],
        chunks: Sequence[Chunk],
        *,
        question: str = "",
        language: str = "en",
    ) -> list[SupportScore]:
        """Support of each claim; one without a number in [0, 1] abstains, and says so."""
        scores: list[Any] = _called(
            lambda: list(self._scorer.support(claims, chunks, question=question, language=language))
        )
        if len(scores) != len(claims):
            raise ScorerError(f"gave {len(scores)} scores for {len(claims)} claims")
        return [_usable(score) for score in scores]


def _called(call: Callable[[], Any]) -> Any:
    """What a call gives; an error that is none of this package becomes one."""
    try:
        return call()
    except GroundingError:
        raise
    except Exception as error:  # a scorer of a user's own may raise anything
        raise ScorerError(f"{type(error).__name__}: {error}") from error


def _usable(score: Any) -> SupportScore:
    """The score, or an abstention: what is no number in [0, 1] must neither pass nor fail a threshold."""
    if not isinstance(score, SupportScore):
        return SupportScore(None, reason="the scorer gave no score")
    value = score.probability
    if value is None:
        return score
    try:
        number = float(value)
    except (TypeError, ValueError):
        return replace(score, probability=None, reason=f"the scorer gave {value!r}, which is no number")
    if not math.isfinite(number) or not 0.0 <= number <= 1.0:
        return replace(score, probability=None, reason=f"the scorer gave {number}, which is not in 0 to 1")
    # A number of another library is no float that a verdict takes.
    return score if type(value) is float else replace(score, probability=number)


class GuardedJudge:
    """A judge that raises only errors of this package, and answers with the words that were asked for."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    @property
    def name(self) -> str:
        """Name under which the setting ``judge`` chooses it."""
        return self._judge.name

    @property
    def model(self) -> str:
        """Name of its model, or "" where it does not say."""
        model = getattr(self._judge, "model", "")
        return model if isinstance(model, str) else ""

    def support(self, claim: ClaimText, chunks: Sequence[Chunk], *, question: str = "") -> Ruling:
        """ISSUP of one claim."""
        ruling = _called(lambda: self._judge.support(claim, chunks, question=question))
        return _ruled(ruling, _SUPPORT)

    def supports(
        self, claims: Sequence[ClaimText], chunks: Sequence[Chunk], *, question: str = ""
    ) -> list[Ruling | ScorerError]:
        """ISSUP of each claim in its order; asked one by one where the judge knows no other way."""
        judge = self._judge
        if not isinstance(judge, BatchJudge):
            return one_by_one(self, claims, chunks, question=question)
        given: list[Any] = _called(lambda: list(judge.supports(claims, chunks, question=question)))
        if len(given) != len(claims):
            raise ScorerError(f"gave {len(given)} rulings for {len(claims)} claims")
        return [_each(ruling) for ruling in given]


def _each(ruling: Any) -> Ruling | ScorerError:
    if isinstance(ruling, ScorerError):
        return ruling
    try:
        return _ruled(ruling, _SUPPORT)
    except ScorerError as error:
        return error


def _ruled(ruling: Any, words: tuple[str, ...]) -> Ruling:
    if not isinstance(ruling, Ruling) or ruling.value not in words:
        said = repr(ruling.value) if isinstance(ruling, Ruling) else type(ruling).__name__
        raise ScorerError(f"said {said}, which is none of: {', '.join(words)}")
    # A reason of somebody else may be any value; what is written of it is a text.
    reason: str = without_surrogates(str(ruling.reason))[0]
    return Ruling(ruling.value, reason)
