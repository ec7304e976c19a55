"""Comparisons of a claim ("X is longer than Y"), computed from the values that the sources give for both."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter

from pytest_grounding.evidence.exchanged_facts import Sides, content_of
from pytest_grounding.evidence.ledger_sources import LedgerSources
from pytest_grounding.evidence.settled import Outcome, Settled
from pytest_grounding.evidence.statements import Grounds, Statement
from pytest_grounding.lexicon import fields, words
from pytest_grounding.reading.facts import Fact
from pytest_grounding.reading.words import Token

_MORE, _LESS = words("comparatives", "more"), words("comparatives", "less")
_POINTS = frozenset({"date", "time"})
_UNCOUNTED = frozenset({"ordinal", "percent"})
_DURATIONS = frozenset({"s", "mo"})
_REACH = 4  # words between a comparative and its "than"
_POUNDS = "pound"  # of money or of weight
_THAN, _COMPARATIVE_END = "than", "er"
_DATE, _BEFORE, _ORDER_IN_TIME = "date", "before", frozenset({"before", "after"})
_MOST_OF_NAMES = 0.5  # share of the words beside a date which a claim has that means it
_NAMED_BY = 2  # words that a date stands beside, at least: what, and what happened
RATED = "rated"  # what is best, or worst
ANY, _ONE_OF_TWO = "any", frozenset({"of", "one", "ones"})


@dataclass(frozen=True, slots=True)
class _Comparative:
    dimension: str  # of lexicon/data/comparatives.txt
    is_more: bool  # whether the first side has the larger value


def comparisons_of(grounds: Grounds, sources: LedgerSources) -> Iterator[Settled]:
    """The comparisons of a claim whose two sides the sources give one value each, or compare as well."""
    if grounds.words.is_denying:
        return
    if _THAN not in grounds.words.norms:
        yield from _compared_alone(grounds.tokens, sources)
        yield from _compared_in_time(grounds, sources)
        return
    for than, token in enumerate(grounds.tokens):
        if token.norm == _THAN:
            yield from _compared_before(than, grounds, sources)


def _compared_before(than: int, grounds: Grounds, sources: LedgerSources) -> Iterator[Settled]:
    """The comparative before a "than", held against the values or the comparison that the sources have."""
    tokens = grounds.tokens
    for at in range(than - 1, max(-1, than - 1 - _REACH), -1):
        comparative = _comparative_at(tokens, at)
        if comparative is None and not tokens[at].norm.endswith(_COMPARATIVE_END):
            continue
        first = naming_words(tokens[:at]) | naming_words(tokens[at + 1 : than])
        second = naming_words(tokens[than + 1 :])
        sides = Sides(first, second).apart
        outcome = (
            None if comparative is None else _settled_by_values(comparative, at, sides, grounds, sources)
        )
        turned = _compared_otherwise(at, than, grounds) if outcome is None else None
        outcome = turned.outcome("denied") if turned is not None else outcome
        if outcome is not None:
            yield Settled("operator", tokens[at].start, tokens[at].end, outcome)
        return


def _settled_by_values(
    comparative: _Comparative, at: int, sides: Sides, grounds: Grounds, sources: LedgerSources
) -> Outcome | None:
    dimensions = [comparative.dimension]
    if comparative.dimension == ANY:
        # "Costs more", "takes less": the verb may say what is measured.
        dimensions.insert(0, dimension_of(grounds.tokens[:at]))
    for dimension in dimensions:
        pair = _pair_of(sides, dimension, sources)
        if pair is not None:
            return _outcome_of(_Comparative(dimension, comparative.is_more), *pair)
    return None


def _compared_otherwise(at: int, than: int, grounds: Grounds) -> Statement | None:
    """The sentence that compares the same two things by the same word the other way round."""
    tokens, stem = grounds.tokens, frozenset({grounds.tokens[at].stem})
    own = Sides(content_of([*tokens[:at], *tokens[at + 1 : than]]), content_of(tokens[than + 1 :]))
    for statement in grounds.statements:
        norms = [token.norm for token in statement.tokens]
        is_reversed = statement.has(_LESS) != grounds.words.has(_LESS)
        is_same = statement.words.has_stem(stem) and not (statement.words.is_denying or is_reversed)
        if not is_same or norms.count(_THAN) != 1:
            continue
        before, behind = statement.tokens[: norms.index(_THAN)], statement.tokens[norms.index(_THAN) + 1 :]
        if own.exchanged_in(Sides(content_of(before), content_of(behind)), grounds.forms):
            return statement
    return None


def _compared_alone(tokens: Sequence[Token], sources: LedgerSources) -> Iterator[Settled]:
    """What is called the longer one, or the cheaper of the two, held against the only other value."""
    for at, (token, behind) in enumerate(pairwise(tokens)):
        comparative = _comparative_at(tokens, at) if behind.text.lower() in _ONE_OF_TWO else None
        if comparative is None:
            continue
        values = list(_named_values(comparative.dimension, sources))
        common = frozenset.intersection(*map(itemgetter(1), values)) if values else frozenset()
        told = naming_words(tokens[:at]) - common
        ours = [fact for fact, names in values if told & names]
        theirs = [fact for fact, names in values if not told & names]
        units = {unit_compared(fact) for fact, _ in values}
        if len(ours) == 1 and len(theirs) == 1 and len(units) == 1:
            yield Settled("operator", token.start, token.end, _outcome_of(comparative, ours[0], theirs[0]))


def _compared_in_time(grounds: Grounds, sources: LedgerSources) -> Iterator[Settled]:
    """What a claim says came before or after something else, held against the dates or times of both."""
    tokens = grounds.tokens
    at = next((at for at, token in enumerate(tokens) if at and token.norm in _ORDER_IN_TIME), None)
    if at is None or any(token.is_number for token in tokens):
        return
    first, second = naming_words(tokens[:at]), naming_words(tokens[at + 1 :])
    values = list(_named_values(_DATE, sources))
    ours = _dated(values, first, first | second)
    theirs = _dated(values, second, first | second)
    if ours is None or theirs is None or ours is theirs:
        return
    is_right = (order_of(ours) < order_of(theirs)) == (tokens[at].norm == _BEFORE)
    told = f"{ours.text} and {theirs.text}"
    if order_of(ours) != order_of(theirs) and _are_of_one_sort(ours, theirs):
        outcome = Outcome("computed", formula=told) if is_right else Outcome("denied", nearest=told)
        yield Settled("operator", tokens[at].start, tokens[at].end, outcome)


def _dated(
    values: Sequence[tuple[Fact, frozenset[str]]], side: frozenset[str], whole: frozenset[str]
) -> Fact | None:
    """The one date or time whose words are those of a side; what happens may stand on the other one."""
    for stems in (side, whole):
        shares = {}
        for fact, names in values:
            if len(names & stems) >= _NAMED_BY and not names.isdisjoint(side):
                shares[fact] = len(names & stems) / len(names)
        best = max(shares.values(), default=0.0)
        found = {fact.key: fact for fact, share in shares.items() if share == best}
        if best >= _MOST_OF_NAMES and len(found) == 1:
            return next(iter(found.values()))
    return None


def _are_of_one_sort(first: Fact, second: Fact) -> bool:
    """Whether both are times of day, or dates with a year, or dates without one."""
    if first.date is None or second.date is None:
        return first.kind == second.kind
    return (first.date.year is None) == (second.date.year is None)


@lru_cache(maxsize=1)
def dimensions() -> Mapping[str, tuple[_Comparative, ...]]:
    """Comparative -> what it may compare."""
    found: dict[str, tuple[_Comparative, ...]] = {}
    for section, is_more in (("larger", True), ("smaller", False)):
        for dimension, listed in fields("comparatives", section).items():
            for word in listed:
                found[word] = (*found.get(word, ()), _Comparative(dimension, is_more))
    return found


def _comparative_at(tokens: Sequence[Token], at: int) -> _Comparative | None:
    """The comparative at a token: "longer", "more expensive", "fewer"."""
    norm = tokens[at].norm
    before = tokens[at - 1].norm if at else ""
    known = dimensions().get(norm)
    if norm.endswith("er") and known:
        return known[0]
    if before in _MORE or before in _LESS:
        plain = known[0] if known else _Comparative(ANY, is_more=True)
        return _Comparative(plain.dimension, plain.is_more == (before in _MORE))
    if norm in _MORE or norm in _LESS:
        return _Comparative(ANY, norm in _MORE)
    return None


def dimension_of(before: Sequence[Token]) -> str:
    """What the verb before "more" measures: "costs more"; "any" without such a verb."""
    norms = {token.norm for token in before}
    listed = fields("comparatives", "verbs").items()
    return next((dimension for dimension, verbs in listed if not norms.isdisjoint(verbs)), ANY)


def naming_words(tokens: Sequence[Token], since: int = 0) -> frozenset[str]:
    """What names one side: content words by stem, and single capitals that open nothing ("zone B")."""
    names: set[str] = set()
    for number, token in enumerate(tokens):
        if token.start < since:
            continue
        if len(token.text) == 1 and token.text.isupper() and number:
            names.add(token.text)
        elif not token.is_stop and not token.is_number:
            names.add(token.stem)
    return frozenset(names)


def _pair_of(sides: Sides, dimension: str, sources: LedgerSources) -> tuple[Fact, Fact] | None:
    """The values of both sides in one unit, if there is one such unit with one value each."""
    ours: dict[str, dict[str, Fact]] = {}
    theirs: dict[str, dict[str, Fact]] = {}
    values = list(_named_values(dimension, sources))
    common = frozenset.intersection(*(names for _, names in values)) if len(values) > 1 else frozenset()
    for fact, named in values:
        names = named - common
        # The second side is a plain noun; the first has the verb of the claim too.
        if not names.isdisjoint(sides.second):
            theirs.setdefault(unit_compared(fact), {})[fact.key] = fact
        elif not names.isdisjoint(sides.first):
            ours.setdefault(unit_compared(fact), {})[fact.key] = fact
    shared = [unit for unit, facts in ours.items() if len(facts) == 1 and len(theirs.get(unit, ())) == 1]
    if len(shared) != 1:
        return None
    return next(iter(ours[shared[0]].values())), next(iter(theirs[shared[0]].values()))


def _named_values(dimension: str, sources: LedgerSources) -> Iterator[tuple[Fact, frozenset[str]]]:
    """The values of one dimension, each with what the words before it name, up to the value before it."""
    for chunk, index in enumerate(sources.context.indexes):
        openings = [start for start, _ in index.sentences]
        tokens = [token.start for token in index.tokens]
        last = 0
        for fact in sources.values_in(chunk):
            if may_compare(fact, dimension):
                start = openings[max(0, bisect_right(openings, fact.start) - 1)]
                before = index.tokens[bisect_left(tokens, start) : bisect_left(tokens, fact.start)]
                yield fact, naming_words(before, since=max(start, last))
                last = fact.end


def unit_compared(fact: Fact) -> str:
    """What two values must share to be compared: their unit, or that both are dates, or times of day."""
    return fact.kind if fact.kind in _POINTS else fact.unit


def may_compare(fact: Fact, dimension: str) -> bool:
    """Whether a value is one of a dimension: of money, of mass."""
    if fact.kind in _UNCOUNTED or fact.value is None or fact.value != fact.high:
        return fact.kind == "date" and dimension in ("date", "age")
    if dimension in ("date", "age"):
        return fact.kind in _POINTS or (dimension == "age" and fact.unit in _DURATIONS)
    if dimension == "money":
        is_pounds = fact.unit.partition("/")[0] == "g" and _POUNDS in fact.text
        return is_pounds or fact.kind in ("money", "number") or fact.unit.partition("/")[0].isupper()
    if dimension == RATED:
        # The best price is the lowest one, and the best time the shortest.
        return fact.kind not in _POINTS and fact.kind != "money" and fact.unit not in _DURATIONS
    if dimension == ANY:
        return fact.kind not in _POINTS
    units = fields("comparatives", "units").get(dimension, ())
    return fact.unit.partition("/")[0] in units


def _outcome_of(comparative: _Comparative, first: Fact, second: Fact) -> Outcome:
    is_more = comparative.is_more
    if comparative.dimension == "age" and first.kind in _POINTS:
        # The older one has the earlier year.
        is_more = not is_more
    ours, theirs = order_of(first), order_of(second)
    is_right = ours > theirs if is_more else ours < theirs
    values = f"{first.text} against {second.text}"
    return Outcome("computed", formula=values) if is_right else Outcome("denied", nearest=values)


def order_of(fact: Fact) -> tuple[float, ...]:
    """By what values of one unit are put in order."""
    if fact.date is not None:
        return (fact.date.year or 0, fact.date.month or 0, fact.date.day or 0)
    return (fact.value or 0.0,)
