"""Values of a claim with the year that they hold for: "41,700 in 2022, compared with 52,300 in 2023"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pytest_grounding.evidence.ledger_sources import LedgerSources, typed_values
from pytest_grounding.evidence.pieces import Piece, Word, chunk_pieces, pieces_in
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.reading.words import tokenize

_DATE = "date"
#: Words between a value and its date: "41,700 visitors in 2022".
_LINKS = frozenset({"in", "for", "of", "during"})
_REACH = 3


@dataclass(frozen=True)
class _Dated:
    """A value with the date that it holds for."""

    value: Word
    date: Word
    chunk: int = 0


def dated_of(text: str, sources: LedgerSources) -> Iterator[Settled]:
    """The values of a claim that the sources have for its date, or for another one alone; English only."""
    if sources.language != "en":
        return
    facts = typed_values(text)
    if len(facts) < 2 or not any(fact.kind == _DATE for fact in facts):
        return
    claimed = [
        dated for piece in pieces_in(text, tokenize(text, "en"), facts) for dated in _dated_in(piece, 0)
    ]
    if not claimed:
        return
    stated = [
        dated
        for chunk, index in enumerate(sources.context.indexes)
        for piece in chunk_pieces(index)
        for dated in _dated_in(piece, chunk)
    ]
    for dated in claimed:
        yield from _settled(dated, stated)


def _settled(claimed: _Dated, stated: Sequence[_Dated]) -> Iterator[Settled]:
    value, date = claimed.value, claimed.date
    same = [other for other in stated if other.value.key == value.key and other.value.unit == value.unit]
    found = next((other for other in same if other.date.key == date.key), None)
    if found is not None:
        place = Place(found.chunk, found.value.start, found.value.end)
        yield Settled("quantity", value.start, value.end, Outcome("found", place))
        yield Settled("point_in_time", date.start, date.end, Outcome("found", place))
        return
    own = (other for other in stated if other.date.key == date.key and other.value.unit == value.unit)
    right = next(own, None)
    if same and right is not None:
        place = Place(right.chunk, right.value.start, right.value.end)
        outcome = Outcome("elsewhere", place, nearest=right.value.text)
        yield Settled("quantity", value.start, value.end, outcome)


def _dated_in(piece: Piece, chunk: int) -> Iterator[_Dated]:
    """The values of a piece that has one date, or whose dates each stand right behind a value."""
    places = [number for number, word in enumerate(piece.words) if word.kind == "value"]
    dates = {number for number in places if piece.words[number].unit == _DATE}
    if not dates or len(dates) == len(places):
        return
    behind = _date_behind(piece, dates)
    only = next(iter(dates)) if len(dates) == 1 else None
    for number in places:
        date = behind.get(number, only)
        if number not in dates and date is not None:
            yield _Dated(piece.words[number], piece.words[date], chunk)


def _date_behind(piece: Piece, dates: set[int]) -> Mapping[int, int]:
    """Value -> the date right behind it: "41,700 visitors in 2022"."""
    found: dict[int, int] = {}
    for date in dates:
        if not date or piece.words[date - 1].key not in _LINKS:
            continue
        for number in range(date - 2, max(-1, date - 2 - _REACH), -1):
            if piece.words[number].kind == "value":
                if number not in dates:
                    found[number] = date
                break
    return found
