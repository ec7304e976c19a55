"""Words that point at the sources ("According to passage 2, …"), which are no part of a statement."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding._patterns import lazy
from pytest_grounding.lexicon import words as listed
from pytest_grounding.lexicon.patterns import pattern

SOURCE_WORDS = listed("refusals", "sources")
_OPENS = pattern("attribution", "opens")
_LEAD_IN = pattern("attribution", "lead_in")
_REPORT = pattern("attribution", "report")
_TAIL = pattern("attribution", "tail")
_ANNOUNCEMENT = pattern("attribution", "announcement")
# What stands before the colon of "Genetics: According to passage 1, …".
_LABEL = lazy(r"[^:.,;!?()]{1,60}:[ ](?=\S)")
# Attribution stands within this many characters of the end.
_REACH = 160


def strip_attribution(sentence: str, words: Sequence[str] | None = None) -> str:
    """A sentence without the words that say which sources it comes from."""
    if words is not None and "here" not in words[:3] and SOURCE_WORDS.isdisjoint(words):
        return sentence
    announced = _ANNOUNCEMENT.match(sentence)
    if announced is not None:
        sentence = sentence[announced.end() :]
    label = _LABEL.match(sentence)
    head = label[0] if label is not None else ""
    rest = sentence[len(head) :]
    # The short pattern first: the long ones take ten milliseconds to compile.
    for first, then in ((_OPENS, _LEAD_IN), (None, _REPORT)):
        match = then.match(rest) if first is None or first.match(rest) is not None else None
        if match is not None:
            rest = rest[match.end() :]
    if rest[:1].islower() and sentence[len(head) : len(head) + 1].isupper():
        rest = rest[0].upper() + rest[1:]
    tail = _TAIL.search(rest, max(0, len(rest) - _REACH))
    if tail is not None:
        rest = rest[: tail.start()] + rest[tail.end() :]
    return (head + rest).strip() if rest else ""


def is_bare_attribution(sentence: str) -> bool:
    """Whether a sentence holds nothing but an attribution ("Based on the passages provided:")."""
    if len(sentence) >= _REACH or _OPENS.match(sentence) is None:
        return False
    return _LEAD_IN.fullmatch(sentence.rstrip(" .:,") + ", ") is not None
