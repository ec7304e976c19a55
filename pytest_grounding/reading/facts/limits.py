"""Limits of numbers: "at least 5", "not below 5", "up to 25", "larger than 25 are rejected"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pytest_grounding.lexicon import words as listed
from pytest_grounding.reading.facts.fact import Bound
from pytest_grounding.reading.facts.numerals import Tokens, words

APPROXIMATE = listed("limits", "approximate") | {"~", "≈"}
_MORE = listed("limits", "more")
_LESS = listed("limits", "less")
_BEYOND = listed("limits", "beyond") | {">"}
_SHORT_OF = frozenset(words("under below <"))
_AS_MUCH = listed("limits", "as_much")
_AS_LITTLE = listed("limits", "as_little")
_NO_COMPARATIVES = listed("limits", "no_comparatives")
_COUNTED = frozenset(words("many much few little"))
_SLIGHTLY = frozenset(words("just slightly little bit barely"))
_FROM = frozenset(words("minimum ≥"))
_TO = frozenset(words("within maximum max ≤"))
_CEILINGS = frozenset(words("maximum max limit cap ceiling"))
_FLOORS = frozenset({"minimum"})
_STATES = frozenset(words("is are was be of : ="))
_NOT = listed("limits", "not")
_REJECTS = listed("limits", "rejects")
_NO_DENIAL = listed("limits", "no_denial")
_BE = listed("limits", "be")
_ADMITS = listed("limits", "admits")
_SUMS = listed("limits", "sums")
_LENGTHS = listed("limits", "lengths")
_STOPS = frozenset(".,;:!?()[]\n—") | listed("limits", "stops")
#: Tokens that may stand between these words and the number they apply to.
_OPENS = APPROXIMATE | _BEYOND | _SHORT_OF | _FROM | _TO | _STATES | listed("limits", "opens")
_OPENS |= {"to", "as"}
_CLOSES = listed("limits", "closes") | {"+"}
_NEAR, _BEHIND = 4, 3
_OTHER_SIDE: Mapping[Bound, Bound] = {"min": "max", "max": "min", "": ""}
_OF_TIME, _AHEAD = listed("limits", "of_time"), listed("limits", "ahead")
_FAR = 8  # words from a negation to the distance within which something is forbidden
_LASTING = "for"
_HEAD_REACH = 3


class Limit(NamedTuple):
    """The effect of the words around a number."""

    bound: Bound  # "min" for the lowest value allowed, "max" for the highest, "" for neither
    strict: bool  # whether the number itself is excluded ("over 5")
    approximate: bool  # whether it is hedged
    first: int  # first token of these words or of the number
    after: int  # the token after them
    denials: tuple[int, ...] = ()  # tokens of the negations that reversed the limit


class _Side(NamedTuple):
    """The effect of the words on one side; ``at`` is the first of them, or the token after."""

    bound: Bound
    strict: bool
    at: int
    approximate: bool = False


def limit_at(tokens: Tokens, start: int, after: int) -> Limit | None:
    """The limit made by the words before and after a number, or None."""
    at = _before_age(tokens, start - 1)
    low = tokens.low
    if low[at] == "from" and at < start - 1:
        return Limit("min", False, False, at, after)  # "From the age of six"
    # Most numbers have no such words.
    if not (start and low[at] in _OPENS) and low[after] not in _CLOSES:
        return None
    if tokens.low[at] in {"a", "an", "the"} and tokens.low[at - 1] in APPROXIMATE:
        at -= 1
    approximate = tokens.low[at] in APPROXIMATE or (tokens.low[at] == "to" and tokens.low[at - 1] == "close")
    first = at if approximate else start
    before, behind = _limit_before(tokens, at), _limit_after(tokens, after)
    bound, strict, first, end = before.bound, before.strict, min(first, before.at), behind.at
    if strict and tokens.low[first - 1] in _SLIGHTLY:
        approximate, first = True, first - 1  # "Just under 200" is about 200
    if behind.bound:
        bound, strict = behind.bound, behind.strict
    approximate = approximate or behind.approximate
    if not bound:
        return Limit("", False, approximate, first, end) if first < start or approximate else None
    if tokens.low[first] == "within" and _keeps_away(tokens, first, after):
        return Limit("min", False, approximate, first, end)
    if not (strict or behind.bound):
        # A negated deadline or allowance ("does not reply within 5 days") is not a reversed limit.
        return Limit(bound, strict, approximate, first, end)
    limit = _turned(tokens, Limit(bound, strict, approximate, first, end))
    if tokens.low[first] in _OF_TIME and tokens.low[end] in _AHEAD:
        # "No later than 14 days before" is at least as long before.
        return limit._replace(bound=_OTHER_SIDE[limit.bound])
    return limit


def _before_age(tokens: Tokens, at: int) -> int:
    """The word before "the age of", where that stands before a number: "up to the age of six"."""
    if tokens.low[at] != "of" or tokens.low[at - 1] != "age":
        return at
    return at - 3 if tokens.low[at - 2] == "the" else at - 2


def _bound_of(comparative: str) -> Bound:
    """The limit that a comparative before "than" makes: "stronger than 45"."""
    if comparative in _LESS:
        return "max"
    is_other = comparative.endswith("er") and comparative not in _NO_COMPARATIVES
    return "min" if comparative in _MORE or is_other else ""


def _limit_before(tokens: Tokens, at: int) -> _Side:
    """The effect of the words before a number, the last of them at a token."""
    word, earlier = tokens.low[at], tokens.low[at - 1]
    if word == "than":
        side = _bound_of(earlier)
        return _Side(side, True, at - 1) if side else _Side("", False, at + 1)
    if word in {"least", "most"}:
        opening = at - 2 if earlier == "the" else at - 1
        if tokens.low[opening] != "at":
            return _Side("", False, at + 1)
        return _Side("min" if word == "least" else "max", False, opening)
    if word == "to" and earlier == "equal" and tokens.low[at - 2] == "or":
        opening = at - 4 if tokens.low[at - 3] == "than" else at - 3
        return _Side(_bound_of(tokens.low[opening]), False, opening)
    if word == "to" and earlier == "up" and tokens.low[at - 2] in _SUMS:
        return _Side("", False, at + 1)  # "That adds up to 5" is neither more nor less
    if word == "to" and earlier in {"up", "down", "limited", "capped", "restricted"}:
        # "Drops down to 5" is not a limit, and "works down to 5" includes 5.
        return _Side("" if earlier == "down" else "max", False, at - 1)
    if word == "as" and earlier in _AS_MUCH | _AS_LITTLE and tokens.low[at - 2] == "as":
        side = "max" if earlier in _AS_MUCH else "min"
        return _Side(side if earlier in _COUNTED else "", False, at - 2)  # "As low as 5" includes 5
    if word == "=" and earlier in {"<", ">"} and tokens.glued(at - 1):
        return _Side("max" if earlier == "<" else "min", False, at - 1)
    if word in _BEYOND or word in _SHORT_OF:
        return _Side("min" if word in _BEYOND else "max", True, at)
    if word in _FROM or word in _TO:
        return _Side("min" if word in _FROM else "max", False, at)
    return _head(tokens, at) if word in _STATES else _Side("", False, at + 1)


def _head(tokens: Tokens, at: int) -> _Side:
    """The limit of "maximum of 25", "the minimum age is 18"."""
    for place in range(at - 1, max(-1, at - 2 - _HEAD_REACH), -1):
        word = tokens.low[place]
        if word in _FLOORS or word in _CEILINGS:
            return _Side("min" if word in _FLOORS else "max", False, place)
        if not word.isalpha() or word in _STOPS or tokens.low[at] == "of":
            break
    return _Side("", False, at + 1)


def _limit_after(tokens: Tokens, after: int) -> _Side:
    word, following = tokens.low[after], tokens.low[after + 1]
    if word == "+" and tokens.glued(after - 1):
        return _Side("min", False, after + 1)
    if word in {"or", "and"}:
        if following in _MORE or following in {"above", "over", "up", "upwards"}:
            return _Side("min", False, after + 2)
        if following in _LESS or following in {"below", "under"}:
            return _Side("max", False, after + 2)
        if word == "or" and following == "so":
            return _Side("", False, after + 2, approximate=True)
    if word == "at" and following in {"least", "most", "minimum", "maximum"}:
        return _Side("min" if following in {"least", "minimum"} else "max", False, after + 2)
    if word in {"minimum", "maximum", "max"}:
        return _Side("min" if word == "minimum" else "max", False, after + 1)
    return _Side("", False, after)


def _turned(tokens: Tokens, limit: Limit) -> Limit:
    """The limit, reversed if what lies beyond it is denied or rejected."""
    denials: list[int] = []
    first, after, turns = limit.first, limit.after, 0
    for at in range(first - 1, max(-1, first - 1 - _NEAR), -1):
        word = tokens.low[at]
        if _denies(tokens, at):
            turns, first = turns + 1, at
            denials.append(at)
            break
        if word in _REJECTS:
            turns, first = turns + 1, at
            break
        # One word next to the limit may name the thing: "no files over 25 MB".
        is_named = at == limit.first - 1 and word.isalpha() and word not in _STOPS
        if at == limit.first - 1 and word == _LASTING and limit.strict:
            # "Do not take it for more than five days."
            turned = _denial_before(tokens, at)
            if turned is not None:
                turns, first = turns + 1, turned
                denials.append(turned)
            break
        if not (is_named or word in _BE or word in _ADMITS):
            break
    for at in range(limit.after, min(len(tokens), limit.after + _BEHIND)):
        word = tokens.low[at]
        if _denies(tokens, at):
            turns, after = turns + 1, min(at + 2, len(tokens))
            denials.append(at)
            break
        if word in _REJECTS:
            turns, after = turns + 1, at + 1
            break
        if word not in _BE:
            break
    if turns % 2 == 0:
        return limit
    return Limit(_OTHER_SIDE[limit.bound], not limit.strict, limit.approximate, first, after, tuple(denials))


def _denial_before(tokens: Tokens, at: int) -> int | None:
    """The denial of the verb that a word belongs to: "not" of "do not take it for"."""
    for place in range(at - 1, max(-1, at - 1 - _FAR), -1):
        if _denies(tokens, place):
            return place
        if not tokens.low[place].isalpha():
            break
    return None


def _keeps_away(tokens: Tokens, first: int, after: int) -> bool:
    """Whether the negated verb is about a distance: "do not dig within 1 m of a cable"."""
    if tokens.low[after - 1] not in _LENGTHS or tokens.low[after] not in {"of", "from"}:
        return False
    for at in range(first - 1, max(-1, first - 1 - _FAR), -1):
        if tokens.low[at] in _STOPS:
            return False
        if _denies(tokens, at):
            return True
    return False


def _denies(tokens: Tokens, at: int) -> bool:
    word = tokens.low[at]
    return (word in _NOT or word.endswith("n't")) and tokens.low[at + 1] not in _NO_DENIAL
