"""Values held against a limit: "above 2,000 m", 25 kg where 23 kg are allowed, 18:30 behind the last hour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.calendar_spans import is_spanning
from pytest_grounding.evidence.ledger_sources import LedgerSources, is_denier, typed_values
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.evidence.statements import Grounds, Statement
from pytest_grounding.lexicon import words
from pytest_grounding.model.claim_fact import FactType
from pytest_grounding.reading.facts import Fact
from pytest_grounding.reading.words import Token

_CLOSED, _AGED = words("limits", "closed"), words("limits", "aged")
_HOURS = _CLOSED | words("limits", "open")
_ALLOWING = words("limits", "allowing") | words("limits", "open")
#: Between the first and the last hour: "opens at 7:30 and closes at 19:00".
_CLOSES = lazy(r"(?:,? ?and |, ?)(?:it )?(?:closes|shuts|ends)(?: at)?")
_AFTER = lazy(r"\b(?:after|later than)\s*$")
#: A statement is looked at that has this share of a claim without its value, and so many of them at most.
_SHARE, _MOST = 0.6, 3
_TIME, _MONEY, _LEAST, _MONTHS = "time", "money", "min", 12.0
_REACH = 3  # words behind a number in which what it counts stands
_BEFORE = 12  # characters before a value that are read for "after"
_NOON = 720.0  # minutes


@dataclass(frozen=True, slots=True)
class _Limit:
    """What a source allows: from a lowest to a highest value."""

    low: float
    high: float
    is_open: bool  # whether the limit itself is outside
    shown: str
    place: Place

    def allows(self, value: float) -> bool:
        if self.is_open:
            return self.low < value < self.high
        return self.low <= value <= self.high


def thresholds_of(grounds: Grounds, sources: LedgerSources) -> Iterator[Settled]:
    """The values of a claim that a limit decides: the claim's own, or one of the sources; English only."""
    if sources.language != "en":
        return
    for fact in typed_values(grounds.text):
        is_plain = fact.value is not None and fact.value == fact.high and not fact.approximate
        # "Midday rest" is no time of day.
        is_written = fact.kind != _TIME or any(map(str.isdigit, fact.text))
        if is_plain and is_written and fact.kind != "ordinal":
            yield from _settled_by(fact, grounds, sources)


def _statements_about(fact: Fact, grounds: Grounds) -> list[Statement]:
    """The sentences with most of a claim beside its value."""
    own = {
        token.stem for token in grounds.tokens if fact.lead <= token.start < fact.tail or token.norm in _AGED
    }
    rest = [stem for stem in grounds.content if stem not in own]
    found = []
    for statement in grounds.statements[:_MOST] if rest else ():
        if not statement.words.is_denying and grounds.share_of(rest, statement) >= _SHARE:
            found.append(statement)
    return found


def _settled_by(fact: Fact, grounds: Grounds, sources: LedgerSources) -> Iterator[Settled]:
    if fact.bound:
        for statement in _statements_about(fact, grounds):
            outcome = _against_own_limit(fact, _values_in(statement, sources), statement, grounds)
            if outcome is not None:
                yield _as_settled(fact, outcome)
                return
    elif _is_a_case(fact, grounds, sources):
        limits: list[_Limit] = []
        is_allowing = False
        for statement in _statements_about(fact, grounds):
            limits += _limits_in(fact, _values_in(statement, sources), statement, grounds)
            is_allowing = is_allowing or statement.has(_ALLOWING)
        if limits and is_allowing:
            yield from _within(fact, limits, grounds)
        elif len(limits) == 1 and not grounds.words.is_denying:
            # "The crate weighs less than 80 kg": how much it weighs is not said.
            yield _as_settled(fact, Outcome("missing", limits[0].place, nearest=limits[0].shown))


def _is_a_case(fact: Fact, grounds: Grounds, sources: LedgerSources) -> bool:
    """Whether a value is a case that a limit decides: one that was asked about, or "after 20 days"."""
    if sources.is_in_given(fact, sources.given.question):
        return True
    return _AFTER.search(grounds.text, max(0, fact.start - _BEFORE), fact.start) is not None


def _values_in(statement: Statement, sources: LedgerSources) -> list[Fact]:
    values = sources.values_in(statement.chunk)
    return [value for value in values if statement.start <= value.start and value.end <= statement.end]


def _as_settled(fact: Fact, outcome: Outcome) -> Settled:
    kind: FactType = "point_in_time" if fact.kind == _TIME else "quantity"
    # "At least 400" is confirmed as a whole.
    start, end = (fact.lead, fact.tail) if outcome.status == "computed" else (fact.start, fact.end)
    return Settled(kind, start, end, outcome)


def _against_own_limit(
    fact: Fact, values: Sequence[Fact], statement: Statement, grounds: Grounds
) -> Outcome | None:
    """Whether the one value of a sentence is above or below the limit that a claim gives."""
    if grounds.words.is_denying and not fact.turned:
        return None
    alike = [value for value in values if value.unit == fact.unit and value.kind == fact.kind]
    if len({value.key for value in alike}) != 1 or not _is_exact_value(alike[0]):
        return None
    if not fact.unit and _nouns_behind_value(fact, grounds.tokens).isdisjoint(
        _nouns_behind_value(alike[0], statement.tokens)
    ):
        return None
    value = alike[0].value or 0.0
    if value == fact.value and fact.kind == _MONEY:
        # "An invoice over 120 euros" is of 120 euros.
        return None
    if keeps(value, fact):
        place = Place(statement.chunk, alike[0].start, alike[0].end)
        return Outcome("computed", place, formula=alike[0].text)
    return Outcome("denied", nearest=alike[0].text)


def keeps(value: float, limit: Fact) -> bool:
    """Whether a value is on the side of a limit that it allows: 1,980 of "below 2,000"."""
    edge = limit.value or 0.0
    if value == edge:
        return not limit.strict
    return value > edge if limit.bound == _LEAST else value < edge


def _is_exact_value(value: Fact) -> bool:
    return value.value is not None and value.value == value.high and not value.bound and not value.approximate


def _nouns_behind_value(fact: Fact, tokens: Sequence[Token]) -> frozenset[str]:
    """What a number counts: the content words right behind it."""
    behind = [token for token in tokens if token.start >= fact.end][:_REACH]
    return frozenset([token.stem for token in behind if not token.is_stop])


def _limits_in(
    fact: Fact, values: Sequence[Fact], statement: Statement, grounds: Grounds
) -> Iterator[_Limit]:
    """The limits of a sentence for values of the claim's sort."""
    if fact.kind == _TIME:
        yield from _hours_in(values, statement, grounds)
        return
    for value in values:
        if not value.bound or value.value is None:
            continue
        limit = value.value
        if value.unit != fact.unit:
            if value.unit or fact.unit != "mo" or not statement.has(_AGED):
                continue
            limit *= _MONTHS
        place = Place(statement.chunk, value.start, value.end)
        shown = grounds.text_of(statement)[value.lead : value.tail]
        if value.bound == _LEAST:
            yield _Limit(limit, float("inf"), value.strict, shown, place)
        else:
            yield _Limit(float("-inf"), limit, value.strict, shown, place)


def _hours_in(values: Sequence[Fact], statement: Statement, grounds: Grounds) -> Iterator[_Limit]:
    if not grounds.words.has(_HOURS):
        return
    text = grounds.text_of(statement)
    times = [value for value in values if value.kind == _TIME]
    for first, last in pairwise(times):
        low, high = first.value, last.value
        between = text[first.end : last.start].strip().lower()
        # "9 to 5" may end in the afternoon.
        if low is None or high is None or not low < high or high <= _NOON:
            continue
        if is_spanning(between, text[: first.start]) or _CLOSES.fullmatch(between) is not None:
            place = Place(statement.chunk, first.start, last.end)
            yield _Limit(low, high, False, text[first.start : last.end], place)


def _within(fact: Fact, limits: Sequence[_Limit], grounds: Grounds) -> Iterator[Settled]:
    """What follows for a value that a claim affirms or denies; nothing where limits are of several cases."""
    deniers = [token for token in grounds.tokens if is_denier(token.norm) or token.norm in _CLOSED]
    if len(deniers) > 1:
        return
    allowing = [limit for limit in limits if limit.allows(fact.value or 0.0)]
    is_allowed = bool(allowing)
    limit = allowing[0] if allowing else limits[0]
    if is_allowed == (not deniers):
        outcome = Outcome("computed", limit.place, formula=limit.shown)
        yield _as_settled(fact, outcome)
        yield from (Settled("polarity", token.start, token.end, outcome) for token in deniers)
    elif len(limits) == 1:
        yield _as_settled(fact, Outcome("denied", nearest=limit.shown))
