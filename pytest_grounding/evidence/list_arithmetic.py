"""Values of a claim that follow from a whole list, from two times of day, or from a part and its whole."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.arithmetic import (
    MOST_PARTS,
    Result,
    amounts_in,
    are_equal,
    equals_rounded,
    is_amount,
    noun_behind,
    number_of,
    says_total,
)
from pytest_grounding.evidence.sentence_view import View
from pytest_grounding.lexicon import words
from pytest_grounding.reading.facts import Fact

_MEAN = words("matching", "mean")
_TOTALS, _PEOPLE = words("layout", "total_rows"), words("rates", "people")
_REST, _EACH, _EQUALLY = words("rates", "rest"), words("rates", "for each one"), words("rates", "equally")
_LIST, _PAIR = 3, 2  # values that make a list, or that are taken together in words
_APART = 1  # sentences between two values of a list, at most
_OF, _NUMBER = "of", "number"
#: What ends an item of a list in a sentence, and the words of an item at most.
_ITEM_ENDS, _ITEM = lazy(r",\s*(?:and |or )?|\s(?:and|or)\s"), 4
_DAY_MINUTES = 1440.0


@dataclass(frozen=True, slots=True)
class _Listed:
    """A value of a source that may be one of a list."""

    fact: Fact
    at: int
    sentence: int
    sort: tuple[str, str]  # its unit, and what it counts: ("", "seat")


@dataclass(frozen=True, slots=True)
class _Listing:
    """A sentence that names several things."""

    text: str
    at: int  # its first word
    count: int
    stems: frozenset[str]


def place_in_lists(fact: Fact, claim: View, sources: Sequence[View]) -> Result | None:
    """Where the sources have the values from which a value of the claim follows."""
    for chunk, view in enumerate(sources):
        found = (
            _of_whole_list(fact, claim, chunk, view)
            or _between_times(fact, chunk, view)
            or _part_of_whole(fact, claim, chunk, view)
            or _part_of_total(fact, claim, chunk, view)
            or _equal_share(fact, claim, chunk, view)
            or _count_of_items(fact, claim, chunk, view)
        )
        if found is not None:
            return found
    return None


def _of_whole_list(fact: Fact, claim: View, chunk: int, view: View) -> Result | None:
    """The sum or the mean of all values of a list: three kinds of seats, four days of visitors."""
    is_mean, least = not _MEAN.isdisjoint(claim.norms), _PAIR if says_total(claim.text) else _LIST
    for items in _lists_in(view):
        unit, noun = items[0].sort
        if len(items) < least or unit != fact.unit or not (noun in claim.stems or not noun):
            continue
        total = sum(number_of(item.fact) for item in items)
        if are_equal(total, fact.value) or (is_mean and equals_rounded(fact, total / len(items))):
            return Result(chunk, items[0].at, tuple(item.fact.text for item in items))
    return None


def _count_of_items(fact: Fact, claim: View, chunk: int, view: View) -> Result | None:
    """The number of things that a sentence with words of the claim names: "red, white and green"."""
    around = claim.text[max(0, fact.start - 1) : fact.start] + claim.text[fact.end : fact.end + 1]
    is_count = fact.kind == _NUMBER and not fact.unit and not around.strip()
    if not is_count or not _LIST <= number_of(fact) <= MOST_PARTS:
        return None
    content = [claim.tokens[at].stem for at in claim.content]
    for listing in _listings(view):
        if listing.count == fact.value and not listing.stems.isdisjoint(content):
            return Result(chunk, listing.at, (listing.text,))
    return None


@lru_cache(maxsize=16)
def _listings(view: View) -> list[_Listing]:
    """The sentences of a chunk that name several things."""
    if "," not in view.text:
        return []
    sentences = view.sentence_of
    firsts = [at for at in range(len(sentences)) if not at or sentences[at] != sentences[at - 1]]
    found = []
    for at, after in pairwise([*firsts, len(sentences)]):
        text = view.text[view.tokens[at].start : view.tokens[after - 1].end]
        items = _ITEM_ENDS.split(text)
        if _LIST <= len(items) <= MOST_PARTS and all(len(item.split()) <= _ITEM for item in items[1:-1]):
            stems = frozenset(token.stem for token in view.tokens[at:after])
            found.append(_Listing(text, at, len(items), stems))
    return found


@lru_cache(maxsize=16)
def _lists_in(view: View) -> list[list[_Listed]]:
    """The values of one sort that follow each other."""
    items = [
        _Listed(fact, at, view.sentence_of[at], (fact.unit, "" if fact.unit else noun_behind(view, fact, at)))
        for fact, at in zip(view.facts, view.fact_at, strict=True)
        if is_amount(fact) and not fact.per and not fact.bound
    ]
    items.sort(key=lambda item: (item.sort, item.at))
    lists = []
    for _, group in groupby(items, key=lambda item: item.sort):
        found: list[_Listed] = []
        for item in group:
            if found and item.sentence - found[-1].sentence > _APART:
                lists.append(found)
                found = []
            found.append(item)
        if len(found) <= MOST_PARTS:
            lists.append(found)
    return lists


def _between_times(fact: Fact, chunk: int, view: View) -> Result | None:
    """The time between two times of day, the second one perhaps in the next sentence, or of the next day."""
    if fact.kind != "duration" or fact.unit != "s" or fact.value is None:
        return None
    times = [(other, at) for other, at in zip(view.facts, view.fact_at, strict=True) if other.kind == "time"]
    for (first, at), (second, behind) in pairwise(times):
        if view.sentence_of[behind] - view.sentence_of[at] <= _APART:
            minutes = (number_of(second) - number_of(first)) % _DAY_MINUTES
            if are_equal(60 * minutes, fact.value):
                return Result(chunk, at, (first.text, second.text))
    return None


def _part_of_whole(fact: Fact, claim: View, chunk: int, view: View) -> Result | None:
    """The share, or the rest, of "2 million of the 3 million" and of "of the 60 bikes 45 are rented"."""
    is_rest = not _REST.isdisjoint(claim.norms)
    if fact.unit != "%" and not is_rest:
        return None
    for (part, whole), at in zip(pairwise(view.facts), view.fact_at, strict=False):
        if not (is_amount(part) and is_amount(whole) and part.unit == whole.unit != "%"):
            continue
        is_turned = _OF in view.norms[max(0, at - 2) : at]
        if is_turned:
            part, whole = whole, part
        elif _OF not in view.text[part.end : whole.start].lower().split()[:1]:
            continue
        share = 100 * number_of(part) / number_of(whole)
        is_share = fact.unit == "%" and equals_rounded(fact, share)
        if is_share or (fact.unit == part.unit and are_equal(number_of(whole) - number_of(part), fact.value)):
            return Result(chunk, at, (part.text, whole.text))
    return None


def _part_of_total(fact: Fact, claim: View, chunk: int, view: View) -> Result | None:
    """The share that an amount which the claim names has in the one of a row or line called the total."""
    if fact.unit != "%":
        return None
    amounts = [(at, one) for _, at, one in amounts_in([view])][:MOST_PARTS]
    totals = [(at, one) for at, one in amounts if not _TOTALS.isdisjoint(_norms_beside(view, at))]
    content = {claim.tokens[at].stem for at in claim.content}
    for _, total in totals if len(totals) == 1 else ():
        for at, part in amounts:
            low, high = _sentence_around(view, at)
            is_named = not content.isdisjoint(view.stems[low:high])
            if part is total or part.unit != total.unit or not is_named or number_of(total) <= 0:
                continue
            if equals_rounded(fact, 100 * number_of(part) / number_of(total)):
                return Result(chunk, at, (part.text, total.text))
    return None


def _sentence_around(view: View, at: int) -> tuple[int, int]:
    """The first word of the sentence of a word, and the one behind its last."""
    return bisect_left(view.sentence_of, view.sentence_of[at]), bisect_right(
        view.sentence_of, view.sentence_of[at]
    )


def _norms_beside(view: View, at: int) -> Sequence[str]:
    low, high = _sentence_around(view, at)
    return view.norms[low:high]


def _equal_share(fact: Fact, claim: View, chunk: int, view: View) -> Result | None:
    """What each of several pays who share an amount, or for whom a price is given in all."""
    if _EACH.isdisjoint(claim.norms) or not fact.unit:
        return None
    for (first, second), at, behind in zip(
        pairwise(view.facts), view.fact_at, view.fact_at[1:], strict=False
    ):
        norms = _norms_beside(view, at)
        if _EQUALLY.isdisjoint(norms) and (_PEOPLE.isdisjoint(norms) or _TOTALS.isdisjoint(norms)):
            continue
        if view.sentence_of[at] != view.sentence_of[behind]:
            continue
        for count, amount in ((first, second), (second, first)):
            is_pair = count.kind == _NUMBER and not count.unit and amount.unit == fact.unit
            is_pair = is_pair and number_of(count) > 1
            if is_pair and are_equal(number_of(amount) / number_of(count), fact.value):
                return Result(chunk, at, (amount.text, count.text))
    return None
