"""Values with the date that they hold for: "41,700 in 2022, compared with 52,300 in 2023"."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.lazy_values import kept_with_owner
from pytest_grounding.evidence.all_chunks import Context
from pytest_grounding.evidence.ledger_sources import LedgerSources, typed_values
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.evidence.token_index import ChunkIndex
from pytest_grounding.lexicon import words
from pytest_grounding.reading.facts import Fact
from pytest_grounding.reading.words import tokenize

_DATE, _TIMES = "date", frozenset({"date", "time", "ordinal"})
#: What may stand between a value and its date: "41,700 visitors in fiscal 2022".
_BEHIND = lazy(r"(?:\s[^\W\d_]+){0,4}?\s(?:in|for|of|during)\s(?:the\s|fiscal\s|year\s|full\s)*")
_MOST = 20  # values of a claim that are compared at most
_FROM = lazy(r"\bfrom\s$")
#: Which way a word says that a value went: up or down.
_WAYS = dict.fromkeys(words("matching", "rising"), 1) | dict.fromkeys(words("matching", "falling"), -1)


@dataclass(frozen=True, slots=True)
class _Dated:
    """A value with the date that it holds for."""

    value: Fact
    date: Fact
    sentence: int  # its number in the chunk, and among the sentences of all chunks once `chunk` is set
    chunk: int = 0

    def is_of(self, other: Fact) -> bool:
        """Whether another value is the same one."""
        return (self.value.kind, self.value.key) == (other.kind, other.key)


def dated_of(text: str, sources: LedgerSources) -> Iterator[Settled]:
    """The values of a claim that the sources have for its date, or for another one alone; English only."""
    if sources.language != "en":
        return
    facts = typed_values(text)
    claimed = list(_dated_in(text, facts, 0))[:_MOST] if len(facts) > 1 else []
    directions = {_WAYS[word] for word in text.lower().replace(",", " ").split() if word in _WAYS}
    change = _change_in(text, facts) if directions else None
    if not claimed and change is None:
        return
    context = sources.context
    stated = [
        replace(dated, chunk=chunk, sentence=context.offset[chunk] + dated.sentence)
        for chunk, index in enumerate(context.indexes)
        for dated in _dated_of_chunk(index)
    ]
    about = _sentences_about(text, context, {dated.sentence for dated in stated})
    for dated in claimed:
        yield from _settled_dates(dated, stated, about)
    if change is not None and not claimed:
        yield from _turned_change(change, stated)
    elif len(claimed) == 1 and len(directions) == 1:
        yield from _turned_direction(claimed[0], directions.pop(), stated)


def _sentences_about(text: str, context: Context, sentences: Set[int]) -> frozenset[int]:
    """Those of some sentences that have most words of a claim: "revenue", and not "net income"."""
    held = Counter(dict.fromkeys(sentences, 0))
    for stem in {token.stem for token in tokenize(text, "en") if not token.is_stop and not token.is_number}:
        held.update(context.in_some_form(stem) & sentences)
    most = max(held.values(), default=0)
    return frozenset(sentence for sentence, count in held.items() if count == most)


def _settled_dates(claimed: _Dated, stated: Sequence[_Dated], about: Set[int]) -> Iterator[Settled]:
    value, date = claimed.value, claimed.date
    same = [other for other in stated if other.is_of(value)]
    of_date = [other for other in same if other.date.key == date.key]
    found = next((other for other in of_date if other.sentence in about), None)
    if found is not None:
        place = Place(found.chunk, found.value.start, found.value.end)
        yield Settled("quantity", value.start, value.end, Outcome("found", place))
        yield Settled("point_in_time", date.start, date.end, Outcome("found", place))
    if of_date:
        # Of another thing, perhaps: dates tell nothing of that.
        return
    # What the sources have for the date, beside what the value belongs to.
    beside = {other.sentence + step for other in same for step in (-1, 0, 1)}
    for right in stated:
        is_of_date = right.date.key == date.key and right.value.unit == value.unit
        if is_of_date and right.sentence in beside:
            place = Place(right.chunk, right.value.start, right.value.end)
            outcome = Outcome("elsewhere", place, nearest=right.value.text)
            yield Settled("quantity", value.start, value.end, outcome)
            return


def _change_in(text: str, facts: Sequence[Fact]) -> Fact | None:
    """The two values of "rose from A to B", which are read as a range."""
    for fact in facts:
        is_range = fact.value is not None and fact.value != fact.high and fact.kind not in _TIMES
        if is_range and _FROM.search(text.lower(), 0, fact.start):
            return fact
    return None


def _turned_change(change: Fact, stated: Sequence[_Dated]) -> Iterator[Settled]:
    """A change whose first value the sources have for the later date."""
    of_unit = [one for one in stated if one.value.unit == change.unit]
    lasts = {one.sentence: one for one in of_unit if one.value.value == change.high}
    for first in of_unit:
        last = lasts.get(first.sentence)
        if first.value.value == change.value and last is not None:
            if _year_of(first) > _year_of(last):
                yield Settled("operator", change.start, change.end, _as_they_stand(last, first))
            return


def _turned_direction(claimed: _Dated, direction: int, stated: Sequence[_Dated]) -> Iterator[Settled]:
    """A value that "rose" or "fell" to what it is, where the sources have it the other way before."""
    last = next(
        (one for one in stated if one.is_of(claimed.value) and one.date.key == claimed.date.key), None
    )
    if last is None:
        return
    before = [
        one
        for one in stated
        if one.sentence == last.sentence
        and one.value.unit == last.value.unit
        and _year_of(one) < _year_of(last)
    ]
    if not before:
        return
    first = max(before, key=_year_of)
    if direction * ((last.value.value or 0.0) - (first.value.value or 0.0)) < 0:
        yield Settled("operator", claimed.value.start, claimed.value.end, _as_they_stand(first, last))


def _year_of(dated: _Dated) -> float:
    return dated.date.value or 0.0


def _as_they_stand(first: _Dated, last: _Dated) -> Outcome:
    said = [f"{one.value.text} in {one.date.text}" for one in (first, last)]
    return Outcome("denied", Place(first.chunk), nearest=" and ".join(said))


@kept_with_owner
def _dated_of_chunk(index: ChunkIndex) -> tuple[_Dated, ...]:
    facts = typed_values(index.text)
    if not any(fact.kind == _DATE for fact in facts):
        return ()
    starts = [fact.start for fact in facts]
    found: list[_Dated] = []
    for number, (start, end) in enumerate(index.sentences):
        own = facts[bisect_left(starts, start) : bisect_left(starts, end)]
        found += _dated_in(index.text, own, number)
    return tuple(found)


def _dated_in(text: str, facts: Sequence[Fact], sentence: int) -> Iterator[_Dated]:
    """The values of a sentence: each with the date right behind it, else with the one that opens it."""
    behind: set[int] = set()
    opening: Fact | None = None
    for number, fact in enumerate(facts):
        if fact.kind == _DATE:
            # A date behind a value opens nothing, nor do two of them: "in May and June together".
            is_one_of_two = number > 0 and facts[number - 1].kind == _DATE
            opening = None if number in behind or is_one_of_two else fact
            continue
        following = facts[number + 1] if number + 1 < len(facts) else None
        if fact.kind in _TIMES:
            continue
        is_behind = (
            following is not None
            and following.kind == _DATE
            and _BEHIND.fullmatch(text[fact.end : following.start].lower()) is not None
        )
        if is_behind and following is not None:
            behind.add(number + 1)
            yield _Dated(fact, following, sentence)
        elif opening is not None:
            yield _Dated(fact, opening, sentence)
