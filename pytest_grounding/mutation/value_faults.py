"""Faults of values: numbers, units and dates."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import product

from pytest_grounding.lexicon import lines, ordered
from pytest_grounding.mutation.site import FoldedSources, Mutant, Site, plain_number

MONTHS = ordered("mutation", "months")
WEEKDAYS = ordered("mutation", "weekdays")
#: Each unit becomes the next one in its ring, never its own synonym.
UNIT_SWAPS: dict[str, str] = {
    old: new
    for ring in lines("mutation", "unit_rings")
    for old, new in zip(ring.split(), [*ring.split()[1:], ring.split()[0]], strict=True)
    if old != new
} | {"kilograms": "milligrams", "volts": "amps", "%": " dollars"}
_MONEY = {"$": "€", "€": "£", "£": "$"}
_MONTH = "|".join(month for month in MONTHS if month != "May")
_YEAR = r"(?:1[5-9]|20)\d\d"
_NUMBER = re.compile(
    r"(?<![\w.,:/#–-])(?<!\d )(?<!\w\()[1-9]\d*(?:,\d{3})*(?:\.\d+)?"
    r"(?![\w:/]|[.,:]\d| ?[-–] ?\d| \d| (?:to|or|and) \d)"
)
#: A year, the day of a month, or a counter ("step 3").
_NOT_A_QUANTITY = re.compile(rf"{_YEAR}|\d+ (?:{'|'.join(MONTHS)})\b")
_LABEL = re.compile(
    rf"(?:{'|'.join(MONTHS)}|passages?|steps?|sources?|chapters?|sections?|pages?|parts?|figures?|tables?|types?"
    r"|no\.?|documents?)[ (#:]*(?:\d+(?:, | and |, and ))*$",
    re.IGNORECASE,
)
_SHARE = re.compile(r" ?(?:%|per ?cent)")
_UNIT = re.compile(
    r"\d(?: |-|\xa0)?(?:(?:working|business|calendar|full|more|consecutive) )?"
    rf"(?P<value>%|(?:{'|'.join(sorted(UNIT_SWAPS, key=len, reverse=True))})(?![\w/]))"
)
_SIGN = re.compile(r"(?P<value>[$€£])(?=\d)")
TRIES = 20
#: Offsets large enough that the years cannot be confused.
_YEAR_STEPS = (-23, -17, -8, -5, -3, 3, 6, 9, 14)


def first_planted(mutants: Iterable[Mutant | None]) -> Mutant | None:
    """The first mutant that could be made, or None."""
    return next((mutant for mutant in mutants if mutant is not None), None)


def plant_new_number(site: Site, rng: random.Random) -> Mutant | None:
    """Change a number to one that is in no chunk."""
    numbers = numbers_of(site.text)
    rng.shuffle(numbers)
    for number in numbers[:TRIES]:
        planted = _another(number, site.text, rng)
        if plain_number(planted) not in site.sources.numbers:
            return site.edit(*number.span(), planted)
    return None


def plant_swapped_number(site: Site, rng: random.Random) -> Mutant | None:
    """Change a number to another number of the chunks that is not in the claim."""
    numbers = numbers_of(site.text)
    own = {plain_number(number[0]) for number in numbers}
    others = [text for text in _numbers_in_chunks(site.sources) if plain_number(text) not in own]
    rng.shuffle(numbers)
    rng.shuffle(others)
    return first_planted(
        site.edit(*number.span(), text)
        for number, text in product(numbers[:TRIES], others[:TRIES])
        # A percentage above 100 would be conspicuous by its size alone.
        if float(plain_number(text)) <= 100 or not _SHARE.match(site.text, number.end())
    )


def numbers_of(text: str) -> list[re.Match[str]]:
    """The quantities of a text: no dates, no labels, no list counters."""
    return [
        match
        for match in _NUMBER.finditer(text)
        if not _NOT_A_QUANTITY.match(text, match.start())
        and not _LABEL.search(text[max(0, match.start() - 40) : match.start()])
    ]


@lru_cache(maxsize=8)
def _numbers_in_chunks(sources: FoldedSources) -> tuple[str, ...]:
    """The numbers of all chunks, in order; not 1: "1 orders" would be conspicuous by its grammar."""
    return tuple(sorted({number[0] for text in sources.texts for number in numbers_of(text)} - {"1"}))


def _another(number: re.Match[str], text: str, rng: random.Random) -> str:
    """Another number of the same form, so different that no "about" covers both."""
    old = float(plain_number(number[0]))
    if old <= 100 and _SHARE.match(text, number.end()):
        return str(rng.choice([share for share in range(3, 100) if abs(share - old) >= 10]))
    value = old * rng.uniform(1.4, 3.2) + rng.randint(1, 9)
    digits = len(number[0].partition(".")[2])
    return f"{value:,.{digits}f}" if "," in number[0] else f"{value:.{digits}f}"


def _other_of(names: tuple[str, ...]) -> Callable[[str, random.Random], str]:
    return lambda old, rng: rng.choice([name for name in names if name != old])


def _other_year(old: str, rng: random.Random) -> str:
    return f"{int(old[:4]) + rng.choice(_YEAR_STEPS)}{old[4:]}"


_DATES: tuple[tuple[re.Pattern[str], Callable[[str, random.Random], str]], ...] = (
    (
        re.compile(
            rf"\b(?:[Ii]n|[Ss]ince|by|until|[Ff]rom|before|after|during|year|{_MONTH}) "
            rf"(?P<value>{_YEAR})(?![\w–-]|[.,:]\d| (?:mg|kg|km|m|cm|ml|people|dollars|euros|years|hours)\b)"
        ),
        _other_year,
    ),
    (re.compile(rf"(?<![\w-])(?P<value>{_YEAR}-[01]\d-[0-3]\d)(?![\w-])"), _other_year),
    (re.compile(rf"\b(?P<value>{_MONTH})\b"), _other_of(MONTHS)),
    (re.compile(rf"\b(?P<value>{'|'.join(WEEKDAYS)})(?=s?\b)"), _other_of(WEEKDAYS)),
)


def plant_date(site: Site, rng: random.Random) -> Mutant | None:
    """Change a year, month or weekday to one that is not in the chunks."""
    places = [(match, another) for pattern, another in _DATES for match in pattern.finditer(site.text)]
    rng.shuffle(places)
    for match, another in places:
        planted = another(match["value"], rng)
        # In "Tuesday to Sunday" a weekday that is already in the claim would give nonsense.
        if planted not in site.text and planted.lower() not in site.sources.words:
            return site.edit(*match.span("value"), planted)
    return None


def plant_unit(site: Site, rng: random.Random) -> Mutant | None:
    """Change the unit of a number: days become weeks, $ becomes €."""
    places = [match for pattern in (_UNIT, _SIGN) for match in pattern.finditer(site.text)]
    rng.shuffle(places)
    swaps = ((match, UNIT_SWAPS.get(match["value"]) or _MONEY[match["value"]]) for match in places)
    return first_planted(
        site.edit(*match.span("value"), planted)
        for match, planted in swaps
        if not re.search(rf"(?<!\w){re.escape(planted)}(?!\w)", site.text)
    )
