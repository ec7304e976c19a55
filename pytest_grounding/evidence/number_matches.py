"""Match numbers of a claim with those of the chunks: labels, counts, converted units, local spellings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from datetime import date
from functools import lru_cache, partial
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.arithmetic import Result, are_equal, as_written, noun_behind, pairs_of
from pytest_grounding.evidence.calendar_spans import span_around
from pytest_grounding.evidence.sentence_view import Comparisons, View, numbers_in, plain_view, view_of_claim
from pytest_grounding.evidence.token_index import ChunkIndex, is_known
from pytest_grounding.evidence.value_readings import is_denied, is_the_only, stance
from pytest_grounding.lexicon import numbers, sections, table, words
from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.scores import ClaimText, SupportScore
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.reading import read_once
from pytest_grounding.reading.facts import (
    Fact,
    bridge,
    comparable,
    compatible,
    extract_facts,
    meet_in_thousands,
    rounds,
)
from pytest_grounding.reading.facts.measures import ADVERBS
from pytest_grounding.reading.facts.numerals import SMALL, as_spelled, with_plain_dates
from pytest_grounding.reading.facts.often import DOSE_WORDS, Often, agree, agree_exactly, often_in
from pytest_grounding.reading.words import Token, tokenize

_NUMBERING = frozenset({"number", "ordinal"})
_POINTS = frozenset({"date", "time"})
#: Dates and times of a claim that may end a span, and of the chunks that are compared.
_MOST_ANCHORS = 6
_MOST_POINTS = 200
_HALF_DAY, _DAY = 720, 1440
_DOTTED_TIME = lazy(r"(\d{1,2})\.([0-5]\d)")  # "8.30" as the British write it
_TIMES, _ONE_TIME = "times", words("matching", "one time")
_NEAR_SENTENCES = 2  # a value gives its unit to a number in its sentence or the next one
_LONGEST_QUESTION = 400  # characters of a question whose values are reckoned with
_DAY_SECONDS = 86400.0
_SOME_YEAR = 2001  # a non-leap year, for dates without a year

_LABELS = words("matching", "labels")
_COUNTED = words("matching", "counted")
_COUNTS = frozenset({"two", "three"})
_DETERMINERS = frozenset({"the", "these", "those"})
_NO_NOUN = words("matching", "no_nouns")
#: "a few thousand dollars": an order of magnitude.
_VAGUE = frozenset({"few", "several", "many", "some"})
_MAGNITUDES = frozenset("dozen hundred thousand million billion".split())
VALUE_WORDS = words("matching", "worded_values")
FACTORS = numbers("matching", "factors")
_LIMITS = words("matching", "limits")
_PERIODS = words("matching", "periods")
_OTHERS = frozenset("cent percent percentage clock seven".split())
VALUE_WORDS |= _LIMITS | _PERIODS | _OTHERS | frozenset(ADVERBS) | DOSE_WORDS
_REACH = 3
_LONGEST_LIST = 12
#: Converted values are rounded: they may differ by this share, or by this many degrees.
_ROUNDED = 0.03
_DEGREES = 2.0
#: Rounded and hedged numbers may differ by this share of the larger one.
_CLOSE_VALUES = 0.05
_MOST_ALIKE = 20  # values with the same digits that are compared; more is a table
_UNIT = lazy(r"[^\W\d_]+")
_JOINS = frozenset({"", " ", ". ", " #", "#", ", ", " and ", ", and ", " or ", " & ", "-", "–"})

FILLING = "_"  # a filler that is neither a word nor punctuation for any pattern
_FILE = "numberwords"
_TAG, _LONG_NUMBER = 2, 5  # letters of a language tag; of a word that may be a number in words
_MOST_WORDS = 65536  # words of which is kept whether they are numbers of a language
_APART = frozenset({"fr", "es", "pt"})
_HUNDRED, _THOUSAND, _SCORE, _FOUR = 100, 1000, 20, 4
_UNITS_FIRST = frozenset({"de", "nl"})  # "Fünfundvierzig"
_SEVERAL = lazy(r"\[\d{1,6}(?:\s?,\s?\d{1,6}){1,20}\]")
_NUMBER = lazy(r"\d+")


def place_of_often(often: Often, views: Sequence[View]) -> tuple[int, int] | None:
    """Find a frequency of a claim in the chunks."""
    for chunk, view in enumerate(views):
        for other in often_in(view.text):
            is_named = other.named and agree(often, other._replace(named=False))
            if agree_exactly(often, other) or is_named:
                word = _word_in(view, other.start, other.end)
                if word is not None:
                    return chunk, word
    return None


def place_of_worded(fact: Fact, own: View, views: Sequence[View]) -> tuple[int, int] | None:
    """Find a value of a claim in the chunks in another form; returns the indices of chunk and word."""
    if fact.kind in {"duration", "quantity", "number"}:
        for often in often_in(own.text):
            if often.start <= fact.start and fact.end <= often.end:
                place = place_of_often(often, views)
                if place is not None:
                    return place
    if fact.kind in _NUMBERING:
        place = _place_of_numbered(fact, own, views)
        if place is not None:
            return place
    place = _place_of_same_count(fact, views)
    if place is not None:
        return place
    if fact.unit == _TIMES and fact.value == 1.0 and not fact.per:
        return next(_places_of_words(_ONE_TIME, views), None)
    place = _place_without_unit(fact, views) if fact.unit else None
    if place is not None:
        return place
    if fact.kind == "duration" and fact.value == fact.high and not fact.bound:
        return _place_of_span(fact, own, views)
    if fact.kind == "date":
        return _place_inside(fact, views)
    return None


def _place_of_same_count(fact: Fact, views: Sequence[View]) -> tuple[int, int] | None:
    for chunk, view in enumerate(views):
        for other, at in zip(view.facts, view.fact_at, strict=True):
            if _is_same_count(fact, other) or _is_time_of_day(fact, other):
                return chunk, at
    return None


def _places_of_words(listed: Set[str], views: Sequence[View]) -> Iterator[tuple[int, int]]:
    """Where the chunks have one of some words, or one of some pairs of words."""
    for chunk, view in enumerate(views):
        for at, (norm, following) in enumerate(zip(view.norms, (*view.norms[1:], ""), strict=True)):
            if norm in listed or f"{norm} {following}" in listed:
                yield chunk, at


def _place_without_unit(fact: Fact, views: Sequence[View]) -> tuple[int, int] | None:
    """Find a number that has its unit from a value before it: "for four weeks, films for one"."""
    number = as_written(fact) or SMALL.get(numbers_in(fact.text)[0], 0)
    for chunk, view in enumerate(views):
        last = -_NEAR_SENTENCES
        for other, at in zip(view.facts, view.fact_at, strict=True):
            sentence = view.sentence_of[at]
            if other.unit == fact.unit:
                last = sentence
            is_bare = other.kind == "number" and not other.unit and other.value == number == other.high
            if is_bare and sentence - last < _NEAR_SENTENCES and not noun_behind(view, other, at):
                return chunk, at
    return None


def _is_same_count(fact: Fact, other: Fact) -> bool:
    """Whether two values count the same in a period: "two walks a day" and "twice a day"."""
    is_equal = fact.value is not None and fact.value == other.value == other.high
    return is_equal and bool(fact.per) and fact.per == other.per and {fact.unit, other.unit} == {"", _TIMES}


def _is_time_of_day(fact: Fact, other: Fact) -> bool:
    """Whether a number is a time of day with a dot: "half past eight" beside "8.30"."""
    written = _DOTTED_TIME.fullmatch(other.text) if other.kind == "number" and fact.kind == "time" else None
    if written is None or fact.value is None:
        return False
    minutes = 60 * int(written[1]) + int(written[2])
    return minutes % _HALF_DAY == fact.value % _HALF_DAY


def _place_of_numbered(fact: Fact, own: View, views: Sequence[View]) -> tuple[int, int] | None:
    """Find the thing with the claim's number: "floor 3", "the third floor"."""
    thing = _numbered_by(fact, own)
    if thing is None:
        return None
    for chunk, view in enumerate(views):
        for other, at in zip(view.facts, view.fact_at, strict=True):
            is_other_form = other.kind in _NUMBERING and other.kind != fact.kind
            if is_other_form and other.value == fact.value and _numbered_by(other, view) == thing:
                return chunk, at
    return None


def _numbered_by(fact: Fact, view: View) -> str | None:
    """Stem of the thing that a number after it, or an ordinal before it, identifies."""
    if fact.value != fact.high or fact.bound or fact.approximate:
        return None
    first, last = view.words_between(fact.start, fact.end)
    # "The second factor", "two-factor".
    is_ordinal = fact.kind == "ordinal" or view.text[fact.end : fact.end + 1] == "-"
    at = last + 1 if is_ordinal else first - 1
    if not 0 <= at < len(view.tokens) or view.tokens[at].is_stop or view.tokens[at].is_number:
        return None
    token = view.tokens[at]
    between = view.text[fact.end : token.start] if is_ordinal else view.text[token.end : fact.start]
    return token.stem if between.isspace() or between == "-" else None


def _word_in(view: View, start: int, end: int) -> int | None:
    """The first content word of a chunk between two offsets."""
    inside = [number for number, token in enumerate(view.tokens) if start <= token.start < end]
    telling = [number for number in inside if not view.tokens[number].is_stop]
    return next(iter(telling or inside), None)


def _place_of_span(fact: Fact, own: View, views: Sequence[View]) -> tuple[int, int] | None:
    """Find a date or time at the claim's distance from a date or time of the claim."""
    anchors = [other for other in own.facts if other.kind in _POINTS][:_MOST_ANCHORS]
    if not anchors:
        return None
    known: list[tuple[int, int, int, Fact]] = []
    for chunk, view in enumerate(views):
        points = [
            (view.sentence_of[at], at, other)
            for other, at in zip(view.facts, view.fact_at, strict=True)
            if other.kind in _POINTS and (other.date is not None or other.kind == "time")
        ][:_MOST_POINTS]
        for sentence, at, end in points:
            if not any(compatible(end, anchor) for anchor in anchors):
                continue
            for where, _, start in points:
                if abs(where - sentence) <= 1 and _is_span(fact, start, end):
                    return chunk, at
            for *_, start in known:
                if _is_span(fact, start, end):
                    return chunk, at
            known.append((chunk, sentence, at, end))
    return None


def _is_span(fact: Fact, one: Fact, other: Fact) -> bool:
    """Whether a duration is the time between two dates or two times of day."""
    value = fact.value or 0.0
    if one.kind == other.kind == "time":
        if fact.unit != "s" or one.value is None or other.value is None:
            return False
        gap = abs(one.value - other.value)
        gaps = {gap, _DAY - gap, abs(gap - _HALF_DAY) if one.ambiguous or other.ambiguous else gap}
        return any(abs(60 * minutes - value) < 1 for minutes in gaps)
    if one.date is None or other.date is None or (one.date.day is None) != (other.date.day is None):
        return False
    if one.date.month is None or other.date.month is None:
        is_years = one.date.month is other.date.month and one.value is not None and other.value is not None
        return is_years and fact.unit == "mo" and value == 12 * abs((one.value or 0.0) - (other.value or 0.0))
    years = [point.date.year for point in (one, other) if point.date is not None]
    known = next((year for year in years if year is not None), _SOME_YEAR)
    first, last = sorted((day.year or known, day.month or 1, day.day or 1) for day in (one.date, other.date))
    months = 12 * (last[0] - first[0]) + last[1] - first[1]
    if one.date.day is None:
        return fact.unit == "mo" and months == value
    try:
        start, end = date(*first), date(*last)
    except ValueError:
        return False
    if fact.unit == "mo":
        # A lease from 1 March to 28 February lasts whole years.
        after = date.fromordinal(end.toordinal() + 1)
        whole = 12 * (after.year - start.year) + after.month - start.month
        return value > 0 and (value, start.day) in {(months, end.day), (whole, after.day)}
    days = (end - start).days
    return fact.unit == "s" and days > 0 and value in {days * _DAY_SECONDS, (days + 1) * _DAY_SECONDS}


def _place_inside(fact: Fact, views: Sequence[View]) -> tuple[int, int] | None:
    """Find a year of a century or decade."""
    low, high = fact.value, fact.high
    if low is None or high is None or high - low not in {9, 99}:
        return None
    for chunk, view in enumerate(views):
        for other, at in zip(view.facts, view.fact_at, strict=True):
            is_year = other.kind == "date" and other.value is not None and other.value == other.high
            if is_year and low <= (other.value or 0.0) <= high:
                return chunk, at
    return None


def is_bare_number(text: str, tokens: Sequence[Token], number: int) -> bool:
    """Whether a number needs no evidence: a label, a count of what the claim lists."""
    token = tokens[number]
    before = tokens[number - 1].norm if number else ""
    after = [other.norm for other in tokens[number + 1 : number + 1 + _REACH]]
    if token.text[0].isdigit():
        # "24/7" means "24 hours a day", and no source counts the days.
        around_the_clock = token.text == "7" and text[max(0, token.start - 3) : token.start] == "24/"
        return around_the_clock or _is_label(text, tokens, number)
    if token.norm in _MAGNITUDES or token.text.lower() in _MAGNITUDES:
        return before in _VAGUE
    if token.text.lower() not in _COUNTS:
        return False
    ends = text[token.end : token.end + 1] in {",", ";", ":"}
    if before in _DETERMINERS and (ends or not after or after[0] in _NO_NOUN):
        return True
    return not _COUNTED.isdisjoint(after)


def _is_label(text: str, tokens: Sequence[Token], number: int) -> bool:
    """Whether a label precedes a number, with only numbers of a list between them."""
    for place in range(number, max(0, number - _LONGEST_LIST), -1):
        left, token = tokens[place - 1], tokens[place]
        if left.norm in _LABELS and text[left.end : token.start] in _JOINS:
            return len(tokens[number].text) <= 2
        if not (left.text[0].isdigit() or left.norm in ("and", "or")):
            return False
    return False


def is_conversion(fact: Fact, other: Fact) -> bool:
    """Whether two quantities are equal in two units: "350 °F (175 °C)", "26 miles, 42 km"."""
    if fact.kind != "quantity" or other.kind != "quantity" or not fact.unit or fact.unit != other.unit:
        return False
    if fact.value is None or other.value is None or _unit_letter(fact) == _unit_letter(other):
        return False
    gap = abs(fact.value - other.value)
    if fact.unit == "degC":
        return gap <= _DEGREES
    return gap <= _ROUNDED * max(abs(fact.value), abs(other.value))


def _unit_letter(fact: Fact) -> str:
    words = _UNIT.findall(fact.text.lower())
    return words[-1][:1] if words else ""


class Said(NamedTuple):
    """Where a chunk contains a value of a claim."""

    stem: str  # stem of the word there
    fact: Fact | None  # the chunk's value; None where only a part of it is known to be equal
    is_whole: bool = False  # whether it covers the whole value, with its period and limits, in other words
    operands: tuple[str, ...] = ()  # the values, as written, from which it follows by arithmetic


def find_value(
    fact: Fact, claim: str, indexes: Sequence[ChunkIndex], budget: Comparisons, asked: str = ""
) -> Said | None:
    """A value of a claim in the chunks, in any form, also reckoned with those ``asked``; None if missing."""
    views = [plain_view(index) for index in indexes]
    if not budget.take(sum(len(view.facts) for view in views)):
        return None
    for index, view in zip(indexes, views, strict=True):
        for other, at in view.distinct:
            if other.value is None:
                if fact.value is None and _is_same_day(fact, other):
                    return Said(index.tokens[at].stem, other)
                continue
            # "14.2 %" is not covered by "14 %".
            met = (
                compatible(fact, other)
                and not (rounds(other, fact) and not other.approximate)
                and (_is_close(fact, other) or meet_in_thousands(fact, other))
            )
            if met or is_conversion(fact, other):
                return Said(index.tokens[at].stem, other)
    # Most values match as they are, without loading the other forms.
    from pytest_grounding.evidence.guided_arithmetic import place_of_derived

    own = view_of_claim(claim, tokenize(claim))
    result = place_of_derived(fact, own, views)
    if result is None and fact.kind not in _POINTS and len(asked) <= _LONGEST_QUESTION:
        result = _place_with_question(fact, claim, asked, views)
    if result is not None:
        return Said(_stem_at(indexes, result[:2]), None, operands=result.operands)
    place = place_of_worded(fact, own, views) or _place_in_span(fact, views)
    if place is not None:
        return Said(_stem_at(indexes, place), None, is_whole=True)
    return _excluded_at(fact, own, indexes, views)


def _place_with_question(fact: Fact, claim: str, asked: str, views: Sequence[View]) -> Result | None:
    """The values from which a value of a claim follows, where one of them is asked about."""
    from pytest_grounding.evidence.guided_arithmetic import place_of_derived

    values = [value for value in extract_facts(asked) if value.value is not None]
    if not values:
        return None
    both = f"{claim}\n{asked}"
    result = place_of_derived(fact, view_of_claim(both, tokenize(both)), views)
    is_asked = result is not None and any(value.text in result.operands for value in values)
    return result if is_asked else None


def _place_in_span(fact: Fact, views: Sequence[View]) -> tuple[int, int] | None:
    """The first of the days or months between which one lies."""
    for chunk, view in enumerate(views):
        span = span_around(fact, view.facts, view.text)
        if span is not None:
            return chunk, view.fact_at[view.facts.index(span.first)]
    return None


def _is_same_day(fact: Fact, other: Fact) -> bool:
    """Whether a date without a year equals one of a chunk: "24/11", "24 November"."""
    if fact.date is None or other.date is None or not compatible(fact, other):
        return False
    is_whole = None not in (other.date.month, other.date.day)
    return is_whole or (fact.date.day is None and other.date.month is not None)


def where_factor(factor: float, indexes: Sequence[ChunkIndex]) -> Said | None:
    """Find two neighbouring values of which the second is so many times the first; None without them."""
    for pair in pairs_of([plain_view(index) for index in indexes]):
        if not pair.is_time and pair.first and are_equal(pair.second / pair.first, factor):
            return Said(_stem_at(indexes, pair.place), None, operands=pair.texts)
    return None


def where_often(often: Often, indexes: Sequence[ChunkIndex]) -> Said | None:
    """Find a frequency in the chunks in other words; None where it is missing."""
    place = place_of_often(often, [plain_view(index) for index in indexes])
    return Said(_stem_at(indexes, place), None, is_whole=True) if place is not None else None


def _stem_at(indexes: Sequence[ChunkIndex], place: tuple[int, int]) -> str:
    return indexes[place[0]].tokens[place[1]].stem


def has_same_values(claim: str, index: ChunkIndex) -> bool:
    """Whether a chunk with the words of a claim has its values: not "12 euros" in "12 euros per day"."""
    tokens = tokenize(claim)
    if not any(token.is_number or token.norm in VALUE_WORDS or not token.norm.isascii() for token in tokens):
        return True
    own, view = view_of_claim(claim, tokens), plain_view(index)
    for fact in [fact for fact in own.facts if fact.value is not None]:
        others = view.by_numbers.get(numbers_in(fact.text), [])
        if not others and as_spelled(index.text) != index.text:
            # "CHF 1" in "CHF 1'250"
            return False
        stances = {stance(fact, own, other, view, has_same_numbers=True) for other in others[:_MOST_ALIKE]}
        if not stances.isdisjoint(("rival", "near")) and "ally" not in stances:
            return False
    return True


def _excluded_at(fact: Fact, own: View, indexes: Sequence[ChunkIndex], views: Sequence[View]) -> Said | None:
    """Where a chunk has "only 2.4 GHz" against a value that the claim denies."""
    at = next((at for one, at in zip(own.facts, own.fact_at, strict=True) if one.start == fact.start), None)
    if at is None or not is_denied(own, fact, at):
        return None
    for index, view in zip(indexes, views, strict=True):
        for other, place in zip(view.facts, view.fact_at, strict=True):
            if other.value is not None and comparable(fact, other) and is_the_only(view, other, place):
                return Said(index.tokens[place].stem, None)
    return None


def is_part_of(token: Token, fact: Fact, other: Fact | None) -> bool:
    """Whether a match of a value covers a word inside it or next to it."""
    inside = fact.start < token.end and token.start < fact.end
    if token.norm in _PERIODS and fact.per and token.start >= fact.end:
        return other is not None and bool(other.per)
    if inside:
        return True
    if other is None or fact.bound not in ("", other.bound):
        return False
    # "Are not accepted" after "over 5 kg" reverses the limit.
    return token.norm in _LIMITS or (bool(fact.turned) and token.start >= fact.end)


def _is_close(fact: Fact, other: Fact) -> bool:
    """Whether two values are close: two hedged values meet over a gap that no reader would accept."""
    ours, theirs = fact.value, other.value
    if ours is None or theirs is None or fact.kind == other.kind == "time":
        # "Half past two" may be 14:30.
        return True
    ours_scale, scale = bridge(fact, other)
    if ours_scale != scale:
        fact, other = _scaled(fact, ours_scale), _scaled(other, scale)
        ours, theirs = ours * ours_scale, theirs * scale
    if other.high is not None and other.high != theirs:
        # "Within 30 days" agrees with "3 to 5 days", but is not covered by it.
        low, high = sorted((theirs, other.high))
        return low - _CLOSE_VALUES * abs(low) <= ours <= high + _CLOSE_VALUES * abs(high)
    if fact.high != ours:
        return False  # one value of a chunk does not cover both ends of a range
    return abs(ours - theirs) <= _CLOSE_VALUES * max(abs(ours), abs(theirs))


def _scaled(fact: Fact, scale: float) -> Fact:
    low, high = fact.value or 0.0, fact.high
    return fact._replace(value=low * scale, high=None if high is None else high * scale)


@lru_cache(maxsize=16)
def _pattern(language: str) -> re.Pattern[str] | None:
    """Pattern for runs of number words of a language; None without a table."""
    if language not in sections(_FILE):
        return None
    known = sorted({*table(_FILE, language)}, key=lambda word: (-len(word), word))
    glue = sorted(words(_FILE, f"{language} glue"))
    word = "|".join(known)
    blank = "[ -]?" if language in _APART else ""
    between = "|".join([blank, *(f"{blank}{one}{blank}" for one in glue)])
    return re.compile(rf"(?i)(?<![\w'’.-])(?:{word})(?:(?:{between})(?:{word})){{0,8}}(?![\w'’])")


@lru_cache(maxsize=64)
def with_digits(text: str, language: str) -> str:
    """The text with number words replaced by digits, padded to the same length."""
    pattern = _pattern(language)
    return text if pattern is None else pattern.sub(lambda found: _digits(found, language), text)


@read_once
def with_foreign_digits(text: str) -> str:
    """An English text with the number words of other languages as digits, padded to the same length."""
    strange = frozenset(
        token.text
        for token in tokenize(text, "en")
        if len(token.text) >= _LONG_NUMBER
        and _languages_of(token.text)
        and token.text.islower()
        and not is_known(token.stem)
    )
    named = frozenset().union(*map(_languages_of, strange))
    for language in sections(_FILE) if named else ():
        pattern = _pattern(language) if language in named else None
        if pattern is not None:
            text = pattern.sub(partial(_strange_digits, language=language, strange=strange), text)
    return text


@lru_cache(maxsize=_MOST_WORDS)
def _languages_of(word: str) -> frozenset[str]:
    return frozenset([tag for tag, made_of in _made_of().items() if made_of.fullmatch(word) is not None])


@lru_cache(maxsize=1)
def _made_of() -> dict[str, re.Pattern[str]]:
    """Patterns for what consists of number words of a language and the words between them, by language."""
    found: dict[str, re.Pattern[str]] = {}
    for tag in sections(_FILE):
        if len(tag) == _TAG:
            joined = "|".join([*table(_FILE, tag), *words(_FILE, f"{tag} glue")])
            found[tag] = re.compile(rf"(?:{joined})+")
    return found


def _strange_digits(found: re.Match[str], *, language: str, strange: frozenset[str]) -> str:
    said = {found[0], *re.split("[ -]", found[0])}
    return found[0] if strange.isdisjoint(said) else _digits(found, language)


def _digits(found: re.Match[str], language: str) -> str:
    run = found[0].lower()
    value = value_of(run, language)
    digits = str(value)
    if value is None or len(digits) > len(run):
        return found[0]
    is_word_too = run in words(_FILE, f"{language} words too")
    if is_word_too and _next_word(found) not in words(_FILE, f"{language} counted"):
        return found[0]
    # Not blanks: two of them would make a number the counter of a list.
    return digits.rjust(len(run), FILLING)


def _next_word(found: re.Match[str]) -> str:
    behind = re.compile(r" ([^\W\d_]+)").match(found.string, found.end())
    return behind[1].lower() if behind is not None else ""


@lru_cache(maxsize=4096)
def value_of(run: str, language: str) -> int | None:
    """The value of a run of number words in lower case; None if it is not a number."""
    known, glue = table(_FILE, language), words(_FILE, f"{language} glue")
    parts = _parts(re.sub(r"[ -]+", " ", run), known, glue)
    if parts is None:
        return None
    total, current, last = 0, 0, 0
    is_turned, french = language in _UNITS_FIRST, language == "fr"
    for number in parts:
        if number == _THOUSAND:
            total, current, last = total + (current or 1) * number, 0, 0
        elif number == _HUNDRED or (number == _SCORE and last == _FOUR and french):
            current, last = (current or 1) * number, 0
        elif current and not _adds(number, current, last, is_turned=is_turned, french=french):
            return None
        else:
            current, last = current + number, number
    return total + current


def _adds(number: int, current: int, last: int, *, is_turned: bool, french: bool) -> bool:
    """Whether one number word may follow another: "treinta y cinco", "soixante et onze", not "tre sei"."""
    rest = current % _HUNDRED
    if rest == 0:
        return number < _HUNDRED or (current >= _HUNDRED and number % _HUNDRED == 0)
    if is_turned and 0 < last < 10:
        return number % 10 == 0 and 20 <= number < _HUNDRED
    if number >= 10:
        return french and rest in {60, 80} and number < 20
    return rest % 10 == 0


def _parts(run: str, known: dict[str, str], glue: frozenset[str]) -> list[int] | None:
    """The number words of a run, longest match first; None where letters are left over."""
    numbers: list[int] = []
    at = 0
    while at < len(run):
        if run[at] == " ":
            at += 1
            continue
        for length in range(min(14, len(run) - at), 0, -1):
            word = run[at : at + length]
            if word in known:
                numbers.append(int(known[word]))
            elif not (numbers and word in glue):
                continue
            at += length
            break
        else:
            return None
    return numbers


def _whole_words(text: str, start: int, end: int) -> tuple[int, str]:
    """A stretch extended to whole words, and its start."""
    while start > 0 and text[start - 1].isalpha() and text[start].isalpha():
        start -= 1
    while end < len(text) and text[end].isalpha() and text[end - 1].isalpha():
        end += 1
    return start, text[start:end]


class LocalNumbers:
    """Chunks and claims with dates and number words in plain form, at equal length."""

    def __init__(self, language: str, tag: str) -> None:
        self._language = language
        self._tag = tag if tag.lower().startswith(language) else language
        self._own: dict[str, str] = {}
        self._count = 0

    def _rewritten(self, text: str) -> str:
        return with_plain_dates(with_digits(text, self._language), self._tag)

    def chunks(self, chunks: Sequence[Chunk]) -> list[Chunk]:
        """The chunks with such texts."""
        found = []
        self._count = len(chunks)
        for chunk in chunks:
            text = self._rewritten(chunk.text)
            if text != chunk.text:
                self._own[chunk.id] = chunk.text
                chunk = chunk.model_copy(update={"text": text})
            found.append(chunk)
        return found

    def claim(self, claim: ClaimText) -> ClaimText:
        """The claim with such a text."""
        text = self.text(claim.text)
        return claim if text == claim.text else replace(claim, text=text)

    def text(self, claim: str) -> str:
        """The text of a claim in plain form; what cannot be a marker is put in parentheses, to be read."""
        text = self._rewritten(with_foreign_digits(claim) if self._language == "en" else claim)
        return _SEVERAL.sub(self._as_content, text) if "[" in text else text

    def _as_content(self, found: re.Match[str]) -> str:
        numbers = [int(number) for number in _NUMBER.findall(found[0])]
        is_marker = len(numbers) > 1 and min(numbers) > 0 and max(numbers) <= self._count
        return found[0] if is_marker else f"({found[0][1:-1]})"

    def quoted(self, score: SupportScore, claim: ClaimText) -> SupportScore:
        """A score that quotes claim and chunks as written."""
        if not self._own and self.claim(claim).text == claim.text:
            return score
        conflicts = tuple(self._conflict(item, claim.text) for item in score.conflicts)
        reason = score.reason
        for before, after in zip(score.conflicts, conflicts, strict=True):
            if before.message:
                reason = reason.replace(before.message, after.message)
        evidence = tuple(map(self._evidence, score.evidence))
        return replace(score, evidence=evidence, conflicts=conflicts, reason=reason)

    def _evidence(self, found: Evidence) -> Evidence:
        own = self._own.get(found.chunk_id)
        return found if own is None else found.model_copy(update={"text": own[found.start : found.end]})

    def _conflict(self, conflict: Conflict, claim: str) -> Conflict:
        found = self._evidence(conflict.evidence)
        start, theirs = conflict.claim_start or 0, conflict.evidence_text
        start, ours = _whole_words(claim, start, start + len(conflict.claim_text))
        at = conflict.evidence.text.find(theirs)
        if at >= 0:
            _, theirs = _whole_words(found.text, at, at + len(theirs))
        message = conflict.message.replace(f'"{conflict.claim_text}"', f'"{ours}"', 1)
        message = message.replace(f'"{conflict.evidence_text}"', f'"{theirs}"')
        changes = {"evidence": found, "claim_text": ours, "claim_start": start, "evidence_text": theirs}
        return conflict.model_copy(update=changes | {"message": message})
