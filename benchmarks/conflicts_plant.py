"""Plant one known fault into a claim; conflict detection is measured on these faults.

The word lists here differ from those of the engine.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from itertools import pairwise

NEW_NAMES = (
    "Valdoria Kestrelman Okonjo Brindlecorp Marwick Tessarine Ulmgate Dravenport Quillfeather Zenthara"
).split()
MONTHS = "January February March April May June July August September October November December".split()
_NUMBER = re.compile(r"(?<![\w.,$(])\d+(?:,\d{3})*(?:\.\d+)?(?![\w(]|[.,]\d)")
_YEAR = re.compile(r"(?<![\w.,$])(1[5-9]\d\d|20\d\d)(?![\w.,]\d|\w)")
_NAME = re.compile(r"(?<=[a-z,] )(?:[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})*)")
UNITS = {
    "hours": "days",
    "days": "weeks",
    "weeks": "months",
    "months": "years",
    "years": "months",
    "minutes": "hours",
    "seconds": "minutes",
    "percent": "degrees",
    "feet": "inches",
    "inches": "feet",
    "miles": "kilometers",
    "pounds": "ounces",
    "ounces": "pounds",
    "grams": "milligrams",
    "mg": "g",
    "cups": "teaspoons",
    "day": "week",
    "week": "month",
    "month": "year",
    "year": "decade",
    "hour": "minute",
    "minute": "second",
    "mm": "cm",
    "cm": "mm",
    "kg": "g",
    "kilograms": "grams",
    "meters": "kilometers",
    "degrees": "percent",
    "mph": "knots",
    "gallons": "liters",
    "tablespoons": "cups",
    "dollars": "cents",
    "teaspoons": "tablespoons",
    "calories": "grams",
}
ANTONYMS = {
    "high": "low",
    "higher": "lower",
    "large": "tiny",
    "larger": "smaller",
    "increase": "decrease",
    "increases": "decreases",
    "more": "less",
    "hot": "cold",
    "safe": "unsafe",
    "easy": "difficult",
    "effective": "ineffective",
    "good": "bad",
    "strong": "weak",
    "long": "short",
    "positive": "negative",
    "common": "rare",
    "possible": "impossible",
    "necessary": "unnecessary",
    "include": "exclude",
    "includes": "excludes",
    "dry": "wet",
    "best": "worst",
    "early": "late",
    "internal": "external",
    "able": "unable",
    "important": "unimportant",
    "healthy": "unhealthy",
    "allows": "forbids",
    "allow": "forbid",
    "raw": "cooked",
    "fresh": "stale",
    "upper": "lower",
    "reduce": "raise",
    "slowly": "quickly",
    "warm": "cool",
    "thick": "thin",
    "hard": "soft",
    "public": "private",
    "legal": "illegal",
    "complete": "incomplete",
    "similar": "dissimilar",
    "open": "closed",
    "light": "dark",
    "top": "bottom",
    "first": "last",
    "before": "after",
    "above": "below",
    "male": "female",
    "north": "south",
    "left": "right",
}
QUANTIFIERS = {
    "all": "no",
    "most": "few",
    "some": "all",
    "many": "few",
    "several": "all",
    "always": "never",
    "usually": "never",
    "often": "never",
    "sometimes": "always",
    "every": "no",
    "each": "no",
    "typically": "rarely",
    "generally": "never",
    "never": "always",
    "commonly": "rarely",
    "both": "neither",
    "any": "no",
}
_AUX = re.compile(
    r"\b(is|are|was|were|can|should|will|has been|have been|may|must|does|do|would|could)\b(?! not|n't)"
)
_NOT = re.compile(
    r"\b(is|are|was|were|can|should|will|may|must|does|do|would|could) not\b|\b(do|does|is|are|can)n't\b"
)


def _swap_word(text: str, table: dict[str, str], rng: random.Random) -> str | None:
    hits = [m for m in re.finditer(r"[A-Za-z]+", text) if m[0].lower() in table]
    if not hits:
        return None
    hit = rng.choice(hits)
    word = table[hit[0].lower()]
    if hit[0][0].isupper():
        word = word.capitalize()
    return text[: hit.start()] + word + text[hit.end() :]


def _replace(text: str, hit: re.Match[str], word: str) -> str:
    return text[: hit.start()] + word + text[hit.end() :]


def _numbers(text: str) -> list[re.Match[str]]:
    """Numbers that belong to a statement: no list counters, no "passage 2"."""
    found = [
        m for m in _NUMBER.finditer(text) if not re.match(r"\s*[.)]\s|:", text[m.end() :]) or m.start() > 3
    ]
    return [
        m
        for m in found
        if not re.search(r"(?i)(passages?|step|source)[ (]*(\d, |\d and )?$", text[: m.start()])
    ]


def new_number(text: str, context: str, rng: random.Random) -> str | None:
    hits = [m for m in _numbers(text) if not _YEAR.fullmatch(m[0])]
    if not hits:
        return None
    hit = rng.choice(hits)
    value = float(hit[0].replace(",", ""))
    while True:
        planted = round(value * rng.uniform(1.4, 3.2)) + rng.randint(1, 9)
        if not re.search(rf"\b{planted}\b", context):
            return _replace(text, hit, f"{planted:,}" if "," in hit[0] else str(planted))


def swapped_number(text: str, context: str, rng: random.Random) -> str | None:
    hits = [m for m in _numbers(text) if not _YEAR.fullmatch(m[0])]
    own = {m[0] for m in _NUMBER.finditer(text)}
    others = sorted(
        {m[0] for m in _NUMBER.finditer(context) if m[0] not in own and not _YEAR.fullmatch(m[0])}
    )
    if not hits or not others:
        return None
    return _replace(text, rng.choice(hits), rng.choice(others))


def date(text: str, context: str, rng: random.Random) -> str | None:
    hits = list(_YEAR.finditer(text))
    months = [m for m in re.finditer(r"\b(" + "|".join(MONTHS) + r")\b", text) if m[0] != "May"]
    if months and (not hits or rng.random() < 0.5):
        hit = rng.choice(months)
        return _replace(text, hit, rng.choice([m for m in MONTHS if m != hit[0]]))
    if not hits:
        return None
    hit = rng.choice(hits)
    return _replace(text, hit, str(int(hit[0]) + rng.choice([-17, -4, -1, 1, 3, 12])))


def unit(text: str, context: str, rng: random.Random) -> str | None:
    hits = [
        m
        for m in re.finditer(r"(?<=\d )[A-Za-z]+|(?<=\d-)[a-z]+|(?<=\d)(?:mg|kg|mm|cm)\b|(?<=\d)%", text)
        if m[0] in UNITS or m[0] == "%"
    ]
    if not hits:
        return None
    hit = rng.choice(hits)
    return _replace(text, hit, " dollars" if hit[0] == "%" else UNITS[hit[0]])


def new_entity(text: str, context: str, rng: random.Random) -> str | None:
    hits = list(_NAME.finditer(text))
    return _replace(text, rng.choice(hits), rng.choice(NEW_NAMES)) if hits else None


def swapped_entity(text: str, context: str, rng: random.Random) -> str | None:
    hits = list(_NAME.finditer(text))
    others = sorted({m[0] for m in _NAME.finditer(context) if m[0] not in text})
    return _replace(text, rng.choice(hits), rng.choice(others)) if hits and others else None


def negation(text: str, context: str, rng: random.Random) -> str | None:
    denied = list(_NOT.finditer(text))
    if denied:
        hit = rng.choice(denied)
        return _replace(text, hit, hit[1] or hit[2])
    hits = list(_AUX.finditer(text))
    if not hits:
        return None
    hit = hits[0]
    return _replace(text, hit, hit[0] + " not")


def antonym(text: str, context: str, rng: random.Random) -> str | None:
    return _swap_word(text, ANTONYMS, rng)


def quantifier(text: str, context: str, rng: random.Random) -> str | None:
    return _swap_word(text, QUANTIFIERS, rng)


def role(text: str, context: str, rng: random.Random) -> str | None:
    """Swap two names or two noun phrases around a verb."""
    hits = list(re.finditer(r"(?:[A-Z][a-z]{2,}|[A-Z]{2,})(?: (?:[A-Z][a-z]{2,}|[A-Z]{2,}))*", text))
    for a, b in pairwise(hits):
        between = text[a.end() : b.start()]
        if a[0] == b[0] or a[0] in b[0] or b[0] in a[0] or len(between.split()) < 1:
            continue
        if re.fullmatch(r"[\s,/&]*(and|or|of|in|the|\s|,|\()*[\s,]*", between) or not re.search(
            r"\b[a-z]{3,}\b", between
        ):
            continue
        if not all(re.search(rf"[a-z,] {re.escape(name[0])}\b", context) for name in (a, b)):
            continue  # A word that only starts sentences is not a name.
        if "Passage" in a[0] + b[0]:
            continue
        return text[: a.start()] + b[0] + between + a[0] + text[b.end() :]
    return None


FAULTS: dict[str, Callable[[str, str, random.Random], str | None]] = {
    "new_number": new_number,
    "swapped_number": swapped_number,
    "unit": unit,
    "date": date,
    "new_entity": new_entity,
    "swapped_entity": swapped_entity,
    "negation": negation,
    "antonym": antonym,
    "quantifier": quantifier,
    "role": role,
}


def plant(fault: str, claim: str, chunks: Sequence[str], seed: str) -> str | None:
    """The claim with one fault, or None if the fault does not fit; deterministic for a seed."""
    # Random choices of a benchmark, not a secret.
    planted = FAULTS[fault](claim, "\n".join(chunks), random.Random(f"{seed}/{fault}"))
    return None if planted == claim else planted
