"""A thing in the place of another one of its sort: "coffee" for "tea", "his uncle" for "his father"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from pytest_grounding.evidence.conflict_words import kin_words
from pytest_grounding.evidence.settled import Settled
from pytest_grounding.evidence.statements import Grounds, Statement
from pytest_grounding.evidence.turned_words import are_in_one_place
from pytest_grounding.lexicon import lines
from pytest_grounding.reading.words import Token, fold

_SAME = "="
#: Endings of words, and what stands in their place in a word that is listed: "cities", "boiling", "baked".
_ENDINGS = {
    "en": (("ies", "y"), ("es", ""), ("s", ""), ("ing", ""), ("ing", "e"), ("ed", ""), ("d", "")),
    "de": (("nen", ""), ("en", ""), ("en", "e"), ("er", ""), ("es", ""), ("e", ""), ("n", ""), ("s", "")),
    "fr": (("es", ""), ("s", ""), ("x", ""), ("e", "")),
    "es": (("es", ""), ("s", ""), ("as", "o"), ("a", "o")),
}
_MOST = 1000  # things of one sort: the number of a thing is that of its sort times this, and its place
_NOTHING: frozenset[int] = frozenset()
#: Share of the rest of a claim in the sentence that has another thing.
_HELD = 0.7


@lru_cache(maxsize=len(_ENDINGS))
def _things(language: str) -> Mapping[str, frozenset[int]]:
    """Word, folded -> the numbers of the things that it names."""
    found: dict[str, frozenset[int]] = {}
    acts = lines("siblings", "acts en") if language == "en" else ()
    for sort, line in enumerate((*lines("siblings", f"sorts {language}"), *acts)):
        for place, thing in enumerate(fold(line).split()):
            for word in thing.split(_SAME):
                found[word] = found.get(word, _NOTHING) | {sort * _MOST + place}
    return found


def _things_named(norm: str, language: str) -> frozenset[int]:
    things = _things(language)
    if norm in things:
        return things[norm]
    for ending, instead in _ENDINGS[language]:
        if norm.endswith(ending) and norm[: -len(ending)] + instead in things:
            return things[norm[: -len(ending)] + instead]
    return _NOTHING


def siblings_of(grounds: Grounds) -> Iterator[Settled]:
    """The things that no source has, where the sentence that holds the rest has another one of the sort."""
    if grounds.words.is_denying or grounds.language not in _ENDINGS:
        return
    for token in grounds.tokens:
        is_said = token.is_stop or grounds.is_known(token.stem)
        own = _NOTHING if is_said else _things_named(token.norm, grounds.language)
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


def _sibling_in(statement: Statement, token: Token, own: frozenset[int], grounds: Grounds) -> Token | None:
    """Another thing of the sort that stands in the place of a word, and not in the claim."""
    sorts = {thing // _MOST for thing in own}
    if statement.has(kin_words().get(token.norm, frozenset())):
        return None
    found: Token | None = None
    for other in statement.tokens:
        theirs = _things_named(other.norm, grounds.language)
        if own & theirs:
            return None
        is_sibling = any(thing // _MOST in sorts for thing in theirs) and other.stem not in grounds.content
        if is_sibling and found is None and are_in_one_place(token, grounds, other, statement):
            found = other
    return found
