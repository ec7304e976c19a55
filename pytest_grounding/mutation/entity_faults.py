"""Faults that swap names: other entities, and other roles."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from pytest_grounding.lexicon import alternation
from pytest_grounding.mutation.site import (
    BLANK,
    INVENTED_ACRONYMS,
    INVENTED_GIVEN,
    INVENTED_SINGLE,
    KIND_WORDS,
    NO_NAMES,
    ONE_WAY_VERBS,
    ONE_WAY_WORDS,
    Mutant,
    Site,
    Sources,
    fold,
)

_NAME = re.compile(r"(?<![\w'’.-])[A-Z][\w-]*[A-Za-z0-9](?: [A-Z][\w-]*[A-Za-z0-9])*(?![\w-]|\.\w)")
_ROMAN = re.compile(r"[IVXLC]+")
_OF_A_PEOPLE = re.compile(r"(?:ans|ists|ese|ish|ian|ean|can)$")
_STARTS = re.compile(r"(?:^|[.!?:;\n\ufffc\"“•*-])\s*$")
_OTHER_NAME_OF = re.compile(
    r"\W{0,3}(?:or|also|a\.?k\.?a\.?|formerly|also known as|called|now)?\W{0,3}", re.I
)
_TRIES = 20


class Name(NamedTuple):
    """A name in a text and its span."""

    start: int
    end: int
    text: str


def names_of(text: str, sources: Sources) -> list[Name]:
    """The names of a text, as far as capitals tell: no starts of sentences, no months, no nationalities."""
    found = []
    for match in _NAME.finditer(text):
        start, words = match.start(), match[0].split(" ")
        at_start = bool(_STARTS.search(text[max(0, start - 4) : start])) or start == 0
        while words and (words[0] in NO_NAMES or (at_start and words[0].lower() in sources.small)):
            start += len(words.pop(0)) + 1
            at_start = False
        if not words or any(word in NO_NAMES or _ROMAN.fullmatch(word) for word in words):
            continue
        if all(word.lower() in sources.small for word in words) or _OF_A_PEOPLE.search(words[-1]):
            continue
        name = " ".join(words)
        if at_start and not any(_inside(name, chunk) for chunk in sources.texts):
            continue
        found.append(Name(start, match.end(), name))
    return found


def plant_new_entity(site: Site, rng: random.Random) -> Mutant | None:
    """A name becomes one that stands nowhere."""
    names = _replaceable(site)
    rng.shuffle(names)
    for name in names:
        planted = _invented(name.text, rng)
        if sources_hold(site.sources, planted):
            continue
        if (mutant := site.edit(name.start, name.end, planted)) is not None:
            return mutant
    return None


def plant_swapped_entity(site: Site, rng: random.Random) -> Mutant | None:
    """A name becomes another name of the chunks that the claim does not hold."""
    names = _replaceable(site)
    others = site.sources.keep("names", _names_in_chunks)
    claim_words = set(fold(site.text).split())
    candidates = [text for text in others if not set(fold(text).split()) & claim_words]
    rng.shuffle(names)
    rng.shuffle(candidates)
    for name in names[:_TRIES]:
        for other in candidates[:_TRIES]:
            if not _alike(name.text, other) or _same_thing(name.text, other, site.sources):
                continue
            if (mutant := site.edit(name.start, name.end, other)) is not None:
                return mutant
    return None


def _names_in_chunks(sources: Sources) -> tuple[str, ...]:
    """The names that some chunk holds within a sentence, in order."""
    names = {name.text for text in sources.texts for name in names_of(text, sources)}
    return tuple(
        sorted(
            name
            for name in names
            if name not in KIND_WORDS and any(_inside(name, text) for text in sources.texts)
        )
    )


def sources_hold(sources: Sources, name: str) -> bool:
    """Whether a chunk holds a name, or a word of it that is not a kind of thing."""
    return any(word.lower() in sources.words for word in name.split(" ") if word not in KIND_WORDS)


def _replaceable(site: Site) -> list[Name]:
    """Names that the chunks hold too and that the claim holds once."""
    names = names_of(site.text, site.sources)
    return [
        name
        for name in names
        if site.text.count(name.text) == 1
        and site.sources.say(name.text)
        and not _is_of_a_noun(site.text, name)
    ]


def _is_of_a_noun(text: str, name: Name) -> bool:
    """Whether the name only colours what follows ("Android phones"): another one might be nonsense."""
    return bool(
        re.match(r"-\w| [a-z]+s\b(?<! is)(?<! was)(?<! has)(?<! does)", text[name.end : name.end + 30])
    )


def _inside(name: str, text: str) -> bool:
    return bool(re.search(rf"[a-z,] {re.escape(name)}(?= [a-z]|[.,;:)'’]|$)", text))


def _invented(name: str, rng: random.Random) -> str:
    words = name.split(" ")
    if len(words) == 1:
        return rng.choice(INVENTED_ACRONYMS if name.isupper() and len(name) > 1 else INVENTED_SINGLE)
    if words[-1] in KIND_WORDS:
        return f"{rng.choice(INVENTED_SINGLE)} {words[-1]}"
    return f"{rng.choice(INVENTED_GIVEN)} {rng.choice(INVENTED_SINGLE)}"


def _alike(name: str, other: str) -> bool:
    """Of a shape: two acronyms, or two names of which neither is one or both have a word or more."""
    if name.isupper() != other.isupper():
        return False
    return (len(name.split()) > 1) == (len(other.split()) > 1)


def _same_thing(name: str, other: str, sources: Sources) -> bool:
    """Whether one may be another name of the other: initials, a part of it, or "X (Y)", "X, also Y"."""
    first, second = name.lower(), other.lower()
    if first in second or second in first:
        return True
    initials = ["".join(word[0] for word in text.split()).lower() for text in (name, other)]
    if initials[0] == second or initials[1] == first:
        return True
    for text in sources.texts:
        for left, right in ((name, other), (other, name)):
            at = text.find(left)
            while at >= 0:
                between, found, _ = text[at + len(left) : at + len(left) + 20 + len(right)].partition(right)
                if found and _OTHER_NAME_OF.fullmatch(between):
                    return True
                at = text.find(left, at + 1)
    return False


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
