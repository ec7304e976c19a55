"""Faults of numbers: a number that no source holds, and a number that belongs to something else."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import NamedTuple

from pytest_grounding.mutation.site import (
    MONTHS,
    SPELLED_NUMBERS,
    WEEKDAYS,
    Mutant,
    Site,
    Sources,
    plain_number,
)

_MONTH_NAMES = "|".join(month for month in MONTHS if month != "May")
#: "May" counts only beside a number, and a month that is a given name ("April said") is rare enough.
_MONTH = re.compile(rf"\b(?:{_MONTH_NAMES})\b|\bMay(?= \d)|(?<=\d )May\b")
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(WEEKDAYS)})(?=s?\b)")
_YEAR = re.compile(
    rf"(?:(?<=\bin )|(?<=\bIn )|(?<=[Ss]ince )|(?<=\bby )|(?<=until )|(?<=from )|(?<=From )|(?<=before )"
    rf"|(?<=after )|(?<=during )|(?<=year )|(?<=\()|(?<=, )"
    rf"|{'|'.join(f'(?<={month} )' for month in MONTHS)})"
    r"(?:1[5-9]\d\d|20\d\d)(?![\w–-]|[.,:]\d"
    r"| (?:mg|kg|km|m|cm|ml|calories|people|dollars|euros|years|hours)\b)"
)
_ISO = re.compile(r"(?<![\w-])(?:1[5-9]|20)\d\d-[01]\d-[0-3]\d(?![\w-])")
_DAY = re.compile(rf"(?<![\w.,])[1-3]?\d(?=(?:st|nd|rd|th)? (?:{'|'.join(MONTHS)})\b)")
_DAY_AFTER = re.compile(rf"(?:{'|'.join(f'(?<={month} )' for month in MONTHS)})[1-3]?\d(?![\w:]|[.,]\d)")
_CLOCK = re.compile(r"(?<![\d:.])(?:[01]?\d|2[0-3])(?=:[0-5]\d(?![\d:]))")

_WORD_BEFORE = re.compile(r"([^\W\d_]+) $")
#: Years that are far enough apart for nobody to mean the same one.
_YEAR_STEPS = (-23, -17, -8, -5, -3, 3, 6, 9, 14)


def date_spans(text: str) -> list[tuple[int, int]]:
    """Where dates and times stand whose digits are no numbers of their own."""
    patterns = (_YEAR, _ISO, _DAY, _DAY_AFTER)
    spans = [match.span() for pattern in patterns for match in pattern.finditer(text)]
    return spans + [(match.start(), match.end() + 3) for match in _CLOCK.finditer(text)]


def _is_verse(text: str, at: int) -> bool:
    """Whether what looks like a time follows a name, as in "Matthew 22:39"."""
    word = _WORD_BEFORE.search(text[max(0, at - 30) : at])
    return (
        word is not None and word[1].istitle() and word[1] not in (*MONTHS, *WEEKDAYS, "From", "At", "Until")
    )


def plant_date(site: Site, rng: random.Random) -> Mutant | None:
    """A year, month, day, weekday or time becomes another one that the chunks do not give."""
    kinds: list[tuple[re.Pattern[str], Callable[[str, random.Random], str]]] = [
        (_YEAR, _other_year),
        (_ISO, _other_iso),
        (_MONTH, lambda old, dice: dice.choice([month for month in MONTHS if month != old])),
        (_WEEKDAY, lambda old, dice: dice.choice([day for day in WEEKDAYS if day != old])),
        (_DAY, _other_day),
        (_DAY_AFTER, _other_day),
        (_CLOCK, _other_hour),
    ]
    places = [(match, another) for pattern, another in kinds for match in pattern.finditer(site.text)]
    places = [
        (match, another)
        for match, another in places
        if match.re is not _CLOCK or not _is_verse(site.text, match.start())
    ]
    rng.shuffle(places)
    for match, another in places:
        planted = another(match[0], rng)
        # In "Tuesday to Sunday" a weekday that the claim already names would give nonsense.
        if planted in site.text or planted.lower() in site.sources.words:
            continue
        if (mutant := site.edit(match.start(), match.end(), planted)) is not None:
            return mutant
    return None


def _other_year(old: str, rng: random.Random) -> str:
    return str(int(old) + rng.choice(_YEAR_STEPS))


def _other_iso(old: str, rng: random.Random) -> str:
    return _other_year(old[:4], rng) + old[4:]


def _other_day(old: str, rng: random.Random) -> str:
    # 4 to 20 and 24 to 28 all take "th", so an ordinal ending may be wrong but the day is never.
    return str(rng.choice([day for day in range(2, 29) if abs(day - int(old)) >= 2]))


def _other_hour(old: str, rng: random.Random) -> str:
    hour = (int(old) + rng.choice((2, 3, 4, 5))) % 24
    return f"{hour:02d}" if len(old) == 2 else str(hour or 1)


_DIGITS = re.compile(
    r"(?<![\w.,:/#–-])(?<!\d )(?<!\w\()[1-9]\d*(?:,\d{3})*(?:\.\d+)?"
    r"(?![\w:/]|[.,:]\d| ?[-–] ?\d| \d| (?:to|or|and) \d)"
)
_SPELLED = re.compile(rf"(?<![\w-])(?:{'|'.join(SPELLED_NUMBERS)})(?![\w-]| (?:to|or|and) )", re.IGNORECASE)
#: "step 3", "passage 2": counters, of which nothing is said.
_LABEL = re.compile(
    r"(?:passages?|steps?|sources?|chapters?|sections?|pages?|parts?|figures?|tables?|types?|no\.?|documents?)"
    r"[ (#:]*(?:\d+(?:, | and |, and ))*$",
    re.IGNORECASE,
)
_TRIES = 20


class Number(NamedTuple):
    """A number of a text: its span, as written, and its value."""

    start: int
    end: int
    text: str
    value: float


def numbers_of(text: str) -> list[Number]:
    """The numbers of a text that count or measure something: no dates, no labels, no list counters."""
    taken = date_spans(text)
    found = []
    for match in _DIGITS.finditer(text):
        if any(match.start() < end and start < match.end() for start, end in taken):
            continue
        if _LABEL.search(text[max(0, match.start() - 40) : match.start()]):
            continue
        found.append(Number(match.start(), match.end(), match[0], float(match[0].replace(",", ""))))
    for match in _SPELLED.finditer(text):
        # A capital within a sentence makes a name of it: "the Seven Years".
        if match[0][0].isupper() and match.start() > 0 and text[match.start() - 1] != "\ufffc":
            continue
        value = SPELLED_NUMBERS[match[0].lower()]
        found.append(Number(match.start(), match.end(), match[0], float(value)))
    return sorted(found)


def plant_new_number(site: Site, rng: random.Random) -> Mutant | None:
    """A number becomes one that no chunk holds."""
    numbers = numbers_of(site.text)
    rng.shuffle(numbers)
    for number in numbers[:_TRIES]:
        for _ in range(_TRIES):
            planted = _another(number, site.text, rng)
            if not _is_known(site, planted):
                if (mutant := site.edit(number.start, number.end, planted)) is not None:
                    return mutant
                break
    return None


def plant_swapped_number(site: Site, rng: random.Random) -> Mutant | None:
    """A number becomes another number of the chunks, one that the claim does not hold."""
    numbers = [number for number in numbers_of(site.text) if number.text[0].isdigit()]
    own = {number.value for number in numbers_of(site.text)}
    others = site.sources.keep("numbers", _numbers_in_chunks)
    candidates = [text for text in others if _value(text) not in own]
    rng.shuffle(numbers)
    rng.shuffle(candidates)
    for number in numbers[:_TRIES]:
        for text in candidates[:_TRIES]:
            if _is_share(number, site.text) and _value(text) > 100:
                continue
            if (mutant := site.edit(number.start, number.end, text)) is not None:
                return mutant
    return None


def _numbers_in_chunks(sources: Sources) -> tuple[str, ...]:
    """The numbers in digits of all chunks, in order; not 1: "1 orders" would be told by its grammar."""
    texts = {number.text for text in sources.texts for number in numbers_of(text)}
    return tuple(sorted(text for text in texts if text[0].isdigit() and text != "1"))


def _value(text: str) -> float:
    return float(text.replace(",", ""))


def _is_known(site: Site, planted: str) -> bool:
    if planted[0].isalpha():
        word = planted.lower()
        return word in site.sources.words or str(SPELLED_NUMBERS[word]) in site.sources.numbers
    spelled = [word for word, value in SPELLED_NUMBERS.items() if value == _value(planted)]
    return plain_number(planted) in site.sources.numbers or any(w in site.sources.words for w in spelled)


def _is_share(number: Number, text: str) -> bool:
    """Whether the number is a percentage up to 100; one above would be told by its size alone."""
    return number.value <= 100 and bool(re.match(r" ?(?:%|per ?cent)", text[number.end : number.end + 9]))


def _another(number: Number, text: str, rng: random.Random) -> str:
    """Another number of the same form, far enough from this one for no "about" to cover both."""
    if number.text[0].isalpha():
        far = [word for word, value in SPELLED_NUMBERS.items() if abs(value - number.value) >= 2]
        word = rng.choice(far)
        return word.capitalize() if number.text[0].isupper() else word
    if _is_share(number, text):
        return str(rng.choice([share for share in range(3, 100) if abs(share - number.value) >= 10]))
    value = number.value * rng.uniform(1.4, 3.2)
    if "." in number.text:
        digits = len(number.text.partition(".")[2])
        return f"{value + 1:,.{digits}f}" if "," in number.text else f"{value + 1:.{digits}f}"
    whole = round(value) + rng.randint(1, 9)
    return f"{whole:,}" if "," in number.text else str(whole)
