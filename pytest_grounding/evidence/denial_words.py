"""Words that deny: "not", "without", and those that deny by what they mean, as "excluded" does."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise

from pytest_grounding.evidence.conflict_words import DENIES, MOST_MARKED, TURNS, marks_of
from pytest_grounding.evidence.ledger_sources import is_denier
from pytest_grounding.evidence.statements import has_word
from pytest_grounding.lexicon import words
from pytest_grounding.reading.words import Token

WITHOUT = "without"
_MARKS = frozenset({DENIES, TURNS})
_OTHERWISE = words("denials", "said otherwise")
_APART = words("denials", "set apart")
_CONTRASTING = words("denials", "contrasting")
_NEEDED = words("denials", "needed")
_ZEROS = frozenset({"0", "0.0", "0.00", "zero"})
_OUT = frozenset({"out"})
_OUT_OF, _BEING = ("out", "of"), words("denials", "being")
#: What follows "out of" where something is not to be had or used.
OUT_OF_WHAT = words("denials", "out of")
_AS, _DOING = "as", words("denials", "doing")
#: Words after a denial that are searched for what is needed: "is not strictly necessary".
_NEED_REACH = 2


def is_deny_mark(token: Token) -> bool:
    """Whether a word denies, or has a denial in its form: "useless"."""
    return _has_deny_mark(token.norm)


@lru_cache(maxsize=MOST_MARKED)
def _has_deny_mark(norm: str) -> bool:
    return not _MARKS.isdisjoint(marks_of(norm)) or norm == WITHOUT or is_denier(norm)


def says_otherwise(tokens: Sequence[Token], besides: Collection[str] = ()) -> bool:
    """Whether words deny by what they mean ("is excluded", "ruled out"), besides those with some stems."""
    return bool(_denying_otherwise(tokens, besides)) or says_out_of(tokens)


def says_out_of(tokens: Sequence[Token]) -> bool:
    """Whether something is "out of order" or "out of milk"."""
    return has_word(tokens, _OUT) and any(is_out_of(tokens, at) for at in range(1, len(tokens)))


def is_out_of(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word is the "of" of "out of order" or "is out of milk", but not of "made out of oak"."""
    if tokens[at].norm != _OUT_OF[1] or at == 0 or tokens[at - 1].norm != _OUT_OF[0]:
        return False
    return has_word(tokens[at + 1 : at + 2], OUT_OF_WHAT) or has_word(tokens[max(0, at - 2) : at - 1], _BEING)


def count_of_denials(tokens: Sequence[Token]) -> int:
    """How often words deny; two denials affirm: "not … without"."""
    return count_of_deniers(tokens) + len(_denying_otherwise(tokens, ()))


def has_zero(tokens: Sequence[Token]) -> bool:
    """Whether a count is zero: "0 of 14 trams", "0.00 %"."""
    return any(token.text.lower() in _ZEROS for token in tokens)


def count_of_deniers(tokens: Sequence[Token]) -> int:
    """How often "not", "without" and their like stand there."""
    return sum([is_denier(token.norm) or token.norm == WITHOUT for token in tokens])


def _denying_otherwise(tokens: Sequence[Token], besides: Collection[str]) -> list[Token]:
    single = [token for token in tokens if token.norm in _OTHERWISE and token.stem not in besides]
    return [*single, *_pairs(tokens, _OTHERWISE)]


def _pairs(tokens: Sequence[Token], listed: Collection[str]) -> list[Token]:
    """The words that with the next one are listed: "ruled out"."""
    return [first for first, second in pairwise(tokens) if f"{first.norm} {second.norm}" in listed]


def sets_apart(tokens: Sequence[Token]) -> bool:
    """Whether a sentence says something of one thing and not of another: "whereas", "in addition to"."""
    return has_word(tokens, _APART) or bool(_pairs(tokens, _APART))


def has_contrast(tokens: Sequence[Token]) -> bool:
    """Whether a claim speaks of another thing too: "unlike the lid", "as true lilies do"."""
    norms = [token.norm for token in tokens]
    if has_word(tokens, _CONTRASTING):
        return True
    return _AS in norms and not _DOING.isdisjoint(norms[norms.index(_AS) :])


def denies_need(tokens: Sequence[Token], at: int) -> bool:
    """Whether a denial says that something is not needed: "don't have to", "needn't", "not required"."""
    behind = tokens[at : at + 1 + _NEED_REACH]
    return has_word(behind, _NEEDED) or bool(_pairs(behind, _NEEDED))
