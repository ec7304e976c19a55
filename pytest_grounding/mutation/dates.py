"""Faults of dates: another year, month, day, weekday or time of day."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from pytest_grounding.mutation.site import Mutant, Site
from pytest_grounding.mutation.words import MONTHS, WEEKDAYS

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
