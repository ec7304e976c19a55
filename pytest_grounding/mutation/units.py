"""Faults of units: the number stays, what it counts changes."""

from __future__ import annotations

import random
import re

from pytest_grounding.mutation.site import Mutant, Site
from pytest_grounding.mutation.words import SPELLED_NUMBERS, UNIT_SWAPS

_NUMBER = rf"(?:\d|\b(?:{'|'.join(SPELLED_NUMBERS)}|one|several|few|hundred|thousand|million))"
_UNIT = re.compile(
    rf"{_NUMBER}(?: |-|\xa0)?(?:(?:working|business|calendar|full|more|consecutive) )?"
    rf"(?P<unit>%|(?:{'|'.join(sorted(UNIT_SWAPS, key=len, reverse=True))})(?![\w/]))"
)
_DEGREES = re.compile(r"(?:\d ?°|degrees? )(?P<unit>Fahrenheit|Celsius|F|C)\b")
_SCALES = {"Fahrenheit": "Celsius", "Celsius": "Fahrenheit", "F": "C", "C": "F"}
_MONEY = {"$": "€", "€": "£", "£": "$"}
_OTHERS = {**UNIT_SWAPS, **_SCALES, **_MONEY, "%": " dollars"}
_SIGN = re.compile(r"[$€£](?=\d)")


def plant_unit(site: Site, rng: random.Random) -> Mutant | None:
    """A unit beside a number becomes another unit: days become weeks, percent become degrees, $ becomes €."""
    places = [(match.span("unit"), match["unit"]) for match in _DEGREES.finditer(site.text)]
    places += [
        (match.span("unit"), match["unit"])
        for match in _UNIT.finditer(site.text)
        # "350 degrees F": the unit is the scale, not the degree.
        if not re.match(r" (?:F|C|Fahrenheit|Celsius)\b", site.text[match.end() : match.end() + 12])
    ]
    places += [(match.span(), match[0]) for match in _SIGN.finditer(site.text)]
    rng.shuffle(places)
    for (start, end), old in places:
        planted = _OTHERS[old]
        if site.is_said(start, end, planted) or re.search(rf"(?<!\w){re.escape(planted)}(?!\w)", site.text):
            continue
        if (mutant := site.edit(start, end, planted)) is not None:
            return mutant
    return None
