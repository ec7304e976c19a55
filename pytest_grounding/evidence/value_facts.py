"""Quantities and points in time of a claim, settled against the sources."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import attrgetter

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.denominators import is_counted_alike, is_counted_otherwise, is_rate_apart
from pytest_grounding.evidence.ledger_sources import LedgerSources, is_denier, typed_values
from pytest_grounding.evidence.number_matches import find_value, is_bare_number, where_often
from pytest_grounding.evidence.settled import NOWHERE, Outcome, Place, Settled
from pytest_grounding.evidence.token_index import ChunkIndex, fold_words
from pytest_grounding.evidence.value_readings import is_by_words_below
from pytest_grounding.lexicon import numbers, words
from pytest_grounding.model.claim_fact import FactStatus, FactType
from pytest_grounding.model.finding import Evidence
from pytest_grounding.reading.facts import Fact, compatible
from pytest_grounding.reading.facts.often import often_in
from pytest_grounding.reading.words import Token, tokenize

_POINTS = frozenset({"date", "time"})
_BARE = frozenset({"number", "ordinal"})
_BOUNDS = {"min", "max"}
#: Values that a sentence in words uses without counting anything: "one of them".
_IDLE = frozenset({0.0, 1.0})
#: "Three times 19" multiplies, and is no frequency.
_TIMES, _MULTIPLIED = " times", lazy(r"\s[^\w\s]?\d")
_OF_THEM = lazy(r"\sof\s(?:them|these|those|which|whom)\b", re.IGNORECASE)
_RAISED = lazy("[⁰¹²³⁴-⁹]")  # raised digits: 10³ is not 103
#: Working days and days, degrees of an open scale and of a named one: one may leave out what the other has.
_OPEN_UNITS = frozenset({("s", "bday"), ("bday", "s"), ("deg", "degC"), ("degC", "deg")})
#: Kinds whose sign is part of the value, and words for it; a loss of 5 % may be written -5 %.
_SIGNED, _BELOW = frozenset({"number", "quantity", "percent", "money"}), words("limits", "below zero")
_LABELS, _BEING = words("labels", "numbered"), words("denials", "being")
_PAIR = 2.0  # what "both" counts
#: "One day" and "a day"; "once" of a time in the past.
_ONE, _ARTICLES, _ONCE = " one ", (" a ", " an "), "once"
_HALF, _MOST_OF = 50.0, words("numerals", "most")
_ONE_TIME = words("numerals", "once")
#: Values before a value that it may repeat in another unit, and characters behind it that belong to it.
_RESTATED_WITHIN, _BEHIND = 3, 12
_CASES = words("limits", "cases")
_CASE_REACH = 6
_ENGLISH = "en"
_START = attrgetter("start")
#: How a label names a period, with its seconds; months and years are not all as long.
_PERIODS, _NEARLY = numbers("rates", "labels of periods"), 0.02
#: Characters before a value that are searched for its label, and what ends the label before.
_LABEL_WITHIN, _LABEL_ENDS = 80, lazy(r"[.!?;]\s|\n")
#: What folding leaves out of a value: signs of currencies and shares.
_SIGN = lazy(r"[^\w\s.,:;'’()\-–—/]")
#: Seconds of a day, how exact a rate is, and the words for a day behind a value.
_DAY, _ROUNDING = 86400.0, 1e-6
_IN_A_DAY = lazy(r"\s(?:in|every|per|within|over)\s(?:any\s|each\s|a\s)?24[ -]hours?\b", re.IGNORECASE)


def values_of(text: str, sources: LedgerSources, evidence: Sequence[Evidence]) -> Iterator[Settled]:
    """The quantities and points in time of a claim's bare text."""
    local = sources.local.text(text)
    facts = typed_values(local)
    if sources.language == _ENGLISH:
        yield from _frequencies_of(local, facts, sources)
    if not facts:
        return
    tokens = tokenize(local, sources.language)
    yield from _told_below(facts, local, tokens, sources)
    settled: dict[tuple[str, str], Outcome] = {}
    for number, fact in enumerate(facts):
        if not _counts_nothing(local, tokens, fact):
            # A claim may repeat a value; its conversion stands right behind it.
            words_of_value = fact.kind, local[fact.lead : fact.tail + _BEHIND]
            before = facts[max(0, number - _RESTATED_WITHIN) : number]
            if words_of_value not in settled:
                settled[words_of_value] = _settled_value(fact, local, tokens, before, sources, evidence)
            outcome = settled[words_of_value]
            kind: FactType = "point_in_time" if fact.kind in _POINTS else "quantity"
            yield Settled(kind, fact.start, fact.end, outcome)


def _frequencies_of(text: str, facts: Sequence[Fact], sources: LedgerSources) -> Iterator[Settled]:
    """The frequencies in words ("every week") that no source and no question has."""
    for often in often_in(text):
        if any(fact.start < often.end and often.start < fact.end for fact in facts) or often.named:
            continue
        if where_often(often, sources.context.indexes) is not None:
            continue
        period = tokenize(text[often.start : often.end], _ENGLISH)[-1]
        is_known = bool(sources.context.forms(period.stem)) or period.stem in sources.given_stems
        if not is_known:
            yield Settled("quantity", often.start, often.end, Outcome("missing"))


def _said_by_article(fact: Fact, folded: str, index: ChunkIndex) -> bool:
    """Whether a value is one of something, and a chunk has an article in its place: "a day"."""
    if fact.bound or fact.per or not folded.startswith(_ONE):
        return False
    return any(article + folded.removeprefix(_ONE) in index.folded for article in _ARTICLES)


def _is_long_ago(text: str, fact: Fact) -> bool:
    """Whether "once" is said of a time in the past, and of no count: "there was once a mill"."""
    if fact.text.lower() != _ONCE or fact.per:
        return False
    before = text[: fact.start].lower().split()
    return bool(before) and before[-1] in _BEING


def _counts_nothing(text: str, tokens: Sequence[Token], fact: Fact) -> bool:
    """Whether a value counts nothing that a source would state: a label, a counter, "one of them"."""
    if _is_long_ago(text, fact) or (
        fact.text.endswith(_TIMES) and _MULTIPLIED.match(text, fact.end) is not None
    ):
        return True
    if fact.kind not in _BARE or fact.per or fact.unit:
        return False
    is_in_words = not any(char.isdigit() for char in fact.text)
    if is_in_words and _OF_THEM.match(text, fact.end) is not None:
        # "Robotics and choir being two of them": what it counts stands beside it.
        return True
    if is_in_words and (fact.kind == "ordinal" or fact.value in _IDLE):
        return True
    first, after = (bisect_left(tokens, place, key=_START) for place in (fact.start, fact.end))
    numbers = [number for number in range(first, after) if tokens[number].is_number]
    return bool(numbers) and all(is_bare_number(text, tokens, number) for number in numbers)


def _settled_value(
    fact: Fact,
    text: str,
    tokens: Sequence[Token],
    before: Sequence[Fact],
    sources: LedgerSources,
    evidence: Sequence[Evidence],
) -> Outcome:
    """What the sources have for a value, from the plain case to the rare ones."""
    label = _other_label(fact, text, sources) or _without_sign(fact, text, sources)
    if label is not None:
        return label
    place = _same_key(fact, text, sources)
    if place is not None:
        return Outcome("found", place)
    indexes = sources.context.indexes
    if is_counted_otherwise(fact, text, tokens, sources):
        return _missing(fact, sources, evidence)
    said = find_value(fact, text, indexes, sources.comparisons, sources.question)
    if said is not None and said.fact is not None and _says_less(said.fact, fact):
        said = None
    if said is not None and said.operands:
        return Outcome("computed", formula=f"{fact.text} from {' and '.join(said.operands)}")
    if said is not None:
        return Outcome("found", _place_of(said.fact, sources))
    if sources.comparisons.is_spent or any(_repeats_in_unit(fact, other) for other in before):
        return Outcome("found")
    place = _in_other_form(fact, text, tokens, sources)
    if place is not None:
        return Outcome("found", place)
    given = sources.given
    others: tuple[tuple[FactStatus, tuple[str, ...]], ...] = (
        ("known", given.known),
        ("question", given.question),
        ("found", given.names),
    )
    for status, texts in others:
        if sources.is_in_given(fact, texts):
            return Outcome(status)
    return _missing(fact, sources, evidence)


def _other_label(fact: Fact, text: str, sources: LedgerSources) -> Outcome | None:
    """A number that is a name (version 3.1, PIN 420) of which the sources have another spelling alone."""
    if fact.unit or fact.value is None or fact.kind != "number":
        return None
    spelled: dict[str, Outcome] = {}
    is_label = _is_label(fact, text)
    if not is_label and "." not in fact.text:
        return None
    for chunk, index in enumerate(sources.context.indexes):
        for other in sources.values_in(chunk):
            is_single = other.value == other.high and other.kind == "number" and not other.unit
            if is_single and other.value == fact.value:
                is_label = is_label or _is_label(other, index.text) or other.text.startswith("0")
                outcome = Outcome("missing", Place(chunk, other.start, other.end), nearest=other.text)
                spelled.setdefault(_digits_of(other), outcome)
    is_written = all(digits for digits in (_digits_of(fact), *spelled))
    if not is_label or not spelled or not is_written or _digits_of(fact) in spelled:
        return None
    return next(iter(spelled.values()))


def _without_sign(fact: Fact, text: str, sources: LedgerSources) -> Outcome | None:
    """A number that the sources have below zero alone, of a claim that does not say so in words."""
    is_plain = fact.kind in _SIGNED and fact.value is not None and fact.value == fact.high and fact.value > 0
    if not is_plain or not _BELOW.isdisjoint(text.lower().replace(",", " ").replace(".", " ").split()):
        return None
    found: Outcome | None = None
    for chunk in range(len(sources.context.indexes)):
        for other in sources.values_like(fact, chunk):
            if other.value is None or fact.value is None or other.value != -fact.value:
                return None
            found = found or Outcome("missing", Place(chunk, other.start, other.end), nearest=other.text)
    return found


def _told_below(
    facts: Sequence[Fact], text: str, tokens: Sequence[Token], sources: LedgerSources
) -> Iterator[Settled]:
    """The word by which a claim says that a value is below zero, where a source has it with a minus."""
    told = [token for token in tokens if token.norm in _BELOW]
    for fact in (one for one in facts if told and is_by_words_below(one, text)):
        for chunk in range(len(sources.context.indexes)):
            for other in sources.values_like(fact, chunk):
                if fact.value and other.value == -fact.value < 0:
                    outcome = Outcome("computed", Place(chunk, other.start, other.end), formula=other.text)
                    yield Settled("operator", told[0].start, told[0].end, outcome)
                    return


def _is_label(fact: Fact, text: str) -> bool:
    """Whether the word before a number says that it is a name: "version", "clause", "Python"."""
    before = text[: fact.start].rstrip(" v>=<~^").rsplit(maxsplit=1)
    word = before[-1].lower().strip("([,.") if before else ""
    return word in _LABELS or (
        word in _BEING and bool(_LABELS & set(text[: fact.start].lower().split()[-3:]))
    )


def _digits_of(fact: Fact) -> str:
    """A number without blanks and thousands separators; "" for one in words."""
    return "".join(char for char in fact.text if char.isdigit() or char == ".").strip(".")


def _same_key(fact: Fact, text: str, sources: LedgerSources) -> Place | None:
    """Where a chunk has a value that is equal as normalised, and counted for the same thing."""
    key = f"{fact.kind} {fact.key}"
    for chunk in range(len(sources.context.indexes)):
        for other in sources.facts_by_key(chunk).get(key, ()):
            if is_counted_alike(fact, text, other, sources.context.indexes[chunk].text):
                return Place(chunk, other.start, other.end)
    return None


def _place_of(fact: Fact | None, sources: LedgerSources) -> Place:
    if fact is not None:
        for chunk, index in enumerate(sources.context.indexes):
            if index.text[fact.start : fact.end] == fact.text:
                return Place(chunk, fact.start, fact.end)
    return NOWHERE


def _repeats_in_unit(fact: Fact, other: Fact) -> bool:
    """Whether a value repeats one before it in another unit: "350 °F (175 °C)"."""
    return fact.kind == other.kind and fact.unit == other.unit and fact.unit != "" and compatible(fact, other)


def _in_other_form(fact: Fact, text: str, tokens: Sequence[Token], sources: LedgerSources) -> Place | None:
    """Where a chunk has a value as other words, in parts, without its unit, or with an open one."""
    written = text[fact.lead : fact.tail]
    folded, has_sign = fold_words(written), _SIGN.search(written) is not None
    for chunk, index in enumerate(sources.context.indexes):
        is_written = written in index.text if has_sign else folded in index.folded
        if is_written and not (fact.kind == "number" and _RAISED.search(index.text)):
            return Place(chunk)
        if _said_by_article(fact, folded, index):
            return Place(chunk)
    place = _in_words(fact, sources)
    if place is not None:
        return place
    is_case = _is_case(text, fact)
    if is_case:
        fact = fact._replace(bound="", strict=False)
    for chunk, index in enumerate(sources.context.indexes):
        for other in sources.values_like(fact, chunk):
            is_other_case = is_case and not _is_case(index.text, other)
            is_same = _is_open(fact, other)
            if is_other_case or _is_turned_limit(fact, other, index):
                is_edge = fact.unit == other.unit and fact.value is not None and fact.value == other.value
                is_same = is_same or is_edge
            if is_same or _is_same_rate(fact, other, index.text) or is_rate_apart(fact, text, other):
                return Place(chunk, other.start, other.end)
    if fact.kind in _POINTS:
        return _date_in_parts(fact, sources)
    if fact.value != fact.high:
        return _both_ends(fact, sources)
    for chunk in range(len(sources.context.indexes)):
        if _is_told_by_key(fact, chunk, sources):
            return Place(chunk)
    if fact.per or fact.bound:
        return None
    if fact.value == _PAIR and not fact.unit and "both" in sources.context.positions:
        return Place()
    return _without_unit(fact, tokens, sources)


def _in_words(fact: Fact, sources: LedgerSources) -> Place | None:
    """Where a chunk has "most" for "more than half", or "one-time" for "once"."""
    is_most = fact.unit == "%" and fact.value == _HALF and fact.bound == "min"
    is_once = fact.text.lower() == _ONCE and not fact.per
    told = _MOST_OF if is_most else _ONE_TIME
    if is_most or is_once:
        for chunk, index in enumerate(sources.context.indexes):
            if any(f" {word} " in index.folded for word in told):
                return Place(chunk)
    return None


def _is_case(text: str, fact: Fact) -> bool:
    """Whether a limit names a case: "if you are under 18" beside "from 18 years on"."""
    before = text[: fact.lead].lower().replace("'", " ").split()[-_CASE_REACH:]
    return bool(fact.bound) and not _CASES.isdisjoint(before)


def _is_same_rate(fact: Fact, other: Fact, text: str) -> bool:
    """Whether a source has a rate in two places: "Price per month: $29", "4 g in 24 hours"."""
    base, _, time = fact.unit.rpartition("/")
    if time != "s" or base != other.unit or fact.value is None or other.value is None:
        return False
    is_daily = abs(fact.value * _DAY - other.value) <= _ROUNDING * abs(other.value)
    if is_daily and _IN_A_DAY.match(text, other.end) is not None:
        return True
    before = text[max(0, other.start - _LABEL_WITHIN) : other.start].lower()
    label = " ".join(re.split(r"\W+", _LABEL_ENDS.split(before)[-1]))
    return any(
        abs(fact.value * seconds - other.value) <= _NEARLY * abs(other.value) and f" {name} " in f" {label} "
        for name, seconds in _PERIODS.items()
    )


def _says_less(other: Fact, fact: Fact) -> bool:
    """Whether a source has but the year of a day, only values between which a value lies, or no limit."""
    is_inside = not fact.bound and fact.value == fact.high and other.value != other.high
    if fact.kind == "date" and other.kind == "date" and fact.date is not None:
        if other.date is not None:
            return fact.date.month is not None and other.date.month is None
        # "On Wednesday" is said of what is open from Monday to Friday, "in 1894" of no one's lifetime.
        return is_inside and fact.date.year is not None
    if other.bound or fact.unit != other.unit or fact.kind in _POINTS:
        # "At eight" is said of what is open from seven to ten.
        return False
    if fact.strict and not fact.approximate:
        # "More than 400" beside "about 400".
        return fact.value == other.value == other.high
    return is_inside


def _is_turned_limit(fact: Fact, other: Fact, index: ChunkIndex) -> bool:
    """Whether a source denies the other side of a limit: "no delivery below 20" for "at least 20"."""
    if {fact.bound, other.bound} != _BOUNDS or other.turned:
        return False
    first = next((start for start, end in index.sentences if start <= other.start < end), 0)
    return any(is_denier(token.norm) for token in index.tokens if first <= token.start < other.start)


def _is_open(fact: Fact, other: Fact) -> bool:
    """Whether two values have the same numbers, and one leaves out "working" or the scale."""
    return (fact.unit, other.unit) in _OPEN_UNITS and fact.bound in ("", other.bound)


def _date_in_parts(fact: Fact, sources: LedgerSources) -> Place | None:
    """A date of which one place has day and month, and the same chunk or what is given has the year."""
    date = fact.date
    if date is None or date.year is None or date.month is None:
        return _both_ends(fact, sources) if fact.value != fact.high else None
    given = " ".join(sources.given.texts)
    year = str(date.year)
    for chunk, index in enumerate(sources.context.indexes):
        if year not in index.text and year not in given:
            continue
        for other in sources.values_in(chunk):
            if other.date is None or other.date.year is not None or other.date.month != date.month:
                continue
            if date.day in (None, other.date.day):
                return Place(chunk, other.start, other.end)
    return None


def _both_ends(fact: Fact, sources: LedgerSources) -> Place | None:
    """A range of which one chunk has both ends, each as a value of its own."""
    low = fact._replace(high=fact.value, bound="")
    high = fact._replace(value=fact.high, bound="")
    for chunk in range(len(sources.context.indexes)):
        others = sources.values_in(chunk)
        has_low = any(_is_end(low, other) for other in others)
        if has_low and any(_is_end(high, other) for other in others):
            return Place(chunk)
    return None


def _is_end(end: Fact, other: Fact) -> bool:
    """Whether a value of a chunk is an end of a range; its unit may stand at the other end."""
    if end.value is None or other.value is None:
        return False
    if end.kind == "date":
        return other.kind in ("date", "number") and end.value in (other.value, other.high)
    if end.unit == other.unit:
        return end.value in (other.value, other.high)
    return not other.unit and other.text in end.text


def _without_unit(fact: Fact, tokens: Sequence[Token], sources: LedgerSources) -> Place | None:
    """Where a chunk has a number whose unit stands elsewhere, or that is read otherwise there."""
    inside = [token for token in tokens if fact.start <= token.start < fact.end]
    numbers = [token for token in inside if token.is_number]
    units = [token for token in inside if not token.is_number and not token.is_stop]
    if not numbers:
        return None
    for chunk, index in enumerate(sources.context.indexes):
        if not all(token.stem in index.positions for token in numbers):
            continue
        if fact.unit and not units and len(numbers) == 1:
            continue
        if all(_stands_apart(unit, fact, chunk, sources) for unit in units):
            first = index.tokens[index.positions[numbers[0].stem][0]]
            return Place(chunk, first.start, first.end)
    return None


def _is_told_by_key(fact: Fact, chunk: int, sources: LedgerSources) -> bool:
    """Whether a chunk of records (JSON, a table) has a value whose unit or limit its key may name."""
    if sources.pages.pages[chunk].laid is None:
        return False
    return any(
        other.kind == "number" or (other.unit == fact.unit and not other.bound)
        for other in sources.values_like(fact, chunk)
    )


def _stands_apart(unit: Token, fact: Fact, chunk: int, sources: LedgerSources) -> bool:
    """Whether a chunk has a unit somewhere, and the number without any unit."""
    if unit.stem not in sources.context.indexes[chunk].positions:
        return False
    return any(other.kind == "number" for other in sources.values_like(fact, chunk))


def _missing(fact: Fact, sources: LedgerSources, evidence: Sequence[Evidence]) -> Outcome:
    """A missing value, with the value of the same kind that the nearest evidence has."""
    ids = {name: number for number, name in enumerate(sources.ids)}
    is_point = fact.kind in _POINTS
    for is_same_kind in (True, False):
        for item in evidence:
            for other in typed_values(item.text):
                if (other.kind in _POINTS) != is_point:
                    continue
                if not is_same_kind or other.kind == fact.kind:
                    # With its limit: "below 20 euros".
                    said = item.text[other.lead : other.tail].strip() or other.text
                    return Outcome("missing", Place(ids.get(item.chunk_id)), nearest=said)
    return Outcome("missing")
