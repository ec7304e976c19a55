"""The side of a point in time on which something holds: "by 4 May", "no earlier than 4 May", "until 1764"."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.evidence.ledger_sources import LedgerSources, is_denier, typed_values
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.lexicon import ordered
from pytest_grounding.reading.facts import Fact, same

_POINTS = frozenset({"date", "time"})
_LATEST, _EARLIEST = "latest", "earliest"
#: Words right before a point in time -> the side; the longer ones come first.
_SIDES = sorted(
    [(f" {words} ", side) for side in (_LATEST, _EARLIEST) for words in ordered("limits", side)],
    key=lambda item: -len(item[0]),
)
_REACH, _DENIED_WITHIN = 40, 4  # characters before a point that are read, and words for a denial


def deadlines_of(text: str, sources: LedgerSources) -> Iterator[Settled]:
    """The points in time of a claim that a source has with the other side alone; English only."""
    for fact in typed_values(text) if sources.language == "en" else ():
        own = _side_of(fact, text)
        if not own:
            continue
        places = {
            _side_of(other, index.text): Place(chunk, other.start, other.end)
            for chunk, index in enumerate(sources.context.indexes)
            for other in sources.values_in(chunk)
            if other.kind in _POINTS and same(fact, other)
        }
        if len(places) == 1 and own not in places and "" not in places:
            side, place = next(iter(places.items()))
            outcome = Outcome("denied", place, nearest=f"{side} {fact.text}")
            yield Settled("operator", max(0, fact.start - len(own)), fact.end, outcome)


def _side_of(fact: Fact, text: str) -> str:
    """The side of a point in time that the words before it tell; "" without any."""
    if fact.kind not in _POINTS or fact.value != fact.high:
        return ""
    before = f" {' '.join(text[max(0, fact.start - _REACH) : fact.start].lower().split())} "
    words, side = next(((words, side) for words, side in _SIDES if before.endswith(words)), ("", ""))
    earlier = before.removesuffix(words).split()[-_DENIED_WITHIN:]
    return "" if any(map(is_denier, earlier)) else side
