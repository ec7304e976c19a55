"""Superlatives of a claim ("the cheapest plan"), computed from the values that the sources give for each."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.comparison_facts import (
    ANY,
    RATED,
    dimension_of,
    dimensions,
    may_compare,
    naming_words,
    order_of,
    unit_compared,
)
from pytest_grounding.evidence.entry_facts import entries_in
from pytest_grounding.evidence.held_entries import (
    Held,
    Said,
    counted_values,
    key_letters,
    key_stems,
    meant_by,
)
from pytest_grounding.evidence.ledger_sources import LedgerSources, typed_values
from pytest_grounding.evidence.row_counts import TOTALS
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.evidence.statements import Grounds
from pytest_grounding.evidence.token_index import ChunkIndex
from pytest_grounding.lexicon import fields, words
from pytest_grounding.reading.facts import Fact, compatible
from pytest_grounding.reading.words import Token

_WITH_ADJECTIVE = frozenset({"most", "least"})
_AT_THE_END = frozenset({"first", "last"})  # they rank nothing elsewhere: "the first floor"
_QUANTITY = frozenset({"fewest", *_WITH_ADJECTIVE})
_OTHERWISE = words("comparatives", "ranked otherwise")
_ONE_OF, _THE = ("one", "of", "the"), "the"
_LABELLED = 0.5  # share of the words of a column's label that a claim has which ranks by it
_FEWEST, _MOST = 2, 60  # values that are ranked
_YEARS = range(1000, 2101)  # whole numbers that are years where something is the oldest or the newest
_MONEY = "money"
_TIMES = frozenset({"age", "date"})
_JOINT = lazy(r"[,;]|\b(?:and|but|while|whereas)\b")
_BARE = lazy(r"\s*(?:[,;.]|and\b|$)")  # behind a value that counts what the one before it counts
_MEASURED = 3  # words behind a superlative that may say what is counted


@dataclass(frozen=True, slots=True)
class _Superlative:
    start: int  # in the claim
    end: int
    dimension: str  # of lexicon/data/comparatives.txt
    is_largest: bool
    rank: int  # 1 for the cheapest, 2 for the second cheapest
    counted: frozenset[str]  # what "the most rain" counts, as stems; empty where nothing is counted
    counts_alone: bool  # whether it says nothing without what is counted: "the most popular plan"


@dataclass(frozen=True, slots=True)
class _Value:
    """A value of a source that is ranked, with the words that name what it is of."""

    fact: Fact
    place: Place
    names: frozenset[str]
    shown: str
    around: frozenset[str] = frozenset()  # in prose: the words before and behind it


def ranked_of(grounds: Grounds, sources: LedgerSources) -> Iterator[Settled]:
    """The superlative of a claim, where the values of all that it is about stand in one table or list."""
    said = grounds.words
    if said.norms.isdisjoint(_superlatives()) or said.is_denying:
        return
    found = _superlative_in(grounds.tokens)
    # "Of the plans below €20": some alone are ranked.
    if found is None or any(fact.bound for fact in typed_values(grounds.text)) or _is_said_so(grounds, found):
        return
    for values in _ranked_values(found, grounds, sources):
        outcome = _settled_rank(found, values, grounds)
        if outcome is not None:
            yield Settled("operator", found.start, found.end, outcome)
            return


@lru_cache(maxsize=1)
def _superlatives() -> Mapping[str, tuple[str, bool]]:
    """Superlative -> what it compares, and whether it is the larger end."""
    found: dict[str, tuple[str, bool]] = {}
    for section, is_largest in (("largest", True), ("smallest", False)):
        for dimension, listed in fields("comparatives", section).items():
            found.update(dict.fromkeys(listed, (dimension, is_largest)))
    return found


@lru_cache(maxsize=1)
def _ranks() -> Mapping[str, int]:
    return {word: int(rank) for rank, listed in fields("comparatives", "ranks").items() for word in listed}


def _superlative_in(tokens: Sequence[Token]) -> _Superlative | None:
    """The first superlative of a claim; None where it holds for some alone: "one of the cheapest"."""
    norms = [token.norm for token in tokens]
    last_at = len(norms) - 1
    at = next(
        (
            at
            for at, norm in enumerate(norms)
            if norm in _superlatives() and (norm not in _AT_THE_END or at == last_at > 0)
        ),
        None,
    )
    if at is None or tuple(norms[max(0, at - 3) : at]) == _ONE_OF:
        return None
    before = norms[at - 1] if at else ""
    dimension, is_largest = _superlatives()[norms[at]]
    behind = norms[at + 1] if at + 1 < len(norms) else ""
    last, counted, counts_alone = at, frozenset[str](), False
    if norms[at] in _WITH_ADJECTIVE and (adjective := dimensions().get(behind)):
        last = at + 1
        dimension, is_largest = adjective[0].dimension, adjective[0].is_more == is_largest
    elif norms[at] in _QUANTITY:
        # "Costs least": the verb says what is measured.
        measured = dimension_of(tokens[max(0, at - 1) : at])
        if before != _THE and before not in _ranks() and measured == ANY:
            return None
        counts_alone = measured == ANY
        dimension = measured
        noun = next((token for token in tokens[at + 1 : at + 1 + _MEASURED] if not token.is_stop), None)
        counted = frozenset({noun.stem}) if noun is not None and counts_alone else counted
    elif dimension == RATED:
        # "Did best": it takes the column that is named.
        counts_alone = True
    elif norms[at] in _AT_THE_END:
        # "The bakery opened first": it is what happened that is ranked.
        counted = frozenset({tokens[at - 1].stem})
    if not _OTHERWISE.isdisjoint(norms[last + 1 :]) and dimension != ANY:
        return None
    rank = _ranks().get(before, 1)
    return _Superlative(
        tokens[at].start, tokens[last].end, dimension, is_largest, rank, counted, counts_alone
    )


def _is_said_so(grounds: Grounds, found: _Superlative) -> bool:
    """Whether a sentence that the claim rests on has the superlative itself."""
    norms = {token.norm for token in grounds.tokens if found.start <= token.start < found.end}
    return any(statement.has(norms) for statement in grounds.statements)


def _ranked_values(
    found: _Superlative, grounds: Grounds, sources: LedgerSources
) -> Iterator[Sequence[_Value]]:
    """The values among which a claim may rank one: a column of a table, or values with the same words."""
    yield from _columns(found, grounds, sources, entries_in(sources).all)
    yield from _listed(found, sources)


def _columns(
    found: _Superlative, grounds: Grounds, sources: LedgerSources, entries: Sequence[Held]
) -> Iterator[Sequence[_Value]]:
    """The column of each table that a claim, or its question, ranks by."""
    tables: dict[tuple[int, int, frozenset[str]], dict[frozenset[str], list[Held]]] = {}
    for held in entries:
        is_total = held.row.full <= TOTALS
        if held.group and held.row.core and len(held.facts) == 1 and not is_total:
            columns = tables.setdefault((held.chunk, held.group, held.heading.full), defaultdict(list))
            columns[held.label.full].append(held)
    own = meant_by(key_stems(grounds.text, sources.language) | found.counted)
    asked = own.with_words(key_stems(sources.question, sources.language))
    for columns in tables.values():
        fitting = {label: cells for label, cells in columns.items() if _may_rank(cells, found.dimension)}
        priced = {label: cells for label, cells in fitting.items() if cells[0].facts[0].kind == _MONEY}
        if found.dimension == _MONEY and priced:
            # "4 seats" cost nothing.
            fitting = priced
        named = _best_labels(fitting, own) or _best_labels(fitting, asked)
        if not named and not found.counts_alone:
            named = list(fitting)
        if len(named) == 1:
            yield [
                _Value(
                    held.facts[0],
                    Place(held.chunk, held.start, held.end),
                    held.row.core,
                    f"{held.named} {held.text.strip()}",
                )
                for held in fitting[named[0]]
            ]


def _best_labels(columns: Iterable[frozenset[str]], said: Said) -> list[frozenset[str]]:
    """The labels of which the most words are meant, and at least half of them."""
    shares = {label: said.share_of(label) for label in columns if label}
    best = max(shares.values(), default=0.0)
    return [label for label, share in shares.items() if share == best >= _LABELLED]


def _may_rank(cells: Sequence[Held], dimension: str) -> bool:
    """Whether the cells of a column have values of one unit that a superlative may compare."""
    if not _FEWEST <= len(cells) <= _MOST or len({unit_compared(held.facts[0]) for held in cells}) > 1:
        return False
    return all(
        _may_be_a_year(held.facts[0], dimension) or may_compare(held.facts[0], dimension) for held in cells
    )


def _may_be_a_year(fact: Fact, dimension: str) -> bool:
    return dimension in _TIMES and fact.kind == "number" and not fact.unit and fact.value in _YEARS


def _listed(found: _Superlative, sources: LedgerSources) -> Iterator[Sequence[_Value]]:
    """The values of a chunk that have the same words beside them: "The Elm quarry is 40 metres deep"."""
    if found.dimension == ANY and not found.counted:
        return
    chunks: list[list[_Value]] = []
    for chunk, index in enumerate(sources.context.indexes):
        chunks.append(list(_values_beside(found, chunk, index, sources)))
    # First those of one chunk, then of all chunks together.
    for values in (*chunks, list(chain.from_iterable(chunks))):
        units: dict[str, list[_Value]] = defaultdict(list)
        for value in values:
            units[unit_compared(value.fact)].append(value)
        for alike in units.values():
            common = frozenset.intersection(*(value.around for value in alike))
            if _FEWEST <= len(alike) <= _MOST and common:
                yield alike


def _values_beside(
    found: _Superlative, chunk: int, index: ChunkIndex, sources: LedgerSources
) -> Iterator[_Value]:
    """The values of a chunk that may be ranked, each with the words since the one before it."""
    starts = [token.start for token in index.tokens]
    values = [fact for fact in sources.values_in(chunk) if may_compare(fact, found.dimension)]
    behind = []
    for number, fact in enumerate(values):
        end = _sentence_at(index, fact.start)[1]
        high = min(end, values[number + 1].start if number + 1 < len(values) else end)
        behind.append(naming_words(index.tokens[bisect_left(starts, fact.end) : bisect_left(starts, high)]))
    # "18 beds" in one ward, "24 beds" in ward 3: what is counted stands behind its number.
    is_behind = any(found.counted <= names for names in behind)
    last = 0
    for fact, names_behind in zip(values, behind, strict=True):
        opening = _sentence_at(index, fact.start)[0]
        is_next = last > opening
        low = last if is_next else opening
        for joint in _JOINT.finditer(index.text, last, fact.start) if is_next else ():
            low = joint.end()
        before = index.tokens[bisect_left(starts, low) : bisect_left(starts, fact.start)]
        names = naming_words(before) | {token.stem for token in before if token.is_number}
        is_bare = is_behind and is_next and _BARE.match(index.text, fact.end) is not None
        if is_bare or found.counted <= (names_behind if is_behind else names):
            shown = " ".join(index.text[low : fact.end].split())
            place = Place(chunk, fact.start, fact.end)
            yield _Value(fact, place, names - found.counted, shown, names | names_behind)
            last = fact.end


def _sentence_at(index: ChunkIndex, start: int) -> tuple[int, int]:
    return index.sentences[bisect_right(index.sentences, (start, len(index.text))) - 1]


def _settled_rank(found: _Superlative, values: Sequence[_Value], grounds: Grounds) -> Outcome | None:
    """Whether what the claim names is the first of its values; None where it names none, or several."""
    common = frozenset.intersection(*(value.names for value in values))
    told = key_stems(grounds.text, grounds.language) | key_letters(grounds.tokens)
    telling = {value.place: value.names - common for value in values}
    if len(set(telling.values())) < len(values) or not all(telling.values()):
        return None
    named = [value for value in values if telling[value.place] <= told]
    for fact in () if named else counted_values(grounds.text):
        named += [value for value in values if compatible(fact, value.fact)]
    ranks = sorted({order_of(value.fact) for value in values}, reverse=_is_upwards(found, values))
    if len({value.fact.key for value in named}) != 1 or found.rank > len(ranks):
        return None
    best = next(value for value in values if order_of(value.fact) == ranks[found.rank - 1])
    if order_of(named[0].fact) == order_of(best.fact):
        return Outcome("computed", best.place, formula=", ".join(value.shown for value in values))
    return Outcome("denied", nearest=best.shown)


def _is_upwards(found: _Superlative, values: Sequence[_Value]) -> bool:
    """Whether the largest value is the first one; the oldest has the earliest year."""
    is_turned = found.dimension == "age" and all(
        value.fact.kind == "date" or _may_be_a_year(value.fact, found.dimension) for value in values
    )
    return found.is_largest != is_turned
