"""How two are related: a claim that exchanges the two, in whatever words: "reports to", "the superior of"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pytest_grounding.evidence.exchanged_facts import Sides, content_of
from pytest_grounding.evidence.settled import Settled
from pytest_grounding.evidence.statements import Grounds, Statement
from pytest_grounding.lexicon import lines, words
from pytest_grounding.reading.words import Token

_BEING = words("denials", "being")
_OWNED = ("'s", "’s", "s'", "s’")
_CUTS = frozenset(",;:()")
_JOINING = words("roles", "next statement")
_ENDING = _JOINING | frozenset({"in", "at", "on", "since", "during"})
#: Words of one side at most, and of the longest phrase.
_REACH, _LONGEST_PHRASE = 8, 4
_LEAST_HELD = 0.5
_LONGEST_TOLD = 120  # characters of what a source says instead, at most
_OF = "of"


@dataclass(frozen=True)
class _RelationPhrase:
    """A phrase for a relation, and whether who stands before it is the first of the two."""

    kind: str
    is_forward: bool


@lru_cache(maxsize=1)
def _phrases() -> Mapping[str, _RelationPhrase]:
    found: dict[str, _RelationPhrase] = {}
    for line in lines("roles", "relations"):
        kind, both = line.split(":")
        for is_forward, side in zip((True, False), both.split("|"), strict=True):
            for phrase in side.split():
                found[phrase.replace("_", " ")] = _RelationPhrase(kind, is_forward)
    return found


@lru_cache(maxsize=1)
def _first_words() -> frozenset[str]:
    return frozenset([phrase.split()[0] for phrase in _phrases()])


@dataclass(frozen=True)
class _Related:
    """A relation that a sentence tells, with its two sides in one order."""

    kind: str
    sides: Sides


def related_of(grounds: Grounds) -> Iterator[Settled]:
    """A claim with a relation of which the sentence that it rests on has the sides exchanged."""
    is_telling = grounds.words.has(_first_words()) and not grounds.words.is_denying
    own = list(_related_in(grounds.tokens, grounds.text)) if is_telling else []
    if not own:
        return
    told = [
        (statement, relation)
        for statement in grounds.statements
        if statement.held >= _LEAST_HELD and not statement.words.is_denying
        for relation in _related_in(statement.tokens, grounds.text_of(statement))
    ]
    for relation in own:
        turned = _turning(relation, told, grounds)
        if turned is not None:
            said = grounds.text_of(turned)[turned.start : turned.end]
            start, end = grounds.tokens[0].start, grounds.tokens[-1].end
            yield Settled("role", start, end, turned.outcome("denied", said[:_LONGEST_TOLD]))
            return


def _turning(own: _Related, told: Sequence[tuple[Statement, _Related]], grounds: Grounds) -> Statement | None:
    found: Statement | None = None
    for statement, relation in told:
        if relation.kind != own.kind:
            continue
        if own.sides.stays_in(relation.sides, grounds.forms):
            return None
        if own.sides.exchanged_in(relation.sides, grounds.forms):
            found = found or statement
    return found


def _related_in(tokens: Sequence[Token], text: str) -> Iterator[_Related]:
    norms = [token.norm for token in tokens]
    at = 0
    while at < len(tokens):
        length, phrase = _phrase_at(norms, at)
        if phrase is not None:
            before, after = _side_before(tokens, at, text), _side_after(tokens, at + length, text)
            if before and after:
                # "The tenant is handed the keys"
                is_forward = phrase.is_forward and not (length == 1 and at and norms[at - 1] in _BEING)
                sides = Sides(before, after) if is_forward else Sides(after, before)
                yield _Related(phrase.kind, sides)
        elif tokens[at].text.endswith(_OWNED):
            yield from _related_by_owner(tokens, at, text)
        at += length


def _phrase_at(norms: Sequence[str], at: int) -> tuple[int, _RelationPhrase | None]:
    """The longest phrase that begins with a word, with its number of words; 1 and None without one."""
    for length in range(_LONGEST_PHRASE, 0, -1):
        phrase = _phrases().get(" ".join(norms[at : at + length])) if at + length <= len(norms) else None
        if phrase is not None:
            return length, phrase
    return 1, None


def _related_by_owner(tokens: Sequence[Token], at: int, text: str) -> Iterator[_Related]:
    """A relation told by an owner: "the director is the manager's superior"."""
    phrase = _phrases().get(f"{tokens[at + 1].norm} {_OF}") if at + 1 < len(tokens) else None
    being = next((number for number in range(at, 0, -1) if tokens[number].norm in _BEING), None)
    if phrase is None or being is None:
        return
    before, owner = _side_before(tokens, being, text), content_of(tokens[being + 1 : at + 1])
    if before and owner:
        yield _Related(phrase.kind, Sides(before, owner) if phrase.is_forward else Sides(owner, before))


def _side_before(tokens: Sequence[Token], at: int, text: str) -> frozenset[str]:
    first = at
    while first > max(0, at - _REACH) and not _ends_side(tokens, first - 1, text, at):
        first -= 1
    return content_of(tokens[first:at])


def _side_after(tokens: Sequence[Token], first: int, text: str) -> frozenset[str]:
    end = first
    while end < min(len(tokens), first + _REACH) and tokens[end].norm not in _ENDING:
        if end > first and not _CUTS.isdisjoint(text[tokens[end - 1].end : tokens[end].start]):
            break
        end += 1
    return content_of(tokens[first:end])


def _ends_side(tokens: Sequence[Token], at: int, text: str, end: int) -> bool:
    """Whether a word before a phrase, or a sign behind it, ends the side."""
    behind = text[tokens[at].end : tokens[at + 1].start] if at + 1 < end else ""
    return tokens[at].norm in _JOINING or not _CUTS.isdisjoint(behind)
