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
_MONEY = {"$": "€", "€": "£", "£": "$"}
_SIGN = re.compile(r"[$€£](?=\d)")


def plant_unit(site: Site, rng: random.Random) -> Mutant | None:
    """A unit beside a number becomes another unit: days become weeks, percent become degrees, $ becomes €."""
    places = [(match.span("unit"), match["unit"]) for match in _UNIT.finditer(site.text)]
    places += [(match.span(), match[0]) for match in _SIGN.finditer(site.text)]
    rng.shuffle(places)
    for (start, end), old in places:
        if old in _MONEY:
            planted = _MONEY[old]
        elif old == "%":
            planted = " kilograms"
        else:
            planted = UNIT_SWAPS[old]
        if site.is_said(start, end, planted) or re.search(rf"(?<!\w){re.escape(planted)}(?!\w)", site.text):
            continue
        if (mutant := site.edit(start, end, planted)) is not None:
            return mutant
    return None
