"""Numbers, units, dates, times and ordinals that differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pytest_grounding._patterns import lazy
from pytest_grounding.scorers.lexical.conflicts.contest import Contest, Place
from pytest_grounding.scorers.lexical.conflicts.readings import (
    is_denied,
    is_the_only,
    kind_of,
    leaves_out_period,
    place_of_sum,
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
#: A rival that is bound less says nothing.
_WEAK = 0.35
_SAME_DIGITS = 0.2
#: Facts of a claim that are compared; beyond them is a table or an attack.
_MOST_OF_CLAIM = 40
_SAME_SENTENCE = 0.15
_SURE, _UNSURE = 0.65, 0.44
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
        doubts: how many reasons the finder knows for which this may be none.
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
    doubts: int = 0


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


class _Survey(NamedTuple):
    """What the chunks give beside a value of the claim.

    Attributes:
        ally: how well a value that agrees is bound, at best.
        allies: sentences that hold one, as (chunk, sentence).
        best: the rival that is bound best: strength, place, value.
        twin: the same number with another unit, likewise.
        is_given: whether the value itself is among those that agree.
    """

    ally: float
    allies: set[tuple[int, int]]
    best: tuple[float, Place, Fact] | None
    twin: tuple[float, Place, Fact] | None
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
    best: tuple[float, Place, Fact] | None = None
    twin: tuple[float, Place, Fact] | None = None
    is_given = False
    is_measure = fact.kind in MEASURES
    denied = is_denied(contest.claim, fact, words[0])
    for other, place, sentence, theirs in contest.sources.values:
        if is_measure and other.kind in MEASURES and is_twin(fact, numbers, other, theirs):
            strength = contest.bind(*words, place)
            if twin is None or strength > twin[0]:
                twin = strength, place, other
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
        if found == "near":
            strength = min(strength, _UNSURE)
        elif fact.value == other.value and fact.bound and other.bound:
            # The same edge from the other side is hardly chance.
            strength = min(1.0, strength + _SAME_DIGITS)
        if (fact.kind in _COUNTS or other.kind in _COUNTS) and not _share_a_head(
            contest, words, other, place
        ):
            # A bare number is said of the word next to it.
            strength *= 0.6
        if (best is None or strength > best[0]) and not any(
            compatible(other, mine) and contest.bind(first, end, place) >= strength
            for mine, first, end in own
        ):
            # A value that the claim gives too, of what stands there, is no rival.
            best = strength, place, other
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
    if ally == 0.0 and not is_given and _is_sum(contest, fact):
        return None
    is_weak = best is None or best[0] < _WEAK
    if twin is not None and not is_given and (is_weak or (best is not None and best[2] is twin[2])):
        # The claim's number is given with another unit only.
        strength, place, other = twin
        cover = contest.cover(place.chunk, contest.sentence_of(place))
        strength = min(1.0, strength + _SAME_DIGITS)
        return Found("unit", fact.start, fact.end, *place, other.start, other.end, strength, cover)
    if ally == 0.0 and is_weak and is_given:
        return None
    if ally == 0.0 and is_weak:
        return _unknown(contest, fact, words, numbers)
    if (
        best is None
        or best[0] <= ally + _same_sentence(contest, best[1], allies)
        or _stands_spaced(contest, fact)
    ):
        return None
    strength, place, other = best
    kind = kind_of(fact, other, numbers)
    if is_given:
        # Some source gives the value, if not of this: only nearly the same words make that an error.
        strength = strength if strength >= _SURE else min(strength, _UNSURE)
    if kind == "unit" and not leaves_out_period(fact, other):
        # The same digits twice are hardly chance.
        strength = min(1.0, strength + _SAME_DIGITS)
    cover = contest.cover(place.chunk, contest.sentence_of(place))
    ours, theirs = (fact.start, fact.end), (other.start, other.end)
    if fact.value == other.value:
        # What is said of the number makes the difference, and has to be shown with it.
        ours, theirs = (fact.lead, fact.tail), (other.lead, other.tail)
    return Found(kind, *ours, *place, *theirs, strength, cover)


def _is_sum(contest: Contest, fact: Fact) -> bool:
    """Whether a value is the sum of two of a chunk: it is said there, in parts."""
    return place_of_sum(fact, contest.claim, contest.chunks) is not None


def _same_sentence(contest: Contest, place: Place, allies: set[tuple[int, int]]) -> float:
    """How much better a rival must be bound where its own sentence gives the claim's value too."""
    return _SAME_SENTENCE if (place.chunk, contest.sentence_of(place)) in allies else 0.0


def _stands_spaced(contest: Contest, fact: Fact) -> bool:
    """Whether a chunk holds a number as some corpora print it: "1, 056" for 1,056, "31. 8" for 31.8."""
    match = _LEADING.match(fact.text)
    spaced = _SEPARATOR.sub(r"\1 ", match[1].rstrip(".,")) if match else ""
    return " " in spaced and any(spaced in index.text for index in contest.indexes)


def _unknown(contest: Contest, fact: Fact, words: tuple[int, int], numbers: tuple[str, ...]) -> Found | None:
    """A value that no chunk gives, with nothing comparable against it: the best sentence lacks it."""
    if fact.kind == "date":
        if not strange_parts(contest, fact):
            return None
        near = nearest_date(contest, fact, words)
        if near is not None:
            strength, place, other = near
            cover = contest.cover(place.chunk, contest.sentence_of(place))
            return Found("date", fact.start, fact.end, *place, other.start, other.end, strength, cover)
    elif fact.kind != "time":
        if fact.kind in {"number", "ordinal"} and (fact.value or 0.0) < 3:
            return None
        parts = "-".join(numbers).split("-")
        if all(len(part) < 2 or contest.sources.holds(part) for part in parts):
            return None
    best = contest.best_sentences(1)
    if not best:
        return None
    chunk, sentence = best[0]
    start, end = contest.indexes[chunk].sentences[sentence]
    cover = contest.cover(chunk, sentence)
    word = contest.bounds(chunk, sentence)[0]
    kind = "new_date" if fact.kind in {"date", "time"} else "new_number"
    return Found(kind, fact.start, fact.end, chunk, word, start, end, cover, cover)
