"""The side of a point in time on which something holds: "by 4 May", "no earlier than 4 May", "until 1764"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
        own = _deadline_of(fact, text)
        if own is None:
            continue
        theirs = [
            (Place(chunk, other.start, other.end), _deadline_of(other, index.text))
            for chunk, index in enumerate(sources.context.indexes)
            for other in sources.values_in(chunk)
            if other.kind in _POINTS and same(fact, other)
        ]
        sides = {deadline.side if deadline is not None else "" for _, deadline in theirs}
        if len(sides) == 1 and own.side not in sides and "" not in sides:
            place, said = theirs[0]
            nearest = f"{said.words} {fact.text}" if said is not None else ""
            start = max(0, fact.start - len(own.words) - 1)
            yield Settled("operator", start, fact.end, Outcome("denied", place, nearest=nearest))


@dataclass(frozen=True)
class _Deadline:
    """The side of a point in time on which something holds, and the words that say so."""

    side: str
    words: str


def _deadline_of(fact: Fact, text: str) -> _Deadline | None:
    """The side of a point in time that the words before it tell."""
    if fact.kind not in _POINTS or fact.value != fact.high:
        return None
    before = f" {' '.join(text[max(0, fact.start - _REACH) : fact.start].lower().split())} "
    words, side = next(((words, side) for words, side in _SIDES if before.endswith(words)), ("", ""))
    earlier = before.removesuffix(words).split()[-_DENIED_WITHIN:]
    return None if not side or any(map(is_denier, earlier)) else _Deadline(side, words.strip())
