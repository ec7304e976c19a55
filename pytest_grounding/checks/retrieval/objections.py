"""What speaks against a clause as the answer, though it holds a value of the right kind and enough words.

Each objection is one way in which a text that shares all its words with a question does not answer it: the person
belongs to another verb, the superlative to another noun, the condition is there and not what follows from it.
"""

from __future__ import annotations

from itertools import pairwise

from pytest_grounding._patterns import lazy
from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.deeds import is_participle
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.scorers.lexical.tokens import Token, tokenize
from pytest_grounding.text.grammar import words_of

_BE = frozenset("is are was were be been being".split())
_ADVERBS = frozenset("not also only then now often always usually never".split())
_FOLLOWS = lazy(
    r"\b(?:if|when|whenever|once|after|otherwise|else|or|unless|whoever|who|then|as soon as|in case|leads?|causes?"
    r"|results?|on \w+ing|anyone|everyone|so that|by \w+ing)\b"
)
_WHAT_HAPPENS = lazy(r"\W*what (?:happens|will happen|would happen|happened)\b")
_MAY_BE = lazy(r"\b(?:may|can|must|should) (?:not )?be \w+")
_EARLIER = lazy(r"\b(?:before|until|previous(?:ly)?|former(?:ly)?|earlier|then|once|used to|first|prior|from|since)\b")
_SUPERLATIVE = lazy(r"\w{3,}est|(?:most|least)")
_NOT_SUPERLATIVE = frozenset(
    "latest test west rest guest request interest forest harvest nest best contest protest chest honest arrest invest "
    "digest suggest quest modest conquest manifest priest quickest nearest at".split()
)


def objects(asked: Asked, clause: Sentence) -> bool:
    """Whether something speaks against a clause as the answer.

    Args:
        asked: the question part.
        clause: a clause that holds a value of the expected kind.
    """
    lower = asked.part.text.lower()
    words = set(words_of(lower))
    if asked.part.expected == "person" and _BE.isdisjoint(words) and "whom" not in words:
        return _is_done_by_another(asked, clause)
    if _WHAT_HAPPENS.match(lower) and _FOLLOWS.search(clause.lower) is None:
        return _MAY_BE.search(clause.lower) is not None
    if "before" in words and "did" in words and _EARLIER.search(clause.lower) is None:
        return True
    return _has_other_superlative(asked, clause)


def _is_done_by_another(asked: Asked, clause: Sentence) -> bool:
    """Whether a passive without "by" tells what is done, or "by" names who did something else.

    "The beginners are taught from six, the league team plays from eight": who teaches them is not said.
    """
    if not asked.predicate:
        return False
    deeds = asked.words_of(asked.predicate)
    passive = False
    for place, token in enumerate(clause.tokens):
        if token.stem not in deeds:
            continue
        if not _is_passive(clause.tokens, place):
            return False
        passive = True
        following = clause.text[token.end - clause.start : token.end - clause.start + 120].lower()
        if " by " in f" {following} ":
            return False
    return passive


def _is_passive(tokens: object, place: int) -> bool:
    """Whether the word at a place is the participle of a passive: "are taught", "was also written"."""
    words: list[Token] = list(tokens)  # type: ignore[call-overload]
    if not is_participle(words[place].norm) and not words[place].norm.endswith(("ught", "ung", "unk", "old", "elt")):
        return False
    at = place - 1
    while at >= 0 and (words[at].norm in _ADVERBS or words[at].norm.endswith("ly")):
        at -= 1
    return at >= 0 and words[at].norm in _BE


def _has_other_superlative(asked: Asked, clause: Sentence) -> bool:
    """Whether the superlative of the question is missing, or said of something else.

    "What is the largest lake?" - "Lake Osk is the deepest"; "the oldest map" - "The oldest globe is from 1541".
    """
    for before, after in pairwise(tokenize(asked.part.text, "en")):
        if not is_superlative(before.norm) or after.is_stop or after.stem in asked.named:
            continue
        if after.start - before.end != 1:
            continue
        nouns = asked.stems_like(after.stem)
        said = [n for n, t in enumerate(clause.tokens) if t.stem in asked.stems_like(before.stem)]
        for place in said:
            following = clause.tokens[place + 1] if place + 1 < len(clause.tokens) else None
            if following is None or following.is_stop or following.stem in nouns or following.is_number:
                return False
            if any(t.stem in nouns for t in clause.tokens[place + 1 : place + 4]):
                return False
        if said:
            return True
    return False


def is_superlative(word: str) -> bool:
    """Whether a word in lower case is a superlative by its look."""
    return _SUPERLATIVE.fullmatch(word) is not None and word not in _NOT_SUPERLATIVE
