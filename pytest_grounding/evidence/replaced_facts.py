"""What stands in the place of another word in a copied sentence: a class of thing, an item of a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pytest_grounding.evidence.settled import Settled
from pytest_grounding.evidence.statements import Grounds, Statement, has_word, sign_behind
from pytest_grounding.lexicon import words
from pytest_grounding.reading.grammar import is_finite_verb
from pytest_grounding.reading.words import Token

_ALONE = words("denials", "alone")
_LEAVING_ALONE = _ALONE | words("denials", "alone in a source")
_BEING, _ARTICLES = words("denials", "being"), words("denials", "articles")
_JOINING, _COMMA = frozenset({"and", "or"}), ","
#: Sentences that are compared word for word, content words of what is replaced, and of what stays, at least.
_MOST, _REPLACED, _KEPT = 8, 2, 2
#: Words before a class of thing that are searched for "is a", and for "a": "is a small bird".
_BEFORE, _ARTICLE_REACH = 4, 2
_HALF, _ALL = 0.5, 0.9


@dataclass(frozen=True)
class _Replacement:
    """A place of a claim, and what the sentence has there."""

    own: Sequence[Token]
    before: Sequence[Token]
    theirs: Sequence[Token]


def replaced_of(grounds: Grounds) -> Iterator[Settled]:
    """A class of thing or an item of a list that no source has, in a claim that else copies a sentence."""
    if grounds.words.is_denying:
        return
    unknown = [token for token in grounds.tokens if not (token.is_stop or grounds.is_known(token.stem))]
    if not unknown or len(unknown) > _REPLACED or any(token.is_number for token in unknown):
        return
    at = grounds.tokens.index(unknown[0])
    if not _is_class(grounds.tokens[max(0, at - _BEFORE) : at]) and _COMMA not in grounds.text:
        return
    # All else stands in the sentence as it is.
    kept = {token.stem for token in grounds.tokens if not (token.is_stop or token in unknown)}
    for statement in grounds.statements[:_MOST]:
        if statement.held < _HALF:
            return
        for part in statement.words.wordings:
            if not kept.issubset([token.stem for token in part]):
                continue
            place = _one_replacement(grounds.tokens, part)
            if place is None or [token for token in place.own if not token.is_stop] != unknown:
                continue
            if _is_class(place.before) or _is_item(place, grounds.text):
                nearest = " ".join([token.text for token in place.theirs])
                outcome = statement.outcome("missing", nearest)
                yield Settled("role", place.own[0].start, place.own[-1].end, outcome)
                return


def _one_replacement(claim: Sequence[Token], part: Sequence[Token]) -> _Replacement | None:
    """The one place in which a claim has other words than a part of a sentence, or more."""
    # Imported here for cost: few claims have one or two words that no source has.
    from difflib import SequenceMatcher

    ours, theirs = [token.stem for token in claim], [token.stem for token in part]
    place: _Replacement | None = None
    kept = 0
    for tag, first, after, low, high in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if tag == "equal":
            kept += sum(not token.is_stop for token in claim[first:after])
        elif tag == "insert":
            if first not in (0, len(ours)):
                return None
        elif place is not None:
            return None
        else:
            place = _Replacement(claim[first:after], claim[max(0, first - _BEFORE) : first], part[low:high])
    if place is None or kept < _KEPT or any(token.text[0].isdigit() for token in place.theirs):
        return None
    return place if sum(not token.is_stop for token in place.theirs) <= _REPLACED else None


def _is_class(before: Sequence[Token]) -> bool:
    """Whether "is a" stands before a word: "is a dentist"."""
    return has_word(before, _BEING) and has_word(before[-_ARTICLE_REACH:], _ARTICLES)


def _is_item(place: _Replacement, text: str) -> bool:
    """Whether words are an item of a list: "leeks, potatoes and bacon"."""
    first = next(token for token in place.own if not token.is_stop)
    lead, behind = text[: first.start].rstrip(), text[place.own[-1].end :].lstrip()
    if _COMMA not in lead:
        return False
    if has_word((*place.before[-1:], *place.own[:1]), _JOINING):
        return True
    return lead.endswith(_COMMA) and behind.startswith((_COMMA, *_JOINING))


def left_out_items(grounds: Grounds) -> Iterator[Settled]:
    """The "only" of a claim whose sentence has more items than the claim."""
    alone = next((token for token in grounds.tokens if token.norm in _ALONE), None)
    if alone is None or grounds.words.is_denying:
        return
    content = [token.stem for token in grounds.tokens if not token.is_stop and token.norm not in _ALONE]
    holding = [one for one in grounds.statements if content and grounds.share_of(content, one) >= _ALL]
    if any(statement.has(_LEAVING_ALONE) for statement in holding):
        return
    for statement in holding:
        more = _one_more(statement, content, grounds)
        if more is not None:
            yield Settled("operator", alone.start, alone.end, statement.outcome("denied", more.text))
            return


def _one_more(statement: Statement, content: Sequence[str], grounds: Grounds) -> Token | None:
    """The first word of an item beside those that a claim has: "tennis and archery"."""
    forms = frozenset().union(*map(grounds.forms, content))
    tokens, text = statement.tokens, grounds.text_of(statement)
    for at, (token, following) in enumerate(pairwise(tokens), start=1):
        is_joined = following.norm in _JOINING or _COMMA in text[token.end : following.start]
        item = next((other for other in tokens[at : at + _BEFORE] if not other.is_stop), None)
        if not is_joined or item is None or any(is_finite_verb(one.norm) for one in (token, item)):
            continue
        if item.stem in forms:
            if not (token.is_stop or token.stem in forms):
                return token
        elif token.stem in forms and not _says_more(tokens[at:], text):
            return item
    return None


def _says_more(tokens: Sequence[Token], text: str) -> bool:
    """Whether words up to a comma have a verb, so that they are no item."""
    end = sign_behind(text, tokens, 0, frozenset(_COMMA))
    return any(is_finite_verb(token.norm) for token in tokens[:end])
