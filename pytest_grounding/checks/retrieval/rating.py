"""Relevance of each chunk, and the rating of a retrieval: Good, Partial or Poor, with the reason."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from pytest_grounding.errors import GroundingError, ScorerError, UnreadableCassetteError
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import ChunkRelevance, Presence, Rating, ScorerFailure
from pytest_grounding.scorers.protocol import RelevanceScore, Scorer
from pytest_grounding.settings import Settings

# Scores are compared after rounding, so that 0.1 + 0.2 reaches a threshold of 0.3.
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Served:
    """Relevance scores and how they came about."""

    scores: tuple[RelevanceScore, ...]  # one a chunk; the value None where it could not be scored
    scorer: str  # name of the scorer that served, or "" where none did
    failures: tuple[ScorerFailure, ...]  # for each scorer tried before it why it did not serve


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


#: The shifts that a rating is tried with: 0.01 to 0.20.
_STEPS = 20
_PER_UNIT = 100
#: A little more than the longest shift.
_FAR = 0.201
#: What a finding on the presence of the answer is worth, as the limits of ``benchmarks/presence`` ask for it.
_PRESENCE: dict[Presence, float] = {"full": 0.95, "none": 0.9, "partial": 0.75, "abstain": 0.5}
_SAID: dict[Presence, str] = {
    "full": "nearly sure",
    "none": "fairly sure",
    "partial": "told in part",
    "abstain": "not known",
}


@dataclass(frozen=True, slots=True)
class Rated:
    """The rating of a retrieval."""

    rating: Rating  # good, partial or poor
    reason: str  # why, in words, starting with the rating
    mean_relevance: float  # mean over the relevant chunks; 0 when there is none
    mean_all: float  # mean over all chunks that were scored; 0 when there is none
    confidence: float = 0.0  # how sure the rating is, in [0, 1]; see `_sureness`
    confidence_reason: str = ""  # what it hangs on, in words


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean rounded to 9 decimals; 0 for none."""
    return round(sum(values) / len(values), _DIGITS) if values else 0.0


def rate(relevance: Sequence[ChunkRelevance], presence: Presence, settings: Settings) -> Rated:
    """Rate a retrieval (section 4.5), and say how sure the rating is."""
    rated = _rated(relevance, presence, settings)
    sure = _sureness(rated.rating, relevance, presence, settings)
    return replace(rated, confidence=sure.value, confidence_reason=sure.reason)


def _rated(relevance: Sequence[ChunkRelevance], presence: Presence, settings: Settings) -> Rated:
    """Poor before Good, Partial for everything else."""
    relevant = [chunk.score for chunk in relevance if chunk.relevant and chunk.score is not None]
    scored = [chunk.score for chunk in relevance if chunk.score is not None]
    average, average_all = mean(relevant), mean(scored)
    total, count = len(relevance), len(relevant)
    if total and not scored:
        return Rated("partial", "Partial: relevance could not be scored", average, average_all)
    if not count:
        if not total:
            return Rated("poor", "Poor: nothing was retrieved", average, average_all)
        return Rated("poor", f"Poor: no relevant chunk of {total}", average, average_all)
    problems = []
    if count < settings.good_min_relevant:
        problems.append(f"only {count} relevant chunk{'s' * (count != 1)} of {total}")
    if presence != "full":
        problems.append(
            {
                "partial": "the answer is only partly present",
                "none": "the answer is not present",
                "abstain": "whether the answer is present could not be told",
            }[presence]
        )
    if average < settings.good_mean_relevance:
        problems.append(
            f"mean relevance {_shown(average, settings.good_mean_relevance)} is below "
            f"{settings.good_mean_relevance:g}"
        )
    if problems:
        return Rated("partial", "Partial: " + "; ".join(problems), average, average_all)
    reason = f"Good: {count} relevant chunks of {total}, answer fully present, mean relevance {average:.2f}"
    return Rated("good", reason, average, average_all)


@dataclass(frozen=True, slots=True)
class _Sureness:
    """How sure a rating is, in [0, 1], and what it hangs on, in words."""

    value: float
    reason: str


def _sureness(
    rating: Rating, relevance: Sequence[ChunkRelevance], presence: Presence, settings: Settings
) -> _Sureness:
    """How sure a rating is: by how far the relevance scores are from tipping it, and by presence."""
    if not relevance:
        return _Sureness(1.0, "nothing was retrieved")
    if all(chunk.score is None for chunk in relevance):
        return _Sureness(0.0, "relevance could not be scored")
    # A chunk that is left out for another reason than its score stays out.
    limit = settings.relevance_threshold
    scores = sorted(
        chunk.score
        for chunk in relevance
        if chunk.score is not None and (chunk.relevant or chunk.score < limit)
    )
    # Sums from each score to the highest, so that one shift costs no walk over the chunks.
    sums = list(accumulate(reversed(scores), initial=0.0))
    shift = _least_shift(rating, scores, sums, presence, settings)
    value, reason = 1.0, f"no shift of the relevance scores by up to {_STEPS / _PER_UNIT:g} changes it"
    if shift is not None:
        value = 0.5 + 0.5 * (abs(shift) - 1) / _STEPS
        way = "higher" if shift > 0 else "lower"
        reason = f"with relevance scores {abs(shift) / _PER_UNIT:.2f} {way} it would be another"
    others: tuple[Presence, ...] = ("full", "partial", "none")
    if any(_outcome(scores, sums, other, settings, 0.0) != rating for other in others if other != presence):
        worth = _PRESENCE[presence]
        if worth < value:
            return _Sureness(worth, f"it hangs on whether the answer is present, which is {_SAID[presence]}")
    return _Sureness(round(value, _DIGITS), reason)


def _least_shift(
    rating: Rating, scores: Sequence[float], sums: Sequence[float], presence: Presence, settings: Settings
) -> int | None:
    """The least shift, in hundredths, that gives another rating; None where none of up to 0.2 does."""
    limit = settings.relevance_threshold
    # A rating can change only where the number of relevant chunks does, or at the mean that Good needs.
    is_far = not any(abs(score - limit) <= _FAR for score in scores)
    count = len(scores) - bisect_left(scores, limit)
    if is_far and (presence != "full" or count < settings.good_min_relevant):
        return None
    for step in range(1, _STEPS + 1):
        for shift in (-step, step):
            if _outcome(scores, sums, presence, settings, shift / _PER_UNIT) != rating:
                return shift
    return None


def _outcome(
    scores: Sequence[float], sums: Sequence[float], presence: Presence, settings: Settings, shift: float
) -> Rating:
    """The rating of ordered scores that are all shifted alike; ``sums`` are those of the highest ones."""
    count = len(scores) - bisect_left(scores, round(settings.relevance_threshold - shift, _DIGITS))
    if not count:
        return "poor"
    is_good = (
        count >= settings.good_min_relevant
        and presence == "full"
        and round(sums[count] / count + shift, _DIGITS) >= settings.good_mean_relevance
    )
    return "good" if is_good else "partial"


def _shown(value: float, limit: float) -> str:
    """A value with as many decimals as it takes to look below the limit that it is below."""
    for digits in range(2, _DIGITS + 1):
        text = f"{value:.{digits}f}"
        if float(text) < limit:
            return text
    return f"{value:.{_DIGITS}f}"
