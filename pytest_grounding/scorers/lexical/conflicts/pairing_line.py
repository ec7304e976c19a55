"""What is measured of a claim that may cross two parts of a sentence, and the line that decides.

``python -m training.pairing`` fits the line and writes ``pairing.json``; `benchmarks.paired` measures it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import mul
from pathlib import Path
from typing import NamedTuple

from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.pairing_parts import Crossing, facts_between, values_of
from pytest_grounding.scorers.lexical.conflicts.view import View

#: Name -> what it tells, in the order of `measures_of`.
MEASURES: dict[str, str] = {
    "pair_cover": "share of the claim, by weight, that the sentence holds",
    "pair_held": "share of what is said that the sentence holds",
    "pair_within": "share of what is said that the two parts hold",
    "pair_unknown": "share of what is said that no source holds",
    "pair_words": "words that are said, at most 12",
    "pair_parts": "parts of the sentence",
    "pair_next": "no part stands between the two",
    "pair_long": "words of the part whose back is taken, at most 12",
    "pair_verbs": "both parts have a verb",
    "pair_short": "the part whose back is taken has none",
    "pair_alike": "both parts have one value or name of a sort",
    "pair_sort": "what is said of the back is of the sort of what the source says there",
    "pair_fronts": "what is said of the front is of the sort of what stands before the back",
    "pair_front": "the front is a value or name",
    "pair_sign": "the same word stands before the back and before what the source says there",
    "pair_opening": "the same word stands before the front and before what is lost",
    "pair_orderly": "all of the front stands before what is left, and all of the back behind what is lost",
    "pair_lost": "words that are lost, at most 12",
}
_MOST = 12


class Line(NamedTuple):
    """Log odds that a claim crosses two parts; from ``least`` on it is held for true."""

    intercept: float
    weights: tuple[float, ...]
    least: float

    def log_odds(self, measures: Sequence[float]) -> float:
        """Of one crossing, by its measures in the order of `MEASURES`."""
        total: float = sum(map(mul, self.weights, measures))
        return self.intercept + total


@lru_cache(maxsize=1)
def line() -> Line:
    """The shipped one."""
    data = json.loads(Path(__file__).with_name("pairing.json").read_text(encoding="utf-8"))
    return Line(data["intercept"], tuple(data["weights"][name] for name in MEASURES), data["least"])


def measures_of(contest: Contest, found: Crossing) -> list[float]:
    """The `MEASURES` of a crossing."""
    view, said = contest.chunks[found.spot[0]], found.said
    sentence = contest.spoken_of(*found.spot)
    both = found.one.own.keys() | found.other.own.keys()
    front, back, left, lost = (words.values() for words in (found.front, found.back, found.left, found.lost))
    sorts = [_sorts(view, found, words) for words in (front, back, left, lost)]
    return [
        contest.cover(*found.spot),
        len(said & sentence) / len(said),
        len(said & both) / len(said),
        sum(not contest.sources.holds(stem) for stem in said) / len(said),
        min(len(said), _MOST),
        found.parts,
        float(found.is_next),
        min(found.other.high - found.other.low, _MOST),
        float(found.one.has_verb and found.other.has_verb),
        float(not found.other.has_verb),
        float(next(values_of(view, found.one, found.other), None) is not None),
        float(not sorts[1].isdisjoint(sorts[2])),
        float(not sorts[0].isdisjoint(sorts[3])),
        float(bool(sorts[0])),
        float(_before(view, back) == _before(view, left)),
        float(_before(view, front) == _before(view, lost)),
        float(max(front) < min(left) and max(lost) < min(back)),
        min(len(lost), _MOST),
    ]


def _sorts(view: View, found: Crossing, numbers: Iterable[int]) -> set[str]:
    """Kinds of the values and names that words are part of."""
    chosen = list(numbers)
    return {
        fact.kind
        for part in (found.one, found.other)
        for fact, (first, last) in facts_between(view, part.low, part.high)
        if any(first <= number <= last for number in chosen)
    }


def _before(view: View, numbers: Iterable[int]) -> str:
    """The word before the first of some words."""
    first = min(numbers)
    return view.norms[first - 1] if first else ""
