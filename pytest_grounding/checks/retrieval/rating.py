"""Good, Partial or Poor, with the reason in words."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding._frozen import frozen
from pytest_grounding.model.verdict import ChunkRelevance, Presence, Rating
from pytest_grounding.settings import Settings

_DIGITS = 9


@frozen
class Rated:
    """The rating of a retrieval.

    Attributes:
        rating: good, partial or poor.
        reason: why, in words, starting with the rating.
        mean_relevance: mean over the relevant chunks; 0 when there is none.
        mean_all: mean over all chunks that were scored; 0 when there is none.
    """

    rating: Rating
    reason: str
    mean_relevance: float
    mean_all: float


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean rounded to 9 decimals; 0 for none."""
    return round(sum(values) / len(values), _DIGITS) if values else 0.0


def rate(relevance: Sequence[ChunkRelevance], presence: Presence, settings: Settings) -> Rated:
    """Rate a retrieval (section 4.5): Poor before Good, Partial for everything else."""
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


def _shown(value: float, limit: float) -> str:
    """A value with as many decimals as it takes to look below the limit that it is below."""
    for digits in range(2, _DIGITS + 1):
        text = f"{value:.{digits}f}"
        if float(text) < limit:
            return text
    return f"{value:.{_DIGITS}f}"
