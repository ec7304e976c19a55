"""Words of which mostly one is true of a thing, each with its class: colours, materials, seasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from pytest_grounding.lexicon import lines, sections
from pytest_grounding.scorers.lexical.tokens import Token

_FILE = "classes"
#: Behind these a plural has a syllable more.
_HISSING = ("s", "x", "ch", "sh")
_VOWELS = "aeiou"


class Member(NamedTuple):
    """A word as a member of a class.

    Attributes:
        group: the class.
        head: the more general word of its line; "" where there is none.
        name: the first of the words that say the same.
        is_capital: whether it is written with a capital.
    """

    group: str
    head: str
    name: str
    is_capital: bool

    def agrees(self, other: Member) -> bool:
        """Whether both may be true of a thing: one word, or a word and a more general one."""
        return self.name == other.name or self.name == other.head or self.head == other.name


class ClassWord(NamedTuple):
    """A word of a class in a text.

    Attributes:
        first: number of its first word.
        last: number of its last one.
        members: what it is, one of each class that it stands in.
    """

    first: int
    last: int
    members: tuple[Member, ...]


class _Words(NamedTuple):
    """The words of all classes.

    Attributes:
        members: for the words of an entry, joined by blanks, what it is.
        lengths: for the first word of entries how many words they have, longest first.
    """

    members: dict[str, tuple[Member, ...]]
    lengths: dict[str, tuple[int, ...]]


def opens_class_word(norm: str) -> bool:
    """Whether a folded word is a word of a class, or the first of several that are."""
    return norm in _all().lengths


def class_words(tokens: Sequence[Token], openings: Sequence[int]) -> list[ClassWord]:
    """The words of classes among the words of a text, in order; of two that overlap the longer or first.

    Args:
        tokens: the words of the text.
        openings: numbers of those that `opens_class_word` tells, ascending.
    """
    members, lengths = _all()
    found: list[ClassWord] = []
    free = 0
    for number in openings:
        if number < free:
            continue
        for length in lengths[tokens[number].norm]:
            inside = tokens[number : number + length]
            known = members.get(" ".join(token.norm for token in inside), ())
            suited = tuple(member for member in known if _is_written_so(member, inside))
            if suited:
                free = number + len(inside)
                found.append(ClassWord(number, free - 1, suited))
                break
    return found


def _is_written_so(member: Member, tokens: Sequence[Token]) -> bool:
    """Whether words have the capital that a member needs, and none otherwise: "Mr Brown" is no colour."""
    if member.is_capital:
        return tokens[0].text[:1].isupper()
    return not any(token.is_name and (len(token.text) == 1 or not token.text.isupper()) for token in tokens)


@lru_cache(maxsize=1)
def _all() -> _Words:
    members: dict[str, tuple[Member, ...]] = {}
    lengths: dict[str, set[int]] = {}
    for member, said in _read():
        for norm in _forms(said.lower()):
            if member not in members.get(norm, ()):
                members[norm] = (*members.get(norm, ()), member)
            words = norm.split()
            lengths.setdefault(words[0], set()).add(len(words))
    return _Words(members, {first: tuple(sorted(found, reverse=True)) for first, found in lengths.items()})


def _read() -> Iterator[tuple[Member, str]]:
    """The members with each of the words that say so."""
    for group in sections(_FILE):
        for line in lines(_FILE, group):
            heads, colon, listed = line.rpartition(": ")
            entries = [heads] * bool(colon) + listed.split()
            head = _name(heads) if colon else ""
            for entry in entries:
                name = _name(entry)
                member = Member(group, "" if name == head else head, name, entry[0].isupper())
                for said in entry.split("="):
                    yield member, said.replace("_", " ").replace("-", " ").replace("'s", "").replace("'", "")


def _name(entry: str) -> str:
    return entry.partition("=")[0]


def _forms(words: str) -> Iterator[str]:
    """Words and their plural."""
    yield words
    if words.endswith("y") and words[-2:-1] not in _VOWELS:
        yield words[:-1] + "ies"
    elif words.endswith(_HISSING):
        yield words + "es"
    elif words.endswith("f"):
        yield words[:-1] + "ves"
    else:
        yield words + "s"
        if words.endswith("o"):
            yield words + "es"
