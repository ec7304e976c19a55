"""Dates, times and amounts as answers."""

from __future__ import annotations

import re

from pytest_grounding._patterns import lazy
from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.scorers.lexical.tokens import tokenize
from pytest_grounding.text.facts import Fact, extract_facts
from pytest_grounding.text.questions.words import word_set

_SEASONS = r"spring|summer|autumn|fall|winter|christmas|easter|ramadan|thanksgiving|new year's"
_PERIODS = r"day|week|month|quarter|year|hour|minute|night|morning|evening|afternoon|weekend|season"
_DAYS = r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekday|weekend"
# Points in time that no date or clock names.
_TIME_PHRASE = lazy(
    rf"\b(?:annually|daily|weekly|monthly|quarterly|yearly|hourly|nightly|bi-?weekly|noon|midnight|"
    rf"immediately"
    rf"|(?:at any|at all) times?|at start-?up|around the clock|round the clock|on request|right away|"
    rf"after each"
    rf"|tomorrow|yesterday|today|tonight|instantly|at (?:night|dawn|dusk|sunrise|sunset|birth|checkout)"
    rf"|(?:in|during|each|every|early|late|this|next|last|mid|by) (?:the )?(?:early |late |"
    rf"following )?(?:{_SEASONS})"
    rf"|(?:each|every|per|once a|twice a|same|next|previous|following|last|first|end of the|start of the|"
    rf"beginning of the|middle of the|in the|on the \w+) (?:\w+ )?(?:working |business |calendar |fiscal )?"
    rf"(?:{_PERIODS}|{_DAYS})s?"
    rf"|(?:on|until|by|before|after|from|every|each) (?:{_DAYS})s?"
    rf"|end of \w+|\w+ century|(?:middle|stone|bronze|iron) age|age of \d+|childhood|world war)\b"
)
# A clause that says when: "when the light turns red", "as soon as you sign", "after approval".
_TIME_CLAUSE = lazy(
    r"\b(?:if|when|whenever|once|as soon as|until|till|after|before|during|upon|while|prior to|following)\b"
)
_SPAN_BEFORE = frozenset(
    ["within", "after", "before", "in", "by", "every", "each", "next", "last", "than", "of", "first"]
)
_SPAN_AFTER = frozenset(["after", "before", "ago", "later", "earlier", "from", "prior", "following", "of"])
_YEAR = lazy(r"\b(?:1\d|20)\d\ds?\b|\b\d{1,4} (?:bc|ad|bce|ce)\b")
_DAY_FOCUS = frozenset(["day", "days", "date", "dates", "month", "months"])
# Clock times that are written as part of a range: "between 2 and 4 am", "from 9 to 17".
_CLOCK = lazy(
    r"\b\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|a\.m\.|p\.m\.|o'clock)|\b(?:from|"
    r"between) \d{1,2}(?:[:.]\d\d)? (?:and|to|until) \d{1,2}\b"
    # In words: "at nine", "until half past six on weekdays", but not "at nine branches".
    r"|\b(?:at|by|from|until|till|past|before|after) (?:half past |quarter (?:past|to) )?"
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r"(?= ?(?:[.,;:!?)]|$|on |in the|every |each |and |or |until |to |till |sharp))"
)
_CLOCK_FOCUS = frozenset(["time", "times", "hour", "hours"])
_YEAR_FOCUS = frozenset(["year", "years", "decade", "century", "era"])


def _asked_keys(asked: Asked) -> frozenset[str]:
    return frozenset(fact.key for fact in extract_facts(asked.text))


def holds_date(asked: Asked, sentence: Sentence) -> bool:
    """A date, a time of day, or a phrase or clause that says when."""
    known = _asked_keys(asked)
    focus = asked.part.focus.lower()
    for fact in sentence.facts:
        if fact.key in known:
            continue
        if fact.kind == "time":
            return True
        if fact.kind == "date" and focus not in _CLOCK_FOCUS:
            if focus not in _YEAR_FOCUS or fact.value is not None or (fact.date and fact.date[0] is not None):
                return True
        elif fact.kind == "duration" and focus not in _YEAR_FOCUS and _is_point(sentence, fact):
            return True
    lower = sentence.lower
    if focus in _YEAR_FOCUS:
        return any(match.group() not in asked.lower for match in _YEAR.finditer(lower))
    if focus not in _DAY_FOCUS and any(match.group() not in asked.lower for match in _CLOCK.finditer(lower)):
        return True
    if any(match.group() not in asked.lower for match in _TIME_PHRASE.finditer(lower)):
        return True
    return focus == "" and _has_time_clause(asked, sentence)


def _is_point(sentence: Sentence, fact: Fact) -> bool:
    """Whether a length of time tells a point in time: "within 30 days", "2 weeks after"."""
    before = sentence.words_before(fact.start, 2)
    after = sentence.words_after(fact.end, 1)
    return bool(_SPAN_BEFORE.intersection(before) or _SPAN_AFTER.intersection(after))


def _has_time_clause(asked: Asked, sentence: Sentence) -> bool:
    """A clause that says when, in a question about rules ("when should I ...") rather than history."""
    if asked.asks_past:
        return False
    for match in _TIME_CLAUSE.finditer(sentence.lower):
        if sentence.new_words(asked.content, after=match.end(), before=match.end() + 60):
            return True
    return False


_CURRENCY = lazy(r"[A-Z]{3}(?:/|$)")
_KINDS: dict[str, frozenset[str]] = {
    "percent": frozenset(["percent"]),
    "duration": frozenset(["duration"]),
}
_UNITS: dict[str, frozenset[str]] = {
    "distance": frozenset(["m"]),
    "length": frozenset(["m"]),
    "weight": frozenset(["g", "ton"]),
    "temperature": frozenset(["degC", "K"]),
}
_NOTHING_TO_PAY = lazy(
    r"\b(?:free|no (?:extra |additional )?(?:charge|cost|fee)s?|at no cost|complimentary)\b"
)
# Amounts that are measured in time.
_TIMED = lazy(
    r"\bhow much (?:\w+ )?(?:exercise|sleep|rest|training|practice|time|work|experience|notice|leave|"
    r"vacation|delay)\b"
)
_RATED = lazy(r"\b(?:charged?|commission|interest|tax|fees?|rates?|premium)\b")
_MULTIPLE = lazy(r"\b(?:half|double|triple|twice)\b")
_PRICED = lazy(r"\b(?:price|cost|fare|fee|rate|pay|pai|rent|salary|charge|wage|tariff)[ds]?\b")
_ALWAYS = lazy(
    r"\b(?:(?:for|within|in|after|takes?|lasts?|about|needs?|under|over) (?:half )?an? (?:hour|day|week|"
    r"month|year|minute|fortnight|night|decade|century)|lifetime|forever|indefinitely|"
    r"permanently|overnight|all day|round the clock)\b"
)
# "5 business days": a length of time whose noun has a word before it.
_SPECIAL_DAYS = lazy(
    rf"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|several|a few) "
    rf"(?:business|working|calendar|school|full|consecutive|earth|more) (?:{_PERIODS})s?\b"
)
_FREQUENCY = lazy(
    rf"\b(?:annually|daily|weekly|monthly|quarterly|yearly|hourly|nightly|bi-?weekly|bi-?annually|"
    rf"regularly|never|always|"
    rf"rarely|once|twice|(?:each|every|per|a) (?:other |single |\w+ )?(?:{_PERIODS}|{_DAYS}|time|\d+)s?)\b"
)
_NONE_OR_ALL = lazy(
    r"\b(?:none|no limit|unlimited|as many as you|only one|dozens|hundreds|thousands|millions)\b"
)
_HEADS = word_set("people person persons member individual total approximately about users items pieces")


def holds_quantity(asked: Asked, sentence: Sentence) -> bool:
    """An amount of what was asked, in a unit that fits."""
    measure = asked.part.measure
    lower = sentence.lower
    if measure == "frequency" and _FREQUENCY.search(lower):
        return True
    if measure == "money" and (_NOTHING_TO_PAY.search(lower) or _is_multiple(asked, sentence)):
        return True
    if measure in {"duration", "extent"} and (_ALWAYS.search(lower) or _SPECIAL_DAYS.search(lower)):
        return True
    if measure in {"count", "amount", "size"} and _NONE_OR_ALL.search(lower):
        return True
    known = _asked_keys(asked)
    return any(fact.key not in known and _measures(asked, sentence, fact) for fact in sentence.facts)


def _is_multiple(asked: Asked, sentence: Sentence) -> bool:
    """Half the normal price is an amount, unless it is the normal price that is asked for."""
    if not _PRICED.search(sentence.lower):
        return False
    for match in _MULTIPLE.finditer(sentence.lower):
        following = sentence.tokens_after(match.end(), 1)
        if following and following[0].stem not in asked.content:
            return True
    return False


def _measures(asked: Asked, sentence: Sentence, fact: Fact) -> bool:
    measure = asked.part.measure
    if fact.kind in {"negation", "name", "ordinal"}:
        return False
    if measure == "extent":
        return fact.kind == "duration" or fact.unit == "m"
    if measure in _DIMENSIONED and _is_other_dimension(asked, sentence):
        return False
    if measure == "money":
        rated = asked.part.type == "what" or _RATED.search(asked.lower)
        if fact.kind == "percent" and rated and fact.text[:1].isdigit():
            # "The premium is 8 percent of the value."
            return True
        if fact.kind == "number" and _PAID.search(sentence.lower) and _is_sum(sentence, fact):
            # "It paid 2.4 million crowns."
            return True
        # A pound is read as a weight.
        return fact.kind == "money" or bool(_CURRENCY.match(fact.unit)) or "pound" in fact.text
    if measure == "duration" and fact.kind == "quantity" and fact.unit == "s/s":
        # "20 days a year" tells how many days.
        return True
    if measure in _KINDS:
        return fact.kind in _KINDS[measure] or (measure == "percent" and _is_share(sentence, fact))
    if measure in _UNITS:
        if fact.kind == "number":
            # "A mass of about 4 million suns"
            return bool(asked.focus_stems) and any(t.stem in asked.focus_stems for t in sentence.tokens)
        return fact.kind == "quantity" and (fact.unit in _UNITS[measure] or not _known_unit(fact.unit))
    if measure == "speed":
        return fact.kind == "quantity" and fact.unit == "m/s"
    if fact.kind in {"date", "time"}:
        # A year where an amount is due is read as a date: "3500 people" is not.
        return False
    if measure in {"size", "amount"}:
        if measure == "size" and (
            fact.kind in {"money", "percent"} or _CURRENCY.match(fact.unit) or _PRICED.search(sentence.lower)
        ):
            return False
        return fact.kind != "duration" or (
            measure == "amount" and (asked.part.type == "what" or _TIMED.search(asked.lower) is not None)
        )
    if measure == "frequency":
        return fact.kind == "duration" or fact.unit == "times"
    return _counts(asked, sentence, fact)


_DIMENSIONED = frozenset(["length", "distance", "extent"])
_DIMENSIONS = (
    lazy(r"\b(?:deep|depth)\b"),
    lazy(r"\b(?:long|length)\b"),
    lazy(r"\b(?:wide|width|broad)\b"),
    lazy(r"\b(?:tall|high|height|altitudes?|elevation)\b"),
    lazy(r"\b(?:thick|thickness)\b"),
    lazy(r"\b(?:far|distance|away)\b"),
)


_PAID = lazy(r"\b(?:pays?|paid|costs?|charges?d?|spent|spends?|earns?|earned)\b")


def _is_sum(sentence: Sentence, fact: Fact) -> bool:
    """Whether a number can count money: large, and with a word of its own behind it."""
    following = sentence.words_after(fact.end, 1)
    return (
        fact.value is not None
        and fact.value >= 1000
        and not _looks_like_year(sentence, fact)
        and bool(following)
    )


def _is_other_dimension(asked: Asked, sentence: Sentence) -> bool:
    """Whether a sentence measures another dimension: the length, where the depth is asked for."""
    wanted = [pattern for pattern in _DIMENSIONS if pattern.search(asked.lower)]
    if not wanted or any(pattern.search(sentence.lower) for pattern in wanted):
        return False
    return any(pattern.search(sentence.lower) for pattern in _DIMENSIONS)


def _known_unit(unit: str) -> bool:
    return unit in {"m", "g", "ton", "degC", "K", "s", "mo", "byte", "bit", "W", "USD", "%", "l", "times"}


def _is_share(sentence: Sentence, fact: Fact) -> bool:
    return fact.kind == "number" and sentence.words_after(fact.end, 1)[:1] in (["in"], ["of"], ["out"])


def _counts(asked: Asked, sentence: Sentence, fact: Fact) -> bool:
    """Whether a number counts what "how many" asks for, and not something beside it."""
    if fact.kind not in {"number", "quantity"} or (fact.kind == "quantity" and fact.unit != "times"):
        return False
    if fact.kind == "number" and fact.value is not None and _looks_like_year(sentence, fact):
        return False
    focus = asked.focus_stems
    if not focus:
        return True
    following = sentence.tokens_after(fact.end, 3)
    if any(t.stem in focus for t in following):
        return True
    words = sentence.words_after(fact.end, 2)
    if not words or _HEADS.intersection(words):
        return True
    before = [t.stem for w in sentence.words_before(fact.start, 6) for t in tokenize(w)]
    if any(stem in focus for stem in before):
        return True
    # "has 12 in all", "are 12, of which": no noun of its own follows.
    gap = sentence.text[fact.end : fact.end + 2].strip()
    return gap[:1] in {",", ".", ";", ")", ":"} or words[0] in {
        "in",
        "of",
        "as",
        "at",
        "on",
        "and",
        "or",
        "to",
        "by",
        "per",
    }


def _looks_like_year(sentence: Sentence, fact: Fact) -> bool:
    return bool(re.fullmatch(r"(?:1[5-9]|20)\d\d", fact.text)) and bool(
        {"in", "since", "of", "by", "until", "from", "year"}.intersection(
            sentence.words_before(fact.start, 1)
        )
    )
