"""Faults of roles: who does it to whom is turned round."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from pytest_grounding.lexicon import alternation
from pytest_grounding.mutation.entities import names_of
from pytest_grounding.mutation.site import BLANK, Mutant, Site
from pytest_grounding.mutation.words import ONE_WAY_VERBS, ONE_WAY_WORDS

_PHRASES = sorted(ONE_WAY_VERBS, key=len, reverse=True)
_VERBS = re.compile(rf"(?<= )(?:{'|'.join(map(re.escape, _PHRASES))})(?= )")
_SIDE = re.compile(r"(?:(?:[Tt]he|[Aa]n?) )?[\w'’-]+(?: [\w'’-]+){0,4}")
_END = re.compile(rf"(?= (?:{alternation('mutation', 'side_ends')})\b| ?[.,;({BLANK}\n]|$)")
#: A side that holds one of these is no name of a thing that could stand on the other side.
_NO_SIDE = re.compile(rf"\b(?:{alternation('mutation', 'no_sides')})\b", re.IGNORECASE)
_PLURAL = re.compile(r"(?:[^s]s|people|men|women|children)$")
_DONE_BY = re.compile(r"(?:ed|en|wn|lt|ght|nt|ade|un|ung|ote|old) by\b")
_MOST_BETWEEN = 8


class Sides(NamedTuple):
    """The two sides of a verb: start and end of the left one, start and end of the right one."""

    left: int
    left_end: int
    right: int
    right_end: int


def plant_role_swap(site: Site, rng: random.Random) -> Mutant | None:
    """In "A verb B" the two sides change places, where the verb goes one way only."""
    places = [sides for verb in _VERBS.finditer(site.text) if (sides := _phrases(site, verb)) is not None]
    places += _name_pairs(site)
    rng.shuffle(places)
    for place in places:
        left = site.text[place.left : place.left_end]
        right = site.text[place.right : place.right_end]
        between = site.text[place.left_end : place.right]
        first = right[0].upper() + right[1:] if _starts_sentence(site.text, place.left) else right
        planted = f"{first}{between}{_as_second(left, site)}"
        change = f"{left!r} <-> {right!r}"
        if (mutant := site.edit(place.left, place.right_end, planted, change=change)) is not None:
            return mutant
    return None


def _phrases(site: Site, verb: re.Match[str]) -> Sides | None:
    """The noun phrases on both sides of a verb; None where the border of one is unclear."""
    text = site.text
    head = text[: verb.start()]
    opening = head.rfind(", ") + 2 if ", " in head else 0
    start = opening + len(head[opening:]) - len(head[opening:].lstrip(f" \n\t{BLANK}*-•"))
    left = head[start:].rstrip()
    tail = _END.search(text, verb.end() + 1)
    right = "" if tail is None else text[verb.end() + 1 : tail.start()]
    for side in (left, right):
        if not _SIDE.fullmatch(side) or _NO_SIDE.search(side):
            return None
    if left.lower() == right.lower():
        return None
    is_past = verb[0].endswith("ed")
    if not is_past and _is_plural(left) != _is_plural(right):
        return None
    return Sides(start, start + len(left), verb.end() + 1, verb.end() + 1 + len(right))


def _is_plural(side: str) -> bool:
    return bool(_PLURAL.search(side.split(" of ")[0]))


def _name_pairs(site: Site) -> Iterator[Sides]:
    """Two names next to one another with a word between them that goes one way ("selected by", "son of")."""
    for left, right in pairwise(names_of(site.text, site.sources)):
        between = site.text[left.end : right.start]
        words = between.split()
        one_way = ONE_WAY_WORDS.intersection(words)
        if not one_way or len(words) > _MOST_BETWEEN or words[0] in {"and", "or"}:
            continue
        if one_way == {"by"} and not _DONE_BY.search(between):
            continue
        if set(left.text.split()) & set(right.text.split()) or re.search(rf"[.:;\n\"“”({BLANK}]", between):
            continue
        if between.startswith(("'", "’")):
            continue
        # "A" and "an" would stand before the wrong name; "the" goes along with its own.
        if words[-1] in {"a", "an"} or re.search(r"\b[Aa]n? $", site.text[: left.start][-4:]):
            continue
        start = left.start - 4 if re.search(r"\b[Tt]he $", site.text[: left.start][-5:]) else left.start
        second = right.start - 4 if between.endswith(" the ") else right.start
        yield Sides(start, left.end, second, right.end)


def _starts_sentence(text: str, at: int) -> bool:
    """Whether a sentence starts here, as far as its capital tells."""
    before = text[:at].rstrip(f" \n\t{BLANK}*-•")
    return text[at].isupper() and (not before or before[-1] in ".:!?")


def _as_second(side: str, site: Site) -> str:
    """A side within a sentence: its first word is written small where the chunks know it so."""
    first = side.split(" ")[0]
    if first.lower() in {"the", "a", "an"} or (first.istitle() and first.lower() in site.sources.small):
        return side[0].lower() + side[1:]
    return side
