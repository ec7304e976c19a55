"""Numbers of a claim that look given and are not: by the question alone, or with another unit.

Words of a question need no evidence: who asks about 45 days may be told something of 45 days. But "Yes,
refunds take 45 days" is no echo where the sources say 14. And whoever says "30 days" has not said "$30".
"""

from __future__ import annotations

from bisect import bisect_left

from pytest_grounding._patterns import lazy
from pytest_grounding.lexicon import words
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.scorers.lexical.align import Alignment
from pytest_grounding.scorers.lexical.conflicts.readings import MEASURES, stance
from pytest_grounding.scorers.lexical.conflicts.sources import numbers_in
from pytest_grounding.scorers.lexical.conflicts.view import View, view_of_chunk, view_of_claim
from pytest_grounding.scorers.lexical.numbers import where_said
from pytest_grounding.scorers.lexical.tokens import Token, tokenize
from pytest_grounding.scorers.lexical.wordlists import NEGATIONS
from pytest_grounding.text.facts import Fact, comparable

_NOTHING: frozenset[str] = frozenset()
#: Kinds of values of which none measures what another one does.
_APART = MEASURES | {"date", "time", "ordinal"}
#: Places of a number that are looked at; more of them make a table.
_MOST_PLACES = 20
_UNIT = lazy(r"[^\W\d_]+|[$€£¥₹%°]")
#: A question that begins like this asks whether its own value is right.
_CONFIRM = pattern("matching", "confirms")
#: With these a claim weighs a value instead of stating it: "if it is 45 days", "45 days are too long".
_WEIGHED = words("matching", "weighed")
#: Behind one of these a day or an hour is stated: "opened in 1902".
_BEFORE_TIMES = words("dates", "hour_before") | words("dates", "year_before") | words("dates", "day_before")


def rivalled(alignment: Alignment, question: str) -> frozenset[str]:
    """Stems of the numbers of a claim that only the question gives, and the best evidence gives otherwise.

    Args:
        alignment: the claim against the chunks.
        question: the question.
    """
    given, quality = alignment.given, alignment.quality
    lost = {
        stem
        for _, _, stem, _, _, _, is_number, _ in alignment.content
        if is_number and stem in given and stem not in quality
    }
    if not lost or not alignment.held:
        return _NOTHING
    words = {token.norm for token in alignment.tokens}
    if not (words.isdisjoint(NEGATIONS) and words.isdisjoint(_WEIGHED)):
        return _NOTHING
    own = view_of_claim(alignment.claim, tokenize(alignment.claim))
    confirms = _CONFIRM.search(question.lower()) is not None
    found = set()
    for fact in own.facts:
        inside = {t.stem for t in alignment.content if fact.start < t.end and t.start < fact.end} & lost
        if not inside or fact.value is None or not (fact.kind in MEASURES or confirms):
            continue
        if any(other is not fact and comparable(fact, other) for other in own.facts):
            # "45 days is more than the 14 days that …" compares.
            continue
        if _is_rivalled(fact, own, alignment, needs_rival=not (confirms and _is_told(fact, own))):
            found |= inside
    return frozenset(found)


def _is_rivalled(fact: Fact, own: View, alignment: Alignment, *, needs_rival: bool) -> bool:
    """Whether the sentence that backs a claim best gives another value, and no chunk gives this one.

    Args:
        fact: the value of the claim.
        own: the claim.
        alignment: the claim against the chunks.
        needs_rival: whether another value must stand there. Who asks whether a limit is 500 euros is not told
            so by a text that names no amount.
    """
    context = alignment.context
    most = max(alignment.held.values())
    best = {sentence for sentence, weight in alignment.held.items() if weight == most}
    numbers = numbers_in(fact.text)
    is_other = not needs_rival
    for index, offset in zip(context.indexes, context.offset, strict=True):
        view = view_of_chunk(index)
        for other, at in zip(view.facts, view.fact_at, strict=True):
            if other.value is None:
                continue
            found = stance(fact, own, other, view, has_same_numbers=numbers == numbers_in(other.text))
            if found in ("ally", "near"):
                return False
            if view.sentence_of[at] + offset in best and not is_other:
                is_count = fact.kind == "number"
                is_other = _is_another(fact, own, other, view) if is_count else found == "rival"
                # "30 dollars" beside "$20 a month".
                is_other = is_other or (found is None and fact.kind == other.kind == "money")
    return is_other


def _is_told(fact: Fact, own: View) -> bool:
    """Whether a claim states a value; "version 3" and "the 2021 report" are what it speaks of."""
    if fact.kind in MEASURES:
        return True
    at = bisect_left(own.tokens, fact.start, key=lambda token: token.start)
    if fact.kind in ("date", "time"):
        return at > 0 and own.tokens[at - 1].norm in _BEFORE_TIMES
    following = own.tokens[at + 1] if at + 1 < len(own.tokens) else None
    return (
        fact.kind == "number"
        and following is not None
        and not following.is_stop
        and following.norm[-1:] == "s"
    )


def _is_another(fact: Fact, own: View, other: Fact, source: View) -> bool:
    """Whether two bare numbers count the same things: "100 requests", "60 requests per minute"."""
    nouns = []
    for one, view in ((fact, own), (other, source)):
        at = bisect_left(view.tokens, one.end, key=lambda token: token.start)
        nouns.append(view.tokens[at].stem if at < len(view.tokens) else "")
    return fact.value != other.value and bool(nouns[0]) and nouns[0] == nouns[1]


def otherwise_measured(alignment: Alignment) -> frozenset[str]:
    """Stems of the numbers of a claim that the chunks give of nothing but other units and dates.

    Args:
        alignment: the claim against the chunks.
    """
    quality, given = alignment.quality, alignment.given
    if not [
        stem
        for text, _, stem, *_ in alignment.content
        if text[0].isdigit() and stem in quality and stem not in given
    ]:
        return _NOTHING
    own = view_of_claim(alignment.claim, tokenize(alignment.claim))
    found = set()
    for fact in own.facts:
        if fact.value is None or fact.kind not in MEASURES:
            continue
        # "Two of those years" is said in so many ways that words for numbers prove nothing here.
        inside = [
            token
            for token in alignment.content
            if token.text[0].isdigit() and fact.start <= token.start and token.end <= fact.end
        ]
        if len(inside) != 1 or inside[0].stem in alignment.given:
            continue
        if not (
            _is_measured_so(inside[0], fact, own, alignment)
            or where_said(fact, alignment.claim, alignment.context.indexes)
        ):
            found.add(inside[0].stem)
    return frozenset(found)


def _is_measured_so(number: Token, fact: Fact, own: View, alignment: Alignment) -> bool:
    """Whether a number of a claim stands somewhere as what the claim says, or as nobody knows what."""
    numbers, lead = numbers_in(fact.text), number.start - fact.start
    there = [
        (index, places[:_MOST_PLACES])
        for index in alignment.context.indexes
        if (places := index.positions.get(number.stem))
    ]
    for index, places in there:
        # Mostly the same words stand there, and nothing has to be read.
        if any(index.text.startswith(fact.text, max(0, index.tokens[at].start - lead)) for at in places):
            return True
    for index, places in there:
        view = view_of_chunk(index)
        for place in places:
            token = index.tokens[place]
            over = [other for other in view.facts if other.start < token.end and token.start < other.end]
            if not over:
                return True
            for other in over:
                found = stance(fact, own, other, view, has_same_numbers=numbers == numbers_in(other.text))
                if found in ("ally", "near") or (found is None and other.kind not in _APART):
                    return True
                if not _units(fact).isdisjoint(_units(other)):
                    # "Over 400 inches" and "up to 400 inches" differ in something else.
                    return True
    return not there


def _units(fact: Fact) -> frozenset[str]:
    """The words and signs of a value but its number, in singular."""
    return frozenset(word.rstrip("s") for word in _UNIT.findall(fact.text.lower()))
