"""A short claim with a predicate that no source contains."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from pytest_grounding.lexicon import words
from pytest_grounding.reading.grammar import AUXILIARIES
from pytest_grounding.reading.words import NEGATIONS, VERBS, Token
from pytest_grounding.scorers.builtin.align import Alignment
from pytest_grounding.scorers.builtin.conflicts.conflict_words import sided
from pytest_grounding.scorers.builtin.token_index import (
    framing_stems,
    generic_stems,
    rarity,
    synonyms_of,
)

_AUXILIARIES = AUXILIARIES | words("matching", "be")
#: A longer claim makes several statements, and its other words are informative.
_MOST_WORDS = 9
_MOST_CONTENT = 3
#: A predicate is unknown where more than this share of it, by weight, is in no chunk.
_STRANGE = 0.6
_BEFORE_NOUNS = words("matching", "before_nouns")
_DENIALS = NEGATIONS | frozenset("lack lacks without non".split())
#: Words for a price; an amount of money covers them too.
_PRICED = words("matching", "priced")
_MONEY = frozenset("$€£¥₹")
_SHORTEST_VERB = 4
#: Framing only in "feel free to ask".
_SAY_MORE = frozenset({"free"})


def strange_predicate(alignment: Alignment) -> tuple[Token, ...]:
    """The unmatched words of a short claim's predicate, if they are most of it."""
    tokens = alignment.tokens
    if not alignment.missing:
        return ()
    verb = first_verb(tokens) if len(tokens) <= _MOST_WORDS else None
    if verb is None or any(token.stem in _framing() for token in tokens[:verb]):
        return ()
    is_helper = tokens[verb].norm in _AUXILIARIES
    return _strange(alignment, tokens[verb + 1 :] if is_helper else tokens[verb:])


@lru_cache(maxsize=1)
def _framing() -> frozenset[str]:
    return framing_stems() - _SAY_MORE


def _strange(alignment: Alignment, part: Sequence[Token]) -> tuple[Token, ...]:
    content = {token.start for token in alignment.content}
    gone = {token.start for token in alignment.missing}
    words = [token for token in part if token.start in content]
    light = [token for token in words if token.stem in generic_stems() or token.stem in _framing()]
    telling = [token for token in words if token not in light or token.start not in gone]
    if not telling:
        # "Return shipping is included": an uninformative word is the claim if it is the only one.
        telling = [token for token in light if token.stem not in _framing() and token.norm not in VERBS]
    if not telling or len(telling) > _MOST_CONTENT:
        return ()
    lost = [token for token in telling if token.start in gone and not _is_paraphrased(alignment, token)]
    total = sum([rarity(token.stem) for token in telling])
    return tuple(lost) if sum([rarity(token.stem) for token in lost]) > _STRANGE * total else ()


def first_verb(tokens: Sequence[Token]) -> int | None:
    """Index of the first word that is probably a finite verb, or None."""
    maybe: int | None = None
    for number, token in enumerate(tokens):
        norm = token.norm
        if norm in _AUXILIARIES:
            return number
        if number == 0 or token.is_number or tokens[number - 1].norm in _BEFORE_NOUNS:
            continue
        if norm in VERBS:
            return number
        if token.is_name or token.is_stop or len(norm) < _SHORTEST_VERB:
            continue
        last = number + 1 == len(tokens)
        before = tokens[number - 1]
        plural = _ends_in_s(before) and not before.is_name
        if norm.endswith("ed") or (last and plural and not norm.endswith(("s", "ly"))):
            return number
        if _ends_in_s(token) and not plural:
            if last or tokens[number + 1].is_stop or tokens[number + 1].is_number:
                return number
            # "The squirrel stores nuts": or it is the noun of a phrase, and a plainer verb follows.
            maybe = number if maybe is None else maybe
    return maybe


def _ends_in_s(token: Token) -> bool:
    return token.norm.endswith("s") and not token.norm.endswith("ss")


def _is_paraphrased(alignment: Alignment, token: Token) -> bool:
    """Whether sentences about it contain a synonym, or the opposite of what the claim denies."""
    (same, opposed), sentences = sides_of(token.stem), alignment.context.sentences
    if alignment.is_covered_nearby(chain.from_iterable(map(sentences, same))):
        return True
    denied = not _DENIALS.isdisjoint([other.norm for other in alignment.tokens])
    if denied and alignment.is_covered_nearby(chain.from_iterable(map(sentences, opposed))):
        return True
    if token.norm in _PRICED or (token.norm == "free" and denied):
        text_of = alignment.context.text_of
        return any(not _MONEY.isdisjoint(text_of(sentence)) for sentence in sorted(alignment.held))
    return False


# Computed on demand: computing all takes an eighth of a first validation.
@lru_cache(maxsize=8192)
def sides_of(stem: str) -> tuple[Sequence[str], Sequence[str]]:
    """Near synonyms of a stem, without itself, and its opposites."""
    same: dict[str, None] = {}
    opposed: dict[str, None] = {}
    for kind, ours, theirs in sided().get(stem, ()):
        if kind != "antonym":
            continue
        same.update(dict.fromkeys(other for other in ours if other != stem))
        opposed.update(dict.fromkeys(theirs))
        for other in theirs:
            opposed.update(dict.fromkeys(synonyms_of(other)))
    return tuple(same), tuple(opposed)
