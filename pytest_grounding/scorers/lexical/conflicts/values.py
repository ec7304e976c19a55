"""Numbers, units, dates, times and ordinals that differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pytest_grounding._patterns import lazy
from pytest_grounding.scorers.lexical.conflicts.arithmetic import place_of_result
from pytest_grounding.scorers.lexical.conflicts.contest import Contest, Place
from pytest_grounding.scorers.lexical.conflicts.readings import (
    is_denied,
    is_the_only,
    kind_of,
    stance,
)
from pytest_grounding.scorers.lexical.conflicts.sources import VALUES, numbers_in
from pytest_grounding.scorers.lexical.conflicts.strangers import (
    MEASURES,
    has_equal_value,
    is_twin,
    nearest_date,
    strange_parts,
)
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.text.facts import Fact, comparable, compatible

_LEADING = lazy(r"[^\d]*(\d[\d.,]*)")
_SEPARATOR = lazy(r"([.,])")
_COUNTS = frozenset({"number", "ordinal"})
#: Facts of a claim that are compared; beyond them is a table or an attack.
_MOST_OF_CLAIM = 40
#: "401(k)", "401k": part of a name.
_LETTERED = lazy(r"\(?[a-z]\b(?!['’])")
#: Words before a number that make it a label of the answer's own: "passage 2", "step 3".
_LABELS = frozenset(
    {"passage", "passages", "step", "source", "document", "context", "paragraph", "chunk", "tip", "item"}
)


class Found(NamedTuple):
    """A rival of words of the claim.

    Attributes:
        kind: kind of conflict.
        start: offset of the claim's words.
        end: one past their last character.
        chunk: number of the chunk.
        word: number of the rival's first word.
        rival_start: offset of the rival in its chunk.
        rival_end: one past its last character.
        strength: how well it is bound, in [0, 1].
        cover: how much of the claim the rival's sentence holds, in [0, 1].
        doubts: reasons that the finder knows for which this may be none; `frames.DOUBTS` tells them.
    """

    kind: str
    start: int
    end: int
    chunk: int
    word: int
    rival_start: int
    rival_end: int
    strength: float
    cover: float
    doubts: tuple[str, ...] = ()


def value_conflicts(contest: Contest) -> Iterator[Found]:
    """Values of the claim against which a value of a chunk stands, bound to the same words."""
    claim = contest.claim
    values = [(fact, at, claim.end_of(fact, at)) for fact, at in claim.facts_of(VALUES, _MOST_OF_CLAIM)]
    for fact, at, last in values:
        if _is_label(contest, fact, at) or _restates(claim.facts, fact):
            continue
        found = _against(contest, fact, (at, last), [value for value in values if value[0] is not fact])
        if found is not None:
            yield found


def _is_label(contest: Contest, fact: Fact, at: int) -> bool:
    """Whether a number counts the answer's own parts: "1." at its start, "passage 2"."""
    text = contest.claim.text
    if fact.kind == "ordinal" and fact.text.isalpha():
        after = contest.claim.tokens[at + 1].norm if at + 1 < len(contest.claim.tokens) else ""
        return text[fact.end : fact.end + 1] == "," or after in _LABELS
    if fact.kind != "number":
        return False
    if _LETTERED.match(text, fact.end):
        return True
    if fact.start <= 3 and text[fact.end : fact.end + 1] in {".", ")", ":"}:
        return True
    return at > 0 and contest.claim.tokens[at - 1].norm in _LABELS


def _restates(facts: list[Fact], fact: Fact) -> bool:
    """Whether a value converts the one right before it: "56 °F (13 °C)"."""
    return any(
        other is not fact
        and 0 <= fact.start - other.end <= 2
        and (compatible(fact, other) or (comparable(fact, other) and has_equal_value(fact, other)))
        for other in facts
    )


def _heads(view: View, first: int, last: int) -> set[str]:
    """Stems of the content words next to a value: two after it, one before."""
    tokens, own = view.tokens, view.sentence_of[first]
    found: set[str] = set()
    at, left = last + 1, 2
    while at < len(tokens) and at <= last + 4 and left and view.sentence_of[at] == own:
        if not tokens[at].is_stop:
            found.add(tokens[at].stem)
            left -= 1
        at += 1
    at = first - 1
    while at >= 0 and at >= first - 2 and view.sentence_of[at] == own:
        if not tokens[at].is_stop:
            found.add(tokens[at].stem)
            break
        at -= 1
    return found


class _Rival(NamedTuple):
    """A value of a chunk that stands against one of the claim.

    Attributes:
        strength: how well it is bound, in [0, 1].
        place: where it stands.
        fact: what it says.
        doubts: reasons for which it may be none.
    """

    strength: float
    place: Place
    fact: Fact
    doubts: tuple[str, ...] = ()


class _Survey(NamedTuple):
    """What the chunks give beside a value of the claim.

    Attributes:
        ally: how well a value that agrees is bound, at best.
        allies: sentences that hold one, as (chunk, sentence).
        best: the rival that is bound best.
        twin: the same number with another unit, bound best.
        is_given: whether the value itself is among those that agree.
    """

    ally: float
    allies: set[tuple[int, int]]
    best: _Rival | None
    twin: _Rival | None
    is_given: bool


def _survey(
    contest: Contest,
    fact: Fact,
    words: tuple[int, int],
    own: list[tuple[Fact, int, int]],
    numbers: tuple[str, ...],
) -> _Survey:
    ally = 0.0
    allies: set[tuple[int, int]] = set()
    best: _Rival | None = None
    twin: _Rival | None = None
    is_given = False
    is_measure = fact.kind in MEASURES
    denied = is_denied(contest.claim, fact, words[0])
    for other, place, sentence, theirs in contest.sources.values:
        if is_measure and other.kind in MEASURES and is_twin(fact, numbers, other, theirs):
            strength = contest.bind(*words, place)
            if twin is None or strength > twin.strength:
                twin = _Rival(strength, place, other)
        view = contest.chunks[place.chunk]
        found = stance(fact, contest.claim, other, view, has_same_numbers=numbers == theirs)
        agrees = found == "ally"
        is_given = is_given or found == "near"
        if found is None or (agrees and _counts_another(contest, fact, words[0], other, place)):
            continue
        if not agrees and best and contest.local(*words, *sentence) <= best[0]:
            # Nothing in its sentence is bound better: most pairs of two long tables end here.
            continue
        strength = contest.bind(*words, place)
        is_other = denied != is_denied(view, other, place.word)
        if agrees and not is_other:
            is_given = is_given or has_equal_value(fact, other)
            ally = max(ally, strength + 0.05)
            allies.add(sentence)
            continue
        if is_other and not agrees:
            # "Only 2.4 GHz" and "5 GHz are not supported" say the same.
            is_given = is_given or (denied and is_the_only(view, other, place.word))
            continue
        if best is not None and strength <= best.strength:
            continue
        if any(
            compatible(other, mine) and contest.bind(first, end, place) >= strength
            for mine, first, end in own
        ):
            # A value that the claim gives too, of what stands there, is no rival.
            continue
        # A bare number is said of the word next to it.
        is_count = fact.kind in _COUNTS or other.kind in _COUNTS
        doubts = ("near",) if found == "near" else ()
        if is_count and not _share_a_head(contest, words, other, place):
            doubts = (*doubts, "other_head")
        best = _Rival(strength, place, other, doubts)
    return _Survey(ally, allies, best, twin, is_given)


def _counts_another(contest: Contest, fact: Fact, at: int, other: Fact, place: Place) -> bool:
    """Whether of two equal numbers one has a unit and the other counts things: "14 days", "14 characters"."""
    if (fact.kind == "number") == (other.kind == "number") or not {fact.kind, other.kind} & MEASURES:
        return False
    if fact.kind == "number":
        return _counts(contest.claim, fact, at)
    return _counts(contest.chunks[place.chunk], other, place.word)


def _counts(view: View, fact: Fact, at: int) -> bool:
    """Whether right behind a number stands a plural, and behind that no further word of the same thing."""
    tokens, noun = view.tokens, view.end_of(fact, at) + 1
    if noun >= len(tokens) or view.text[fact.end : tokens[noun].start] != " ":
        return False
    word = tokens[noun]
    if word.is_stop or not word.norm.endswith("s") or word.stem == word.norm:
        return False
    if noun + 1 == len(tokens):
        return True
    # "14 business days": the first word only tells of the second.
    return tokens[noun + 1].is_stop or view.text[word.end : tokens[noun + 1].start] != " "


def _share_a_head(contest: Contest, words: tuple[int, int], other: Fact, place: Place) -> bool:
    """Whether a value of the claim and one of a chunk have a word next to them in common."""
    view = contest.chunks[place.chunk]
    theirs = _heads(view, place.word, view.end_of(other, place.word))
    return not theirs.isdisjoint(_heads(contest.claim, *words))


def _against(
    contest: Contest, fact: Fact, words: tuple[int, int], own: list[tuple[Fact, int, int]]
) -> Found | None:
    numbers = numbers_in(fact.text)
    ally, allies, best, twin, is_given = _survey(contest, fact, words, own, numbers)
    if ally == 0.0 and not is_given and _is_result(contest, fact):
        return None
    if twin is not None and not is_given and (best is None or twin.strength >= best.strength):
        # The claim's number is given with another unit only.
        return _found(contest, "unit", fact, twin)
    if ally == 0.0 and best is None:
        return None if is_given else _strange_date(contest, fact, words)
    if best is None or best.strength <= ally or _stands_spaced(contest, fact):
        return None
    if (best.place.chunk, contest.sentence_of(best.place)) in allies:
        # The rival's own sentence gives the claim's value too.
        return None
    known = (*best.doubts, "given") if is_given else best.doubts
    return _found(contest, kind_of(fact, best.fact, numbers), fact, best._replace(doubts=known))


def _found(contest: Contest, kind: str, fact: Fact, rival: _Rival) -> Found:
    """The candidate that a value of the claim and its rival make."""
    strength, place, other, doubts = rival
    cover = contest.cover(place.chunk, contest.sentence_of(place))
    ours, theirs = (fact.start, fact.end), (other.start, other.end)
    if kind != "unit" and fact.value == other.value:
        # What is said of the number makes the difference, and has to be shown with it.
        ours, theirs = (fact.lead, fact.tail), (other.lead, other.tail)
    return Found(kind, *ours, *place, *theirs, strength, cover, doubts)


def _is_result(contest: Contest, fact: Fact) -> bool:
    """Whether a value follows from two others by arithmetic: the chunks say it, in parts."""
    return place_of_result(fact, contest.claim, contest.chunks) is not None


def _stands_spaced(contest: Contest, fact: Fact) -> bool:
    """Whether a chunk holds a number as some corpora print it: "1, 056" for 1,056, "31. 8" for 31.8."""
    match = _LEADING.match(fact.text)
    spaced = _SEPARATOR.sub(r"\1 ", match[1].rstrip(".,")) if match else ""
    return " " in spaced and any(spaced in index.text for index in contest.indexes)


def _strange_date(contest: Contest, fact: Fact, words: tuple[int, int]) -> Found | None:
    """A date with a part that no chunk gives, against the date that shares another part with it."""
    if fact.kind != "date" or not strange_parts(contest, fact):
        return None
    near = nearest_date(contest, fact, words)
    return None if near is None else _found(contest, "date", fact, _Rival(*near))
