"""Faults of roles: who does it to whom is turned round."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import pairwise

from pytest_grounding.mutation.entities import names_of
from pytest_grounding.mutation.site import BLANK, Mutant, Site
from pytest_grounding.mutation.words import ONE_WAY_VERBS, ONE_WAY_WORDS

_PHRASES = sorted((phrase.replace("_", " ") for phrase in ONE_WAY_VERBS), key=len, reverse=True)
_VERBS = re.compile(rf"(?<= )(?:{'|'.join(map(re.escape, _PHRASES))})(?= )")
_SIDE = re.compile(r"(?:(?:[Tt]he|[Aa]n?) )?[\w'’-]+(?: [\w'’-]+){0,4}")
_END = re.compile(
    r"(?= (?:in|on|at|by|for|from|during|since|until|before|after|because|when|which|and|or|that|to|with|as|while)\b"
    rf"| ?[.,;({BLANK}\n]|$)"
)
_PRONOUN = re.compile(
    r"\b(?:it|they|he|she|we|you|this|that|these|those|i|there|which|who|them|one|some|many|not|and|or|also|only|"
    r"is|are|was|were|has|have|had|be|been|can|will|may|as|than|when|if|to|with|but|while|more|most|each|every|all|passage|passages)\b",
    re.IGNORECASE,
)
_PLURAL = re.compile(r"(?:[^s]s|people|men|women|children)$")


def plant_role_swap(site: Site, rng: random.Random) -> Mutant | None:
    """In "A verb B" the two sides change places, where the verb goes one way only."""
    places = [place for phrase in _VERBS.finditer(site.text) if (place := _sides(site, phrase)) is not None]
    places += list(_name_pairs(site))
    rng.shuffle(places)
    for start, verb_start, verb_end, end in places:
        left, right = site.text[start:verb_start], site.text[verb_end:end]
        planted = (
            f"{_as_first(right, left)} {site.text[verb_start:verb_end].strip()} {_as_second(left, site)}"
        )
        if (
            mutant := site.edit(start, end, planted, change=f"{left.strip()!r} <-> {right.strip()!r}")
        ) is not None:
            return mutant
    return None


def _sides(site: Site, verb: re.Match[str]) -> tuple[int, int, int, int] | None:
    """Start of the left side, the verb's span, end of the right side; None where a side is unclear."""
    text = site.text
    head = text[: verb.start()]
    opening = head.rfind(", ") + 2 if ", " in head else 0
    start = opening + len(head[opening:]) - len(head[opening:].lstrip(f" \n\t{BLANK}*-•"))
    left = head[start:].rstrip()
    match = _SIDE.fullmatch(left)
    if match is None or _PRONOUN.search(left):
        return None
    tail = _END.search(text, verb.end() + 1)
    if tail is None:
        return None
    right = text[verb.end() + 1 : tail.start()]
    if not _SIDE.fullmatch(right) or _PRONOUN.search(right) or left.lower() == right.lower():
        return None
    past = verb[0].split()[-1] == "by" or verb[0].endswith("ed")
    if not past and bool(_PLURAL.search(left)) != bool(_PLURAL.search(right)):
        return None
    return start, verb.start(), verb.end() + 1, tail.start()


def _name_pairs(site: Site) -> Iterator[tuple[int, int, int, int]]:
    """Two names next to one another with a word between them that goes one way ("selected by", "son of")."""
    names = names_of(site.text, site.sources)
    for left, right in pairwise(names):
        between = site.text[left.end : right.start]
        words = between.split()
        if len(words) > 8 or not ONE_WAY_WORDS.intersection(words) or words[0] in {"and", "or"}:
            continue
        if (
            BLANK in between
            or set(left.text.split()) & set(right.text.split())
            or re.search(r"[.:;\n]", between)
        ):
            continue
        # "a Provider Session" and the like: without these, an article would stand before the wrong name.
        if words[-1] in {"a", "an"} or re.search(r"\b[Aa]n? $", site.text[: left.start]):
            continue
        yield left.start, left.end + 1, right.start, right.end


def _as_first(side: str, other: str) -> str:
    """A side as the start of a sentence, when the other one was."""
    side = side.strip()
    return side[0].upper() + side[1:] if other.strip()[0].isupper() else side


def _as_second(side: str, site: Site) -> str:
    """A side within a sentence: its first word is written small where the chunks know it so."""
    side = side.strip()
    first = side.split(" ")[0]
    if first.lower() in {"the", "a", "an"} or (first.istitle() and first.lower() in site.sources.small):
        return side[0].lower() + side[1:]
    return side
