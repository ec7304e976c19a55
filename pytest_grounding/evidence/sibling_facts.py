"""A thing in the place of another one of its sort: "coffee" for "tea", "his uncle" for "his father"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from pytest_grounding.evidence.conflict_words import relatives_of
from pytest_grounding.evidence.settled import Settled
from pytest_grounding.evidence.statements import Grounds, Statement
from pytest_grounding.evidence.turned_words import are_in_one_place
from pytest_grounding.lexicon import lines
from pytest_grounding.reading.words import Token, fold

_SAME = "="
_LANGUAGES = ("en", "de", "fr", "es")
#: Endings of words, and what stands in their place in a word that is listed: "cities", "boiling", "baked".
_ENDINGS = {
    "en": (("ies", "y"), ("es", ""), ("s", ""), ("ing", ""), ("ing", "e"), ("ed", ""), ("d", "")),
    "de": (("nen", ""), ("en", ""), ("en", "e"), ("er", ""), ("es", ""), ("e", ""), ("n", ""), ("s", "")),
    "fr": (("es", ""), ("s", ""), ("x", ""), ("e", "")),
    "es": (("es", ""), ("s", ""), ("as", "o"), ("a", "o")),
}
#: Share of the rest of a claim in the sentence that has another thing.
_HELD = 0.7


class _Member(NamedTuple):
    """A word of a sort."""

    sort: int
    thing: int  # the number of what it names; words for the same thing share it


@lru_cache(maxsize=len(_LANGUAGES))
def _things(language: str) -> Mapping[str, tuple[_Member, ...]]:
    """Word, folded -> the sorts that it belongs to."""
    found: dict[str, tuple[_Member, ...]] = {}
    thing = 0
    for sort, line in enumerate(lines("siblings", f"sorts {language}")):
        for things in fold(line).split():
            thing += 1
            for word in things.split(_SAME):
                found[word] = (*found.get(word, ()), _Member(sort, thing))
    return found


def _sorts_of(norm: str, language: str) -> tuple[_Member, ...]:
    members = _things(language)
    if norm in members:
        return members[norm]
    for ending, instead in _ENDINGS[language]:
        if norm.endswith(ending) and norm[: -len(ending)] + instead in members:
            return members[norm[: -len(ending)] + instead]
    return ()


def siblings_of(grounds: Grounds) -> Iterator[Settled]:
    """The things that no source has, where the sentence that holds the rest has another one of the sort."""
    if grounds.words.is_denying or grounds.language not in _LANGUAGES:
        return
    for token in grounds.tokens:
        is_said = token.is_stop or grounds.is_known(token.stem)
        own = () if is_said else _sorts_of(token.norm, grounds.language)
        if not own:
            continue
        rest = [stem for stem in grounds.content if stem != token.stem]
        for statement in grounds.statements:
            if not rest or grounds.share_of(rest, statement) < _HELD:
                continue
            other = _sibling_in(statement, token, own, grounds)
            if other is not None:
                yield Settled("role", token.start, token.end, statement.outcome("missing", other.text))
                break


def _sibling_in(
    statement: Statement, token: Token, own: tuple[_Member, ...], grounds: Grounds
) -> Token | None:
    """Another thing of the sort that stands in the place of a word, and not in the claim."""
    sorts, things = {member.sort for member in own}, {member.thing for member in own}
    if statement.has(relatives_of(token.norm)):
        return None
    found: Token | None = None
    for other in statement.tokens:
        theirs = _sorts_of(other.norm, grounds.language)
        if any(member.thing in things for member in theirs):
            return None
        is_sibling = any(member.sort in sorts for member in theirs) and other.stem not in grounds.content
        if is_sibling and found is None and are_in_one_place(token, grounds, other, statement):
            found = other
    return found
