"""Values that a source replaces by others: "raised from 300 to 500", an erratum, "until … since …"."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.lazy_values import kept_with_owner
from pytest_grounding.evidence.ledger_sources import LedgerSources, typed_values
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.evidence.statements import words_of_claim
from pytest_grounding.evidence.token_index import ChunkIndex
from pytest_grounding.lexicon import alternation, words
from pytest_grounding.model.claim_fact import FactType
from pytest_grounding.reading.facts import Fact, compatible
from pytest_grounding.reading.words import content_stems

_POINTS = frozenset({"date", "time"})
#: With these a claim speaks of what was: "was 300 before".
_PAST, _AMENDED = words("superseded", "past"), words("superseded", "amended")
_CHANGING = alternation("superseded", "changing")
_FROM_TO = lazy(rf"(?i)\b(?:{_CHANGING})\b[^.;\n]{{0,60}}?\bfrom (?P<old>[^.;\n]{{1,60}}?) to (?=\S)")
_NEW_FROM = lazy(
    r"(?i)(?P<new>\b[^;\n]{1,40})\b(?:up|down) from (?P<old>\S+(?: [a-z]+)?)(?P<told>[^.;,\n]{0,30})"
)
_BEFORE = lazy(rf"(?i)\b(?:{alternation('superseded', 'before')})\b")
_AFTER = lazy(rf"(?i)\b(?:{alternation('superseded', 'after')})\b")
_CORRECTED = lazy(rf"(?i)\b(?:{alternation('superseded', 'corrected')})\b")
_TAKEN_BACK = lazy(rf"(?i)(?:^|[.!?…–—-] ?)(?:{alternation('superseded', 'taken back')})\b")
_NEW = lazy(r"[^;.\n]{0,60}(?:\.\d[^;.\n]{0,20})?")  # what may stand behind "from 300 to"
#: Changes of a chunk, and values before or after one, that are compared.
_MOST_CHANGES, _MOST_VALUES = 20, 40


@dataclass(frozen=True, slots=True)
class _Stretches:
    """A stretch of a chunk whose values another stretch replaces."""

    old: range
    new: range
    is_mistake: bool
    told: frozenset[str] = frozenset()  # what stands behind the old value: "140 kg at his heaviest"


@dataclass(frozen=True, slots=True)
class _Change:
    """Values of a chunk that other ones replace."""

    stretch: range  # where the old ones stand
    old: tuple[Fact, ...]
    new: tuple[Fact, ...]
    is_mistake: bool  # whether the old ones never held
    told: frozenset[str]  # words with which a claim speaks of the old ones


def superseded_of(text: str, sources: LedgerSources) -> Iterator[Settled]:
    """The values of a claim that its source replaces, given as if they held; English only."""
    facts = typed_values(text) if sources.language == "en" else ()
    if not facts:
        return
    said = words_of_claim(text)
    if said.is_denying:
        return
    stems = frozenset(token.stem for token in said.tokens if not token.is_number)
    is_past, is_amended = said.has(_PAST), said.has(_AMENDED)
    for chunk, index in enumerate(sources.context.indexes):
        for change in _changes(index):
            is_said = is_amended if change.is_mistake else is_past or not change.told.isdisjoint(stems)
            found = None if is_said else _replaced_value(facts, change, chunk, sources)
            if found is not None:
                yield found
                return


def _replaced_value(
    facts: Sequence[Fact], change: _Change, chunk: int, sources: LedgerSources
) -> Settled | None:
    """The first value of a claim that the old ones alone have, where the claim has none of the new ones."""
    if any(_is_new(fact, change) for fact in facts):
        return None
    for fact in facts:
        rivals = [value for value in change.new if _may_rival(fact, value) and not compatible(fact, value)]
        if not rivals or not _is_among(fact, change.old) or _is_among(fact, change.new):
            continue
        outside = [one for one in sources.values_like(fact, chunk) if one.start not in change.stretch]
        if not _is_among(fact, outside):
            place = Place(chunk, rivals[0].start, rivals[0].end)
            kind: FactType = "point_in_time" if fact.kind in _POINTS else "quantity"
            return Settled(kind, fact.start, fact.end, Outcome("elsewhere", place, nearest=rivals[0].text))
    return None


def _is_new(fact: Fact, change: _Change) -> bool:
    """Whether a value of the kind of the old ones is a new one."""
    is_of_kind = any(_may_rival(fact, value) for value in change.old)
    return is_of_kind and _is_among(fact, change.new) and not _is_among(fact, change.old)


def _is_among(fact: Fact, values: Sequence[Fact]) -> bool:
    return any(compatible(fact, value) for value in values)


def _may_rival(fact: Fact, value: Fact) -> bool:
    """Whether two values may stand in one place; the unit of the second may be left out: "no, eighty"."""
    is_of_unit = value.unit in (fact.unit, "") and value.kind != "ordinal"
    return is_of_unit and (fact.kind in _POINTS) == (value.kind in _POINTS)


@kept_with_owner
def _changes(index: ChunkIndex) -> tuple[_Change, ...]:
    stretches = islice(
        chain(_changed_in_a_sentence(index.text), _in_turn(index), _mended(index)), _MOST_CHANGES
    )
    values = list(_ends_of(typed_values(index.text)))
    starts = [value.start for value in values]
    return tuple(_change_of(stretch, values, starts) for stretch in stretches)


def _change_of(stretch: _Stretches, values: Sequence[Fact], starts: Sequence[int]) -> _Change:
    old, new = (
        tuple(values[bisect_left(starts, one.start) : bisect_left(starts, one.stop)][-_MOST_VALUES:])
        for one in (stretch.old, stretch.new)
    )
    return _Change(stretch.old, old, new, stretch.is_mistake, stretch.told)


def _ends_of(values: Sequence[Fact]) -> Iterator[Fact]:
    """Values, each end of a range by itself: "from 300 to 500" may be read as one."""
    for value in values:
        if value.value == value.high or value.kind in _POINTS:
            yield value
            continue
        yield value._replace(high=value.value)
        last = value.text.rpartition(" ")[0].rfind(" to ") + len(" to ") if " to " in value.text else 0
        yield value._replace(value=value.high, start=value.start + last, text=value.text[last:])


def _changed_in_a_sentence(text: str) -> Iterator[_Stretches]:
    """Changes in one sentence: "raised from 300 to 500", "82 kg, down from 140"."""
    for match in _FROM_TO.finditer(text):
        new = _NEW.match(text, match.end())
        if new is not None:
            yield _Stretches(range(*match.span("old")), range(*new.span()), is_mistake=False)
    for match in _NEW_FROM.finditer(text):
        told = content_stems(match["told"])
        yield _Stretches(range(*match.span("old")), range(*match.span("new")), is_mistake=False, told=told)


def _in_turn(index: ChunkIndex) -> Iterator[_Stretches]:
    """A sentence for what was, and the next one for what is: "until May … since June"."""
    for (start, end), (first, last) in zip(index.sentences, index.sentences[1:], strict=False):
        is_before = _BEFORE.search(index.text, start, end) is not None
        if is_before and _AFTER.search(index.text, first, last) is not None:
            yield _Stretches(range(start, end), range(first, last), is_mistake=False)


def _mended(index: ChunkIndex) -> Iterator[_Stretches]:
    """A sentence that corrects what stands before it: an erratum, "no, sorry"."""
    for start, end in index.sentences:
        taken_back = _TAKEN_BACK.search(index.text, start, end)
        if _CORRECTED.search(index.text, start, end) is not None or taken_back is not None:
            yield _Stretches(range(start), range(start, end), is_mistake=True)
