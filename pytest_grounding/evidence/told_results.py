"""Values that follow from two of the sources as a claim tells: a time of day, how many times, a share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.arithmetic import Result, are_equal, number_of
from pytest_grounding.evidence.sentence_view import View
from pytest_grounding.lexicon import words
from pytest_grounding.reading.facts import Fact
from pytest_grounding.reading.words import Token, content_stems

_EARLIER = words("matching", "earlier")
_TIME, _SHARE = "time", "%"
_MINUTE, _DAY = 60.0, 1440.0
_MOST = 24  # values of one kind of a chunk that are combined with another one
#: Sentences between a time of day and what is added to it, at most.
_APART = 1
#: "Half as loud as", "three times as high as": how many times one thing is the other.
_AS_MUCH = lazy(r"\b(half|twice|\w{1,9} times) as (\w{2,20}) as\b")
_OF_THEM = lazy(r"\sof\s(?:them|these|those|which|whom)\b")


def told_result(fact: Fact, claim: View, sources: Sequence[View]) -> Result | None:
    """Two values of the sources from which a value follows, as the claim's own words tell how."""
    if fact.kind == _TIME:
        return _clock_time(fact, claim, sources)
    if fact.value is None or fact.value != fact.high or fact.bound:
        return None
    return _times_as_much(fact, claim, sources) or _counted_share(fact, sources)


def _clock_time(fact: Fact, claim: View, sources: Sequence[View]) -> Result | None:
    """A time of day with a duration added or taken off."""
    own = {other.value for other in claim.facts if other.kind == _TIME and other.value != fact.value}
    for chunk, view in enumerate(sources):
        for start, at in islice(_facts_of(view, _TIME), _MOST):
            if own and start.value not in own:
                # "The 8:20 boat arrives at …" is reckoned from 8:20.
                continue
            for span, place in islice(_facts_of(view, "duration"), _MOST):
                if abs(view.sentence_of[at] - view.sentence_of[place]) > _APART or span.unit != "s":
                    continue
                minutes = number_of(span) / _MINUTE
                spoken = {*claim.norms, *(token.norm for token in _tokens_beside(view, place))}
                sign = 1 if _EARLIER.isdisjoint(spoken) else -1
                if are_equal((number_of(start) + sign * minutes) % _DAY, fact.value):
                    return Result(chunk, at, (start.text, span.text))
    return None


def _facts_of(view: View, kind: str) -> Iterator[tuple[Fact, int]]:
    for fact, at in zip(view.facts, view.fact_at, strict=True):
        if fact.kind == kind and fact.value is not None and fact.value == fact.high:
            yield fact, at


def _tokens_beside(view: View, place: int) -> list[Token]:
    """The words of the sentence of a word."""
    number = view.sentence_of[place]
    return [
        token for token, sentence in zip(view.tokens, view.sentence_of, strict=True) if sentence == number
    ]


def _times_as_much(fact: Fact, claim: View, sources: Sequence[View]) -> Result | None:
    """How many times one thing is another, turned round: "half as loud as" for "twice as loud as"."""
    said = _AS_MUCH.search(claim.text.lower())
    if said is None or not said.start() <= fact.start < said.end():
        return None
    before, after = content_stems(claim.text[: said.start()]), content_stems(claim.text[said.end() :])
    for chunk, view in enumerate(sources):
        text = view.text.lower()
        for other, at in zip(view.facts, view.fact_at, strict=True):
            match = _AS_MUCH.match(text, other.start)
            if match is None or match[2] != said[2] or not are_equal(_factor(fact) * _factor(other), 1.0):
                continue
            own = _tokens_beside(view, at)
            first = content_stems(view.text[own[0].start : match.start()])
            second = content_stems(view.text[match.end() : own[-1].end])
            if (before - first) & second and (after - second) & first:
                return Result(chunk, at, (other.text,))
    return None


def _factor(fact: Fact) -> float:
    return number_of(fact) / 100 if fact.unit == _SHARE else number_of(fact)


def _counted_share(fact: Fact, sources: Sequence[View]) -> Result | None:
    """A share of a count that a source tells by two counts: half for "eight …, four of them"."""
    if fact.unit != _SHARE or fact.per:
        return None
    for chunk, view in enumerate(sources):
        text, counts = view.text.lower(), list(_facts_of(view, "number"))[:_MOST]
        for part, at in counts:
            if _OF_THEM.match(text, part.end) is None:
                continue
            for whole, place in counts:
                is_beside = view.sentence_of[at] - view.sentence_of[place] <= _APART and place < at
                if is_beside and are_equal(number_of(part) * 100 / (number_of(whole) or 1.0), fact.value):
                    return Result(chunk, at, (part.text, whole.text))
    return None
